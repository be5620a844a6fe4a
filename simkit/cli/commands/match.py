"""The match command: a sequential test between two strategies."""

from collections.abc import Iterator
from typing import Any

import click
from click import option

from simkit.analysis import Findings
from simkit.analysis.deals import ALWAYS
from simkit.api import match as api
from simkit.api.requests import Seats
from simkit.cli.options import DEALS, Given, Within, command, ranged, shared
from simkit.cli.study import Part, print_study
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import percent, span
from simkit.reporting.text.phrases import TableRow, seat_name
from simkit.runs.experiment import MOST_ELO

ELO = Within(-MOST_ELO, MOST_ELO)
ELO0_HELP = "Lower of the two leads of A between which the test decides, with 5 % error each (0)."
NORMALIZED = "Give --elo0 and --elo1 in normalised Elo (347 for each standard deviation of a game)."
DEALS_HELP = "Play a fixed number of deals; with --elo0 or --elo1 at most so many."


@command("Questions")
@click.argument("game")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@option("--elo0", type=ELO, metavar="X", help=ELO0_HELP)
@option("--elo1", type=ELO, metavar="Y", help="Upper of the two (10).")
@option("--normalized", is_flag=True, help=NORMALIZED)
@option("--deals", type=DEALS, help=DEALS_HELP)
@option("--seats", type=ranged(Seats), help="Seats at the table; the usual number of the game by default.")
@shared("seed", "set", "files", "play", "json")
def match(given: Given, game: str, first: str, second: str, seats: int | None, **test: Any) -> None:
    """Test which of two strategies is stronger, and by how much.

    You get the difference in Elo with its interval. A and B play every deal in all seats; with three or more
    seats each of them plays alone against a table of the other. The match ends when a sequential test (SPRT)
    has decided, or after --deals.

    \b
    Example:  simkit match pig "hold_at(threshold=20)" "hold_at(threshold=15)" --elo1 20
    """
    result = api.match(game, first, second, seats=seats, **test, **given.keywords())
    print_study(result, given.as_json, _document, _parts)


def _parts(findings: Findings) -> Iterator[Part]:
    """Yield the shares by strategy and seat, and the deals by score."""
    yield [_row(row) for row in labels_of(findings).label(findings.match_seats).rows(named=True)]
    yield f"Deals by score, from 0 to 1: {', '.join(map(str, findings.match_results['deals']))}."


def _row(row: TableRow) -> TableRow:
    interval = span(row["low"], row["high"], scale=100)
    front = {"strategy": row["strategy"], "as": seat_name(row["seat"]), "share": percent(row["share"])}
    return front | {"95 % interval": interval, "games": row["games"]}


def _document(findings: Findings) -> TableRow:
    """Return what the JSON document has besides the answer."""
    (row,) = findings.match.drop(ALWAYS, strict=False).rows(named=True)
    counts = findings.match_results.select("result", "deals").rows(named=True)
    seats = findings.match_seats.drop(ALWAYS, strict=False).rows(named=True)
    return {"seed": findings.run.experiment.seed, **row, "results": counts, "seats_won": seats}
