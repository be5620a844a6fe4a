"""What the players of Lunar Outpost reckon with: the words of section 19."""

from __future__ import annotations

from typing import Any

import numpy as np
from of_games.driver import driver
from simkit.content.strategies.lunar_outpost import features
from simkit.content.strategies.lunar_outpost.closing import best_points

from simkit.engine.rng import open_streams, purposes
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import Building, Phase
from simkit.games.lunar_outpost.hexes import put_tile
from simkit.games.lunar_outpost.stores import put_cube, room
from simkit.games.lunar_outpost.works import fill_deposit, put_building

DOME, EXCAVATOR, SILO, BARRACKS, TOWER, BARRICADE = range(6)


class Position:
    """The map of a player's turn; seat s has its starting dome on tile s."""

    def __init__(self, seats: int = 2, stack: int = 40, **options: Any):
        self.rules_array, states = game.rules(options), np.zeros(1, game.state_dtype)
        rng = np.zeros(1, game.rng_dtype)
        open_streams(rng.view(np.uint64), 1, 0, purposes(game.purposes))
        driver(game).start(states, self.rules_array, rng, seats)
        self.s, self.rules = states[0], self.rules_array[0]
        for seat in range(seats):
            put_building(self.s, seat, DOME, seat)
        self.s.phase, self.s.turn_no, self.s.setup_i, self.s.stack_n = Phase.spend, 2 * seats, seats, stack

    def tile(self, tile: int, q: int, r: int, rotation: int = 0) -> Position:
        fill_deposit(self.s, self.rules, put_tile(self.s, self.rules, tile, q, r, rotation), 0)
        return self

    def build(self, seat: int, kind: Building | int, t: int, cubes: int = 0) -> Position:
        put_building(self.s, seat, int(kind), t)
        return self.store(t, cubes)

    def store(self, t: int, cubes: int) -> Position:
        for _ in range(cubes):
            put_cube(self.s, t, 0)
        return self

    def closing(self) -> int:
        ids = np.zeros(game.max_actions, np.int64)
        return int(best_points(self.s, self.rules, ids[: game.legal(self.s, self.rules, ids)]))


def test_turns_left():
    assert [features.turns_left(Position(3, stack).s) for stack in (0, 2, 3, 5, 6)] == [1, 1, 2, 2, 3]
    assert [features.is_last_turn(Position(3, stack).s) for stack in (0, 2, 3)] == [True, True, False]
    position = Position(3, 2)
    position.s.alive[1] = 0
    assert features.turns_left(position.s) == 2 and not features.is_last_turn(position.s)


def test_slots_and_fullness():
    position = Position().tile(20, -1, 1).build(0, SILO, 4).store(0, 2)
    s, rules = position.s, position.rules
    assert [features.slots(s, rules, seat) for seat in (0, 1)] == [5, 2]
    assert room(s, rules, 0) == 3 and not features.is_full(s, rules)
    position.store(4, 1)
    assert not features.is_full(s, rules)
    position.store(4, 1)
    assert features.is_full(s, rules)
    s.st_b[4] = 0
    s.stack_n = 1
    assert features.is_full(s, rules)


def test_producers_and_deposits():
    position = Position().tile(18, -1, 1).tile(8, -2, 2).tile(19, 2, 0)
    position.build(0, EXCAVATOR, 4).build(0, EXCAVATOR, 6)
    s, rules = position.s, position.rules
    assert features.live_deposits(s, rules, 0) == 3
    assert features.producers(s, rules, 0) == 2  # no slot is in reach of tile 6


def test_the_leader_is_an_opponent():
    position = Position(3)
    s, rules = position.s, position.rules
    assert features.leader(s, rules) == 1
    s.active_event[0], s.event_owner[0] = 1, 2
    assert features.leader(s, rules) == 2
    s.alive[2] = 0
    assert features.leader(s, rules) == 1


def test_steps():
    position = Position().tile(18, -1, 1).tile(19, -2, 1)
    s = position.s
    assert [features.enemy_distance(s, 0, t) for t in range(6)] == [2, 0, 1, 1, 2, 3]
    assert features.enemy_distance(Position().tile(47, -1, 2).s, 0, 4) == features.FAR


def test_the_closing_rule():
    """A dome gives 0.75 points a cube, all but the barricade's 0.5 give 0.5 to 0.67."""
    position = Position(2, 1).tile(34, -1, 1).build(0, SILO, 4, 2).store(0, 2).tile(19, -2, 1)
    assert position.closing() == 1 + DOME
    position.s.supply[0, DOME] = 0
    assert position.closing() == 1 + BARRACKS
    position.s.supply[0, [BARRACKS, TOWER]] = 0
    assert position.closing() == 1 + EXCAVATOR  # as good as a silo, a barricade and intel
    position.s.supply[0] = 0
    assert position.closing() == 8
    position.s.event_n = 0
    assert position.closing() == 0  # it could still relocate


def test_of_equal_purchases_the_dearest():
    position = Position(2, 1, silo_cost=4, silo_vp=2, tower_vp=0, barracks_cost=6, dome_vp=1)
    position.tile(34, -1, 1).build(0, SILO, 4, 2).store(0, 2).tile(19, -2, 1)
    assert position.closing() == 1 + SILO
