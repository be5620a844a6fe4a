"""The match command: a sequential test between two strategies."""

from collections.abc import Iterator
from typing import Any

import click
from click import option

from simkit.analysis import Findings
from simkit.analysis.deals import ALWAYS
from simkit.cli.build import ask
from simkit.cli.execute import carry_out
from simkit.cli.options import DEALS, Given, Whole, Within, command, shared
from simkit.cli.study import Part, print_study
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, percent, seat_name, span
from simkit.runs.stopping import pairings

MAX_DEALS = 1_000_000  # default limit of a sequential test
ELO0, ELO1 = 0.0, 10.0
ELO = Within(-pairings.MOST_ELO, pairings.MOST_ELO)
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
@option("--seats", type=Whole(min=2), help="Seats at the table; the usual number of the game by default.")
@shared("seed", "set", "files", "play", "json")
def match(given: Given, game: str, first: str, second: str, seats: int | None, **test: Any) -> None:
    """Test which of two strategies is stronger, and by how much.

    You get the difference in Elo with its interval. A and B play every deal in all seats; with three or more
    seats each of them plays alone against a table of the other. The match ends when a sequential test (SPRT)
    has decided, or after --deals.

    \b
    Example:  simkit match pig "hold_at(threshold=20)" "hold_at(threshold=15)" --elo1 20
    """
    definition = registry.game(game)
    sides = _sides(definition, first, second)
    lineups = pairings.lineups(*sides, seats or definition.default_seats)
    keys = {"lineups": lineups, "report": "match", "deals": given.deals or MAX_DEALS}
    question = f"Which is stronger, {sides[0]} or {sides[1]}?"
    run = carry_out(given, ask(given, game, question, **keys, **_test(given, **test)))
    print_study(given, run, _parts, _document)


def _sides(game: Game, first: str, second: str) -> tuple[str, str]:
    """Return the labels of the two strategies."""
    if game.team:
        raise UsageError(f"{game.name} is co-operative: strategies cannot play against each other in it")
    for text in (first, second):
        if (count := len(parse_lineup(text))) != 1:
            raise UsageError(f"'{text}' is {count} strategies; a match is of one against one other")
    sides = parse_lineup(f"{first}, {second}")
    for named in sides:
        registry.player(game, named)
    if registry.same_player(game, *sides):
        raise UsageError(f"'{first}' and '{second}' are the same strategy; a match is of two")
    return str(sides[0]), str(sides[1])


def _test(given: Given, elo0: float | None, elo1: float | None, normalized: bool) -> Row:
    """Return the keys of the sequential test; none where only a number of deals is given."""
    if given.deals is not None and elo0 is None and elo1 is None:
        return {"normalized_elo": normalized}
    low = elo0 if elo0 is not None else min(ELO0, elo1 - ELO1) if elo1 is not None and elo1 <= ELO0 else ELO0
    high = elo1 if elo1 is not None else low + ELO1
    if low >= high:
        raise UsageError(f"--elo0 {low:g} --elo1 {high:g}: the second must be greater than the first")
    return {"until_elo": [low, high], "normalized_elo": normalized}


def _parts(findings: Findings) -> Iterator[Part]:
    """Yield the shares by strategy and seat, and the deals by score."""
    yield [_row(row) for row in labels_of(findings).named(findings.match_seats).rows(named=True)]
    yield f"Deals by score, from 0 to 1: {', '.join(map(str, findings.match_results['deals']))}."


def _row(row: Row) -> Row:
    interval = span(row["low"], row["high"], scale=100)
    front = {"strategy": row["strategy"], "as": seat_name(row["seat"]), "share": percent(row["share"])}
    return front | {"95 % interval": interval, "games": row["games"]}


def _document(findings: Findings) -> Row:
    """Return what the JSON document has besides the answer."""
    (row,) = findings.match.drop(ALWAYS, strict=False).rows(named=True)
    counts = findings.match_results.select("result", "deals").rows(named=True)
    seats = findings.match_seats.drop(ALWAYS, strict=False).rows(named=True)
    return {"seed": findings.run.experiment.seed, **row, "results": counts, "seats_won": seats}
