"""Questions: Test which of two strategies is stronger, and by how much."""

from __future__ import annotations

from typing import Annotated, Any, Unpack

from simkit.api.arguments import Common, Seats, Shell, Word
from simkit.api.execution import Execution
from simkit.api.question import question
from simkit.api.requests import ask
from simkit.api.results import Result, answer
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.runs.experiment import Deals, Elo
from simkit.runs.stopping import pairings

MATCH_DEALS = 1_000_000  # default limit of a sequential test
ELO0, ELO1 = 0.0, 10.0


@question()
def match(
    execution: Execution,
    game: Word,
    first: Annotated[str, Shell(metavar="A", positional=True)],
    second: Annotated[str, Shell(metavar="B", positional=True)],
    *,
    deals: Deals | None = None,
    elo0: Annotated[Elo, Shell(metavar="X")] | None = None,
    elo1: Annotated[Elo, Shell(metavar="Y")] | None = None,
    normalized: bool = False,
    seats: Seats | None = None,
    **keywords: Unpack[Common],
) -> Result:
    """Test which of two strategies is stronger, and by how much.

    You get the difference in Elo with its interval. `first` and `second` play every deal in all seats; with
    three or more seats each of them plays alone against a table of the other. The match ends when a
    sequential probability ratio test (SPRT) has decided, or after `deals`.

    Args:
        game: Name of the game.
        first: Strategy, with weights if you like: "hold_at(threshold=20)".
        second: The other strategy.
        deals: Play a fixed number of deals; with `elo0` or `elo1` at most so many.
        elo0: Lower of the two leads of `first` in Elo between which the test decides, with 5 % error
            each; 0 by default.
        elo1: Upper of the two; 10 more by default.
        normalized: Whether to give `elo0` and `elo1` in normalised Elo (347 for each standard deviation of a
            game).
        seats: Seats at the table; by default the usual number of the game.

    Returns:
        The findings of the run; `result.match` has the score, the difference in Elo and its interval.

    Raises:
        UsageError: A co-operative game, an unknown strategy, or twice the same.

    Example:
        >>> match("pig", "hold_at(threshold=20)", "random", deals=200).match["score"].item() > 0.9
        True

    Command line::

        simkit match pig "hold_at(threshold=20)" "hold_at(threshold=15)" --elo1 20
    """
    definition = registry.game(game)
    sides = _sides(definition, first, second)
    lineups = pairings.lineups(*sides, seats or definition.default_seats)
    keys = {**keywords, **_test(deals, elo0, elo1, normalized), "lineups": lineups, "report": "match"}
    return answer(execution, ask(game, f"Which is stronger, {sides[0]} or {sides[1]}?", keys))


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


def _test(deals: int | None, elo0: float | None, elo1: float | None, normalized: bool) -> dict[str, Any]:
    """Return the keys of a match; no test where only a number of deals is given."""
    keys = {"deals": MATCH_DEALS if deals is None else deals, "normalized_elo": normalized}
    if deals is not None and elo0 is None and elo1 is None:
        return keys
    low = elo0 if elo0 is not None else min(ELO0, elo1 - ELO1) if elo1 is not None and elo1 <= ELO0 else ELO0
    high = elo1 if elo1 is not None else low + ELO1
    if low >= high:
        raise UsageError(f"elo0 {low:g}, elo1 {high:g}: the second must be greater than the first")
    return keys | {"until_elo": [low, high]}
