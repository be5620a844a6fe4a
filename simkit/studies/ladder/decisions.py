"""Decisions of players: how long they take, and how often two players decide alike in the same positions."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import OVER
from simkit.engine.rng import open_streams, purposes
from simkit.engine.table import GameTable, Player

SEED = 20_261_126  # of the positions: no run of a ladder plays its deals


class Position(NamedTuple):
    """A decision with several legal actions: what its seat sees, and the action that was taken."""

    view: Any
    legal: np.ndarray
    ply: int
    deal: int
    taken: int


def milliseconds(table: GameTable, player: Player, seats: int, seconds: float = 0.25) -> float:
    """Return the processor time per decision in games of this player against itself; 0 if it decides nothing.

    The games are four times as many until they take so many seconds.
    """
    lineup, deals, spent, decisions = [player] * seats, 1, 0.0, 1
    table.play(lineup, SEED, np.zeros(1, np.int64), np.zeros(1, np.int64))  # loads the compiled code
    while spent < seconds and decisions:
        began = time.process_time()
        states = table.play(lineup, SEED, np.arange(deals), np.zeros(deals, np.int64))
        spent, decisions = time.process_time() - began, int(states["log"]["game"]["decisions"].sum())
        deals *= 4
    return 1000 * spent / decisions if decisions else 0.0


def positions(table: GameTable, player: Player, seats: int, games: int) -> Iterator[Position]:
    """Yield the decisions of games of a player against itself."""
    game, rules, ids = table.game, table.rules[0], np.zeros(table.game.max_actions, np.int64)
    for deal in range(games):
        trail, place = np.zeros(game.max_steps, np.int64), 0
        table.play([player] * seats, SEED, np.array([deal]), np.zeros(1, np.int64), trail)
        s, rng = np.zeros(1, game.state_dtype)[0], table.open_luck(SEED, deal)
        s.seats = seats
        game.setup(s, rules, rng)
        while s.seat != OVER:
            n = game.legal(s, rules, ids)
            if n > 1:
                view = np.zeros(1, game.state_dtype)[0]
                game.observe(s, rules, s.seat, view)
                yield Position(view, ids[:n].copy(), int(s.log.game.decisions), deal, int(trail[place]))
                s.log.game.decisions += 1
            game.step(s, rules, int(trail[place]), rng)
            place += 1


def agreement(table: GameTable, player: Player, several: list[Position]) -> float:
    """Return the part of the positions in which a player takes the action that was taken."""
    alike = [decision(table, player, position) == position.taken for position in several]
    return float(np.mean(alike)) if alike else 1.0


def decision(table: GameTable, player: Player, position: Position) -> int:
    """Return the action of a player in a position, without memory of the game so far."""
    stream = np.zeros(1, np.uint64)
    open_streams(stream, SEED, position.deal, purposes([f"choice/{position.view.seat}"]))
    return table.decide(player, position.view, position.legal, stream, position.ply)
