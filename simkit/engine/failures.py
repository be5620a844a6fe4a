"""Runs that continue after failures: a failed game is lost by the strategy at fault, or else by all."""

import numpy as np

from simkit.engine.game import Game
from simkit.engine.table import RULES_FAILED, Failed, Games, Player, Table

ENDED = "a fault"  # end reason of a failed game; end reasons of games have no space


def play_on(
    table: Table, lineup: list[Player], seed: int, deals_and_shifts: np.ndarray, explain: bool
) -> tuple[np.ndarray, list[Failed]]:
    """Play as `Table.play` does, but continue after failures; return the final states and the failures.

    A failed game keeps the state in which it failed. `explain` requests the author's line of the first
    failure, which takes a replay in plain Python.
    """
    games = Games(lineup, seed, *np.ascontiguousarray(deals_and_shifts))
    game_count = len(games.deals)
    states, failures, start = np.zeros(game_count, table.game.state_dtype), list[Failed](), 0
    while start < game_count:
        part = games.between(start, game_count)
        played, failed = table.attempt(part)
        end = game_count
        if failed is not None:
            end = start + failed.game + 1
            line = table.explained(part, failed).line if explain and not failures else failed.line
            message = f"{_subject(part, failed)}{failed.message}"
            failures.append(failed._replace(game=end - 1, message=message, line=line, cause=None))
            _lose(table.game, played[failed.game], failures[-1], len(lineup))
        states[start:end] = played[: end - start]
        start = end
    return states, failures


def _subject(games: Games, failed: Failed) -> str:
    """Return the seat or strategy that a failure is about, as the beginning of a message."""
    if failed.by_strategy:
        return f"strategy {games.player(failed.game, failed.seat).label} "
    return "" if failed.message.startswith(RULES_FAILED) else f"seat {failed.seat} "


def _lose(game: Game, s: np.void, failed: Failed, seats: int) -> None:
    """Rank the seat at fault last and all others first; if the rules failed, nobody wins."""
    s["rank"] = 0
    if failed.by_strategy and seats > 1 and not game.team:
        s["rank"][:seats] = 1
        s["rank"][failed.seat] = seats
