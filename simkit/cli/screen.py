"""The screen command: which of many options matter."""

from typing import Any

import click
from click import option

from simkit.cli.build import lineups_of, say_files
from simkit.cli.execute import placed
from simkit.cli.options import (
    SHARE,
    Given,
    Texts,
    Whole,
    Within,
    by_option,
    command,
    shared,
    value_of,
    whole_numbers,
)
from simkit.cli.output import print_json, print_table, say
from simkit.cli.search_folder import searched
from simkit.cli.summary import record_answer, report_command
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.reporting.text.phrases import Row
from simkit.reporting.text.screens import idle_said, screen_answer, strongest_rows
from simkit.runs.run import Run
from simkit.studies import screening
from simkit.studies.screening.request import Request

SAMPLES = [2**power for power in range(4, 15)]


@command
@click.argument("game")
@option("--options", multiple=True, metavar="NAME,NAME=LOW:HIGH,NAME=A/B,...", help="Which; default: all.")
@option("--measure", multiple=True, metavar="COLUMN", help="Of the log; default: turns and lead_changes.")
@option("--strongest", type=Whole(1, 8), default=5, help="Options to play in all combinations.")
@option("--sobol", type=Whole(), default=0, metavar="N", help="Also Sobol indices, of a sample of N (256).")
@option(
    "--small",
    type=Within(0.0001, 0.5),
    default=0.05,
    help="Of measures but shares: the same within this part.",
)
@option("--margin", type=SHARE, default=0.02, help="A share that changes by less is the same.")
@option("--deals", type=Whole(20, 10**9), default=2_000, help="Deals per setting.")
@shared("lineups", "seed", "set", "files", "play", "json")
def screen(
    given: Given, game: str, options: Texts, measure: Texts, strongest: int, sobol: int, small: float
) -> None:
    """Say which of many options matter, and which do nothing.

    Two values of every option (the usual one and another) in few settings on common deals; the strongest are
    then played in all combinations, the others as in the rulebook, on fresh deals. For instance:

    \b
    simkit screen outpost_seven --lineup greedy,greedy
    simkit screen pig --options goal=50:100,faces=6:8,bust --sobol 64
    """
    aim: dict[str, Any] = given.keys("deals", "seed", "margin")
    if sobol and sobol not in SAMPLES:
        raise UsageError(f"--sobol {sobol}: a sample is a power of 2 from {SAMPLES[0]} to {SAMPLES[-1]}")
    more = {"options": given.settings, "files": given.files, **given.keys("keep_going")}
    aim |= {"small": small, "strongest": strongest, "sobol": sobol, "measures": list(measure), "more": more}
    request = Request(game, levels_of(game, options), lineups_of(game, given.lineups), **aim)
    say_files(request.experiment("?"))
    for name in measure:
        screening.check_measure(request, name)
    given = placed(given, request.experiment("?"), repr(request))
    screened = screening.screen_of(request)
    last = request.together({name: screened.levels[name] for name in list(screened.levels)[:1]})
    later = {"question", "sweep", "baseline"}
    run = searched(given, last, later, lambda play: screening.solve(request, play))
    print_json(_document(run)) if given.as_json else _print(run)


def levels_of(game: str, texts: Texts) -> dict[str, tuple[Any, Any] | None]:
    """Return options with two values each from texts `a,b=1:9,c=x/y`; None where no values are given."""
    definition, levels = registry.game(game), dict[str, tuple[Any, Any] | None]()
    parts = [part.strip() for text in texts for part in text.split(",")]
    bare = [part for part in parts if "=" not in part]
    given = by_option([part for part in parts if "=" in part], "given")
    for part in parts:
        name = part.partition("=")[0].strip()
        if name in levels or (name in bare and name in given):
            raise UsageError(f"option {name} is given twice")
        levels[name] = None
        definition.option(name)
        if name in given:
            levels[name] = _two_values(game, name, given[name])
    return levels


def _two_values(game: str, name: str, text: str) -> tuple[Any, Any]:
    """Return the two values in the text of an option."""
    option = registry.game(game).option(name)
    ends: list[Any] = (
        list(whole_numbers(text)) if ":" in text else [value_of(part.strip()) for part in text.split("/")]
    )
    if len(ends) != 2:
        form = "low:high" if not option.names else "one/other"
        raise UsageError(f"--options {name}={text}: two values are needed, {name}={form}")
    low, high = (option.shown(option.number(end)) for end in ends)
    return low, high


def _print(run: Run) -> None:
    """Print the answer, the strongest options, the options left out, and the command that writes the page."""
    findings = record_answer(run)
    answer = screen_answer(findings)
    say(answer.sentence)
    for head, rows in strongest_rows(findings):
        say(f"\n{head}\n")
        print_table(rows)
    say(f"\n{idle_said(findings)}")
    say(f"How sure: {'; '.join(answer.sure)}.")
    for warning in answer.warnings:
        say(f"Beware: {warning}")
    for line in run.screened["notes"]:
        say(line)
    say(f"report: {report_command(run)}")


def _document(run: Run) -> Row:
    """Return the document that --json prints."""
    findings, screen = record_answer(run), run.screened
    answer = screen_answer(findings)
    return {
        "game": run.experiment.game,
        "confidence": 0.95,
        "answer": answer.sentence,
        "levels": screen["levels"],
        "effects": findings.dials.rows(named=True),
        "strongest": screen["strongest"],
        "alone_again": findings.alone_again.rows(named=True),
        "together": findings.together.rows(named=True),
        "sobol": screen["sobol"],
        "left_out": screen["notes"],
        "warnings": answer.warnings,
        "run": run.place,
    }
