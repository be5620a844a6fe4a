"""The ladder command: players of rising strength, and what each of them says of the game."""

import click
from click import option

from simkit.analysis import Findings
from simkit.api import studies as api
from simkit.api.requests import Seats
from simkit.cli.interrupts import paused_after
from simkit.cli.options import Given, Texts, Within, command, ranged, shared, values_of
from simkit.cli.study import print_study
from simkit.engine.lineups import parse_lineup
from simkit.reporting.text.phrases import TableRow
from simkit.studies.study import ManyDeals

VARY = """Option to vary, OPTION=A/B or OPTION=LOW:HIGH:STEP; every rung plays every value. By default
(without --rungs) the first number that compensates later seats for not moving first, if --set leaves it."""
RUNGS = "Strategies from the weakest to the strongest, separated by commas."
MOST_HOURS = 10_000
HOURS = "Pause after so many hours; the same command goes on. The results do not depend on it."


@command("Questions")
@click.argument("game")
@option("--rungs", metavar="A,B,...", help=RUNGS)
@option("--vary", multiple=True, metavar="OPTION=VALUES", help=VARY)
@option("--seats", type=ranged(Seats), help="Number of players; by default the game's usual number.")
@option("--deals", type=ranged(ManyDeals), default=20_000, help="Deals of a rung that does not search.")
@option("--hours", type=Within(0, MOST_HOURS, min_open=True), help=HOURS)
@shared("margin", "target", "seed", "set", "files", "play", "json")
def ladder(
    given: Given, game: str, rungs: str | None, vary: Texts, seats: int | None, hours: float | None
) -> None:
    """See how the answers change as players get better.

    You get, for players from random to strong search, their rating and cost, and what each says of the game:
    the first player's share with a verdict, the length, the lead changes, the fair value of the option
    varied. A search plays fewer deals, the more it searches: at most as many as give ±2 points.

    \b
    Examples:  simkit ladder outpost_seven
               simkit ladder outpost_seven --vary start_total_second=16/20
    """
    labels = [str(named) for named in parse_lineup(rungs)] if rungs else []
    with paused_after(hours):
        result = api.ladder(game, labels, vary=values_of(game, vary), seats=seats, **given.keywords())
    print_study(result, given.as_json, _document)


def _document(findings: Findings) -> TableRow:
    """Return what the JSON document has besides the answer."""
    document = findings.run.ladder.model_dump(include={"vary", "rungs"})
    for rung, milliseconds in zip(document["rungs"], findings.rungs["milliseconds"], strict=True):
        rung["milliseconds"] = milliseconds
    return document
