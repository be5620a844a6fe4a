"""The design command: a search for rules that meet several wishes."""

from typing import Any

import click
from click import option

from simkit.cli.build import lineups_of, say_files
from simkit.cli.execute import placed
from simkit.cli.options import Given, Texts, Whole, by_option, command, shared, value_of, whole_numbers
from simkit.cli.output import print_json, print_table, say
from simkit.cli.search_folder import searched
from simkit.cli.summary import record_answer, report_command
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.reporting.text.designs import design_answer, setting_rows
from simkit.reporting.text.phrases import Row
from simkit.runs.run import Run
from simkit.studies import design as designer
from simkit.studies.design.request import Request, check_asked

MAX_VALUES = 10_000
TRIED_KEYS = ("setting", "deals", "loss")
FORMS = "a range low:high or low:high:step of whole numbers, or values one/other"


@command
@click.argument("game")
@option("--vary", multiple=True, required=True, metavar="OPTION=LOW:HIGH", help="Or OPTION=A/B. Repeatable.")
@option(
    "--wish", multiple=True, required=True, metavar="WISH", help="fairness, COLUMN=LOW:HIGH, COLUMN>=N ..."
)
@option("--trials", type=Whole(2, 10_000), default=80, help="Settings to try.")
@option("--best", type=Whole(1, 20), default=4, help="Settings to check on fresh deals.")
@option("--deals", type=Whole(20, 10**9), default=2_000, help="Deals per setting that is not dropped.")
@option("--confirm", type=Whole(20, 10**9), default=20_000, help="Fresh deals per setting checked.")
@shared("margin", "target", "lineups", "seed", "set", "files", "play", "json")
def design(given: Given, game: str, vary: Texts, wish: Texts, trials: int, best: int, confirm: int) -> None:
    """Search for rules that meet several wishes.

    A wish is "fairness" (every seat within --margin of its share), or names a column of the games table:
    its mean in a range, at least or at most a number, or what the printed rules have. Each holds for every
    --lineup. The best settings are measured again on fresh deals. For instance:

    \b
    simkit design pig --vary goal=20:60 --vary faces=6/8/10 --wish turns=14:18 --wish "busts<=3"
    simkit design outpost_seven --vary start_total_second=16:24 --vary rows=4:6 --wish fairness \\
        --wish turns=25:35 --wish "lead_changes>=printed"
    """
    aim: dict[str, Any] = given.keys("deals", "seed", "margin")
    aim |= {"trials": trials, "best": best, "confirm": confirm}
    aim["more"] = {"options": given.settings, "files": given.files, **given.keys("target", "keep_going")}
    request = Request(game, values_of(game, vary), list(wish), lineups_of(game, given.lineups), **aim)
    check_asked(request)
    last = request.check([request.printed()])
    say_files(last)
    given = placed(given, last, repr(request))
    run = searched(given, last, {"sweep"}, lambda play: designer.solve(request, play))
    print_json(_document(run)) if given.as_json else _print(run)


def values_of(game: str, texts: Texts) -> dict[str, list[Any]]:
    """Return the values of each option from texts `option=low:high`, `option=low:high:step`, `option=a/b`."""
    options = dict[str, list[Any]]()
    for name, text in by_option(texts, "varied").items():
        option = registry.game(game).option(name)
        numbers = _range(name, text) if ":" in text else [value_of(part.strip()) for part in text.split("/")]
        values = [option.shown(option.number(number)) for number in numbers]
        if len(values) < 2 or len(set(values)) < len(values):
            raise UsageError(f"--vary {name}={text}: {FORMS} is needed, each value once")
        options[name] = sorted(values) if not option.names else values
    return options


def _range(name: str, text: str) -> list[int]:
    """Return the whole numbers in a range."""
    ends = whole_numbers(text)
    low, high, step = (*ends, 1)[:3] if len(ends) in (2, 3) else (0, 0, 0)
    if step < 1 or high <= low:
        raise UsageError(f"--vary {name}={text}: {FORMS} is needed, from low up to high")
    if (high - low) // step >= MAX_VALUES:
        raise UsageError(f"--vary {name}={text}: more than {MAX_VALUES:,} values")
    return list(range(low, high + 1, step))


def _print(run: Run) -> None:
    """Print the answer, the checked settings with their wishes, and the command that writes the page."""
    findings = record_answer(run)
    answer = design_answer(findings)
    say(answer.sentence)
    say("\nOn fresh deals, the nearest first:\n")
    print_table(setting_rows(findings))
    say(f"\nHow sure: {'; '.join(answer.sure)}.")
    for warning in answer.warnings:
        say(f"Beware: {warning}")
    say(f"report: {report_command(run)}")


def _document(run: Run) -> Row:
    """Return the document that --json prints."""
    findings, search = record_answer(run), run.designed
    answer = design_answer(findings)
    settings = {cell.index: cell.varied for cell in run.cells}
    rows = findings.checked_settings.rows(named=True)
    checked = [{"setting": settings[row["cell"]], **row} for row in rows]
    return {
        "game": run.experiment.game,
        "confidence": 0.95,
        "answer": answer.sentence,
        "vary": search["vary"],
        "wishes": search["goals"],
        "checked": checked,
        "measured": findings.wishes.rows(named=True),
        "trials": [{name: entry[name] for name in TRIED_KEYS} for entry in search["trials"]],
        "refused": search["refused"],
        "warnings": answer.warnings,
        "run": run.place,
    }
