"""The ablate command: effects of changing components, one by one and all at once."""

import click
from click import option

from simkit.api import ablate as api
from simkit.api.ablate import TRACED
from simkit.api.results import Result
from simkit.cli.options import DEALS, PART, TRACE, Given, Texts, command, shared
from simkit.cli.output import print_json, print_table, say
from simkit.cli.summary import brief_document, left_out, print_brief, print_step, report_command
from simkit.reporting.text.phrases import TableRow

MAX_ROWS = 12  # components of a cell on a screen
INTERNAL_COLUMNS = ("setting", "seats", "fair", "baseline")
HOW = "How to change them: one of the ways that `simkit rules GAME` lists; the first by default."
COMPONENTS = "Names or kinds of components; all by default. Repeatable."
TRACED_DEALS = f"Deals in which the owners of components are traced ({TRACED:,})."


@command("Questions")
@click.argument("game")
@option("--how", metavar="WAY", help=HOW)
@option("--components", multiple=True, metavar="A,B,...", help=COMPONENTS)
@option("--rate", type=PART, metavar="P", help="Part of the deals in which each component is changed.")
@option("--deals", type=DEALS, default=20_000, help="Deals per cell.")
@option("--trace", type=TRACE, metavar="N", help=TRACED_DEALS)
@shared("lineups", "target", "seed", "set", "files", "play", "table", "json")
def ablate(given: Given, game: str, how: str | None, components: Texts, rate: float | None) -> None:
    """Measure the effect of each component (card, tile ...).

    You get the effect of each component on who wins, on the length of a game and on the seat that has it,
    each with its interval, next to how often its owners win. Coins decide which components are changed in
    which deals, so that each deal says something about all of them.

    \b
    Example:  simkit ablate outpost_seven --how blank --deals 50000
    """
    names = [part.strip() for text in components for part in text.split(",")]
    result = api.ablate(game, how=how or "", components=names, rate=rate, **given.keywords())
    print_json(_document(result)) if given.as_json else _print(result, given.whole)


def _print(result: Result, whole: bool) -> None:
    run, brief = result.run, result.brief
    print_brief(brief)
    for listed in brief.tables():
        shown = listed.rows if whole else listed.rows[:MAX_ROWS]
        say(f"\n{listed.caption}:\n")
        heads = [column.heading for column in listed.columns]
        print_table([dict(zip(heads, row, strict=True)) for row in shown])
        left_out(len(listed.rows) - len(shown))
    print_step(brief)
    say(f"\nRun: {run.place}   report: {report_command(run)}")


def _document(findings: Result) -> TableRow:
    """Return the document that --json prints."""
    run, owners = findings.run, findings.ablation_owners
    ablation_words = run.words.ablation
    return brief_document(findings.brief) | {
        "game": run.experiment.game,
        "way": ablation_words.way if ablation_words else "",
        "meaning": ablation_words.meaning if ablation_words else "",
        "rate": ablation_words.rate if ablation_words else 0,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "effects": findings.ablation.drop(INTERNAL_COLUMNS, strict=False).rows(named=True),
        "owners": owners.drop(INTERNAL_COLUMNS, strict=False).rows(named=True) if owners.width else [],
        "run": run.place,
    }
