"""Runs that continue after failures: a failed game is lost by the strategy at fault, or else by all."""

from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game
from simkit.engine.kernel import RULES_FAILED, WROTE, Games, Player, Table, Wrong

ENDED = "a fault"  # end reason of a failed game; end reasons of games have no space


class Failed(NamedTuple):
    """Game that failed."""

    game: int  # index among the games played
    seat: int  # seat to decide, −1 in the setup
    by_strategy: bool  # whether the strategy is at fault, not the rules
    message: str
    line: str  # of the author: FILE:LINE, or empty


def play_on(
    table: Table, lineup: list[Player], seed: int, deals_and_shifts: np.ndarray, explain: bool
) -> tuple[np.ndarray, list[Failed]]:
    """Play as `Table.play` does, but continue after failures; return the final states and the failures.

    A failed game keeps the state in which it failed. `explain` requests the author's line of the first
    failure, which takes a replay in plain Python. A strategy that writes to the rules also spoils the games
    after it; these are played one at a time, then in batches that double.
    """
    games = Games(lineup, seed, *np.ascontiguousarray(deals_and_shifts))
    game_count = size = len(games.deals)
    states, failures, start = np.zeros(game_count, table.game.state_dtype), list[Failed](), 0
    while start < game_count:
        part = games.between(start, start + size)
        played, wrong = table.attempt(part)
        done, size = len(played), min(2 * size, game_count)
        if wrong is not None:
            done, size = int(wrong.at.game) + 1, 1 if wrong.message.endswith(WROTE) else size
            failure = _failure(table, part, wrong, explain and not failures)
            failures.append(failure._replace(game=start + done - 1))
        states[start : start + done] = played[:done]
        start += done
    for failure in failures:
        _lose(table.game, states[failure.game], failure, len(lineup))
    return states, failures


def _lose(game: Game, s: Any, failed: Failed, seats: int) -> None:
    """Rank the seat at fault last and all others first; if the rules failed, nobody wins."""
    s["rank"] = 0
    if failed.by_strategy and seats > 1 and not game.team:
        s["rank"][:seats] = 1
        s["rank"][failed.seat] = seats


def _failure(table: Table, games: Games, wrong: Wrong, explain: bool) -> Failed:
    """Return the failure with the message of compiled code, which is the same for every game."""
    line = table.explained(games, wrong).line if explain else wrong.line
    if wrong.message.endswith(WROTE):  # only plain Python shows which function wrote
        wrong = table.explained(games, wrong)
        line = wrong.line
    game, seat = int(wrong.at.game), int(wrong.at.seat)
    subject = "" if wrong.message.startswith(RULES_FAILED) else f"seat {seat} "
    if wrong.by_strategy:
        subject = f"strategy {games.player(game, seat).label} "
    return Failed(game, seat, wrong.by_strategy, f"{subject}{wrong.message}", line)
