"""Runs that keep going: a game that fails is lost by the seat whose strategy failed, else by all."""

from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game
from simkit.engine.kernel import RULES_FAILED, WROTE, Games, Player, Table, Wrong

ENDED = "a fault"  # the end reason of such a game; no name of a game's own has a space


class Failed(NamedTuple):
    """A game that failed."""

    game: int  # its place among those played
    seat: int  # whose turn it was, −1 in the setup
    by_strategy: bool  # whose fault it is, else that of the rules
    said: str
    line: str  # of the author: FILE:LINE, where it is known


def play_on(
    table: Table, lineup: list[Player], seed: int, deals_and_shifts: np.ndarray, explain: bool
) -> tuple[np.ndarray, list[Failed]]:
    """As `Table.play`, but a game that fails stays as it was then, and the others go on.

    explain: look for the line of the first fault, which takes a game in plain Python. A strategy that writes
    to the rules spoils the games after it, too: they are played one by one, then two at a time and so on.
    """
    games = Games(lineup, seed, *np.ascontiguousarray(deals_and_shifts))
    many = size = len(games.deals)
    states, failed, start = np.zeros(many, table.game.state_dtype), list[Failed](), 0
    while start < many:
        part = games.between(start, start + size)
        some, wrong = table.attempt(part)
        done, size = len(some), min(2 * size, many)
        if wrong is not None:
            done, size = int(wrong.at.game) + 1, 1 if wrong.said.endswith(WROTE) else size
            failed.append(_failed(table, part, wrong, explain and not failed)._replace(game=start + done - 1))
        states[start : start + done] = some[:done]
        start += done
    for one in failed:
        _lose(table.game, states[one.game], one, len(lineup))
    return states, failed


def _lose(game: Game, s: Any, failed: Failed, seats: int) -> None:
    """The seat is last, and the others share the first place; where the rules failed, nobody wins."""
    s["rank"] = 0
    if failed.by_strategy and seats > 1 and not game.team:
        s["rank"][:seats] = 1
        s["rank"][failed.seat] = seats


def _failed(table: Table, games: Games, wrong: Wrong, explain: bool) -> Failed:
    """What is to be told of it: words of compiled code, which are the same for every game."""
    line = table.explained(games, wrong).line if explain else wrong.line
    if wrong.said.endswith(WROTE):  # only plain Python knows who wrote
        wrong = table.explained(games, wrong)
        line = wrong.line
    game, seat = int(wrong.at.game), int(wrong.at.seat)
    subject = "" if wrong.said.startswith(RULES_FAILED) else f"seat {seat} "
    if wrong.by_strategy:
        subject = f"strategy {games.player(game, seat).label} "
    return Failed(game, seat, wrong.by_strategy, f"{subject}{wrong.said}", line)
