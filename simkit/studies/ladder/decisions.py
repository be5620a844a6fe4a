"""Decisions of players: how long they take, and how often two players decide alike in the same positions."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import OVER
from simkit.engine.kernel import CHOICES
from simkit.engine.rng import open_streams, purposes
from simkit.engine.table import Player, Table

SEED = 20_261_126  # of the positions: no run of a ladder plays its deals
LONGEST = 100_000  # decisions that are noted


class Position(NamedTuple):
    """A decision with several legal actions: what its seat sees, and the action that was taken."""

    view: Any
    legal: np.ndarray
    ply: int
    deal: int
    taken: int


def milliseconds(table: Table, player: Player, seats: int, seconds: float = 1.0) -> float:
    """Return the processor time per decision in games of this player against itself, at least two games."""
    notes, lineup, deals = np.zeros((LONGEST, 4), np.int64), [player] * seats, 1
    table.play(lineup, SEED, np.zeros(1, np.int64), np.zeros(1, np.int64))  # loads the compiled code
    while True:
        notes[:], began = 0, time.process_time()
        table.play(lineup, SEED, np.arange(deals), np.zeros(deals, np.int64), notes=notes)
        spent, decisions = time.process_time() - began, int((notes[:, CHOICES] > 0).sum())
        if spent > seconds / 4 or decisions == LONGEST:
            return 1000 * spent / max(1, decisions)
        deals *= 4


def positions(table: Table, player: Player, seats: int, games: int) -> Iterator[Position]:
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


def agreement(table: Table, player: Player, several: list[Position]) -> float:
    """Return the part of the positions in which a player takes the action that was taken."""
    alike = [decision(table, player, position) == position.taken for position in several]
    return float(np.mean(alike)) if alike else 1.0


def decision(table: Table, player: Player, position: Position) -> int:
    """Return the action of a player in a position, without memory of the game so far."""
    stream = np.zeros(1, np.uint64)
    open_streams(stream, SEED, position.deal, purposes([f"choice/{position.view.seat}"]))
    return table.decide(player, position.view, position.legal, stream, position.ply)
