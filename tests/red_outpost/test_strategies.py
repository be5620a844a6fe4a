"""Strategies: known answers of the reference player (RO-14), what it sees against a plain reckoning of M, and
what the others do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit import catalogue
from simkit.chance import open_streams, purposes
from simkit.game import OVER
from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import Decision, Location, Resource, Worker
from simkit.steps import driver
from strategies.red_outpost.oneply import weighing
from strategies.red_outpost.values import Measure

from .plain_greedy import plain_greedy

SLOW = pytest.mark.slow
FULL = {"ruleset": "full_game", "special_location_cards": 3, "special_worker_cards": 1}


class Position:
    """A game stepped by hand; `fields` are laid over the start."""

    def __init__(self, seats: int = 2, deal: int = 0, options: dict[str, Any] | None = None, **fields: Any):
        self.rules_array, self.states = game.rules(options), np.zeros(1, game.state_dtype)
        self.rng, self.ids = np.zeros(1, game.rng_dtype), np.zeros(game.max_actions, np.int64)
        open_streams(self.rng.view(np.uint64), 1, deal, purposes(game.purposes))
        driver(game).start(self.states, self.rules_array, self.rng, seats)
        self.s, self.rules = self.states[0], self.rules_array[0]
        for name, value in fields.items():
            self.s[name] = value

    def legal(self) -> np.ndarray:
        ids = self.ids[: driver(game).legal(self.states, self.rules_array, self.ids)].copy()
        ids.flags.writeable = False
        return ids

    def apply(self, action: int) -> Position:
        driver(game).step(self.states, self.rules_array, self.rng, action)
        return self

    def visit(self, worker: Worker, location: Location) -> Position:
        """The seat to decide moves a worker, mood unchanged: what the place itself would change is undone."""
        mood = self.s.mood.copy()
        self.apply(12 * worker + location)
        self.s.mood[:] = mood
        return self

    def view(self) -> Any:
        views = np.zeros(1, game.state_dtype)
        driver(game).observe(self.states, self.rules_array, self.s.seat, views)
        return views[0]

    def answer(self, name: str = "reference_greedy", luck: int = 1, **weights: str) -> int:
        """What a strategy decides here."""
        player = catalogue.strategy(game, name).player(game, weights)
        numbers, words = player.weights.copy(), np.full(1, luck, np.uint64)
        numbers.flags.writeable = False
        scratch, memo = np.zeros(game.scratch, game.state_dtype), np.zeros(game.memo, np.int64)
        return int(player.decide(self.view(), self.rules, self.legal(), numbers, words, scratch, memo))


def disks(**seats: dict[str, int]) -> np.ndarray:
    """Disks on portraits: disks(a=dict(farmer=1), b=dict(miner=2))."""
    result = np.zeros((4, 6), np.int8)
    for seat, some in seats.items():
        for worker, n in some.items():
            result["abcd".index(seat), Worker[worker]] = n
    return result


def moods(**values: int) -> np.ndarray:
    """Places on the default track, from the victory points."""
    result = np.full(6, 5)
    for worker, value in values.items():
        result[Worker[worker]] += value
    return result


def scores(position: Position) -> dict[int, int]:
    """M after each MOVE as the reference player sees it."""
    view, legal = position.view(), position.legal()
    copy, found = np.zeros(1, game.state_dtype)[0], np.zeros(len(legal), np.int64)
    weighing(Measure())(view, position.rules, legal, 0, (), copy, found)
    return dict(zip(legal.tolist(), found.tolist(), strict=True))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_g1_the_first_move(seats):
    position = Position(seats)
    found = scores(position)
    expected = {33: 8, 43: 4, 65: 2, 0: 2, 4: 2, 22: -2, 12: -2}
    assert len(found) == 42
    assert {a: found[a] for a in expected} == {a: n * (seats - 1) for a, n in expected.items()}
    assert position.answer() == 33


def test_g2_a_swap_at_the_beer_house():
    position = Position(block_morning=0).visit(Worker.commissar, Location.beer_house)
    position.s.infl[:] = disks(a=dict(farmer=1), b=dict(miner=1))
    assert position.s.decision == Decision.beer_gain
    assert position.answer() == 2
    assert position.apply(2).answer() == 3


def test_g3_uses_of_the_storehouse():
    position = Position(crystals=[0, 1, 0, 0], store=[1, 0, 0, 0])
    position.visit(Worker.commissar, Location.storehouse)
    position.s.infl[:] = disks(a=dict(farmer=1), b=dict(miner=1))
    assert position.legal().tolist() == [0, 1, 5] and position.answer() == 1
    position.s.crystals[0], position.s.store[Resource.fish] = 1, 2
    assert position.answer() == 11


def test_g4_a_disk_moved_at_the_administration():
    position = Position(mood=moods(miner=-2, farmer=2))
    position.visit(Worker.shepherd, Location.administration)
    position.s.infl[:] = disks(a=dict(miner=1), b=dict(farmer=1))
    assert position.s.decision == Decision.admin_from
    assert position.answer() == 8
    assert position.apply(8).answer() == 3


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_reference_player_against_a_plain_one(seats):
    """In games of random moves, all cards dealt: each decision that the specification defines."""
    seen = set()
    for deal in range(12):
        position, random = Position(seats, deal, FULL), np.random.default_rng(deal)
        while position.s.seat != OVER:
            ids = position.legal()
            if len(ids) > 1:
                seen.add(Decision(int(position.s.decision)).name)
                assert position.answer() == plain_greedy(position.s, ids.tolist()), (
                    deal,
                    position.s.decision,
                )
            position.apply(int(random.choice(ids)))
    assert len(seen) > 20, seen
