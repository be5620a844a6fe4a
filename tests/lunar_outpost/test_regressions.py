"""Faults that were found in the rules of Lunar Outpost, and shortcuts that must say what they replace."""

import numpy as np

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import (
    BUILDINGS,
    DIRECTIONS,
    EVERY_EDGE,
    HERE,
    NOBODY,
    STEP_Q,
    STEP_R,
    TILES,
    Building,
)
from simkit.games.lunar_outpost.hexes import direction, fits_cell, turns_that_fit
from simkit.games.lunar_outpost.scoring import building_points, note_turn
from simkit.games.lunar_outpost.works import put_building


def test_uncompiled_points_and_slots_of_many_buildings():
    """LO-12.1, LO-21: more than 127 of them, the most that a small integer of NumPy holds."""
    high = {f"{building}_vp": 6 for building in BUILDINGS} | {
        f"{building}_storage": 4 for building in BUILDINGS
    }
    rules, s, row = game.rules(high)[0], np.zeros(1, game.state_dtype)[0], np.zeros(1, game.turn_dtype)[0]
    s.btype[:] = s.bowner[:] = NOBODY
    for t in range(40):
        s.tile_id[t] = t
        put_building(s, 0, Building.silo.value, t)
    with np.errstate(all="raise"):
        assert building_points(s, rules, 0) == 40 * 6
        note_turn(s, rules, 0, row)
    assert row.free_slots == 40 * 4 + sum(int(rules.tile_slots[t]) for t in range(40))


def test_the_table_of_fits_says_what_the_rotations_say():
    """LO-8.3, LO-8.4, for all that a cell can face."""
    rules = game.rules()[0]
    for tile in {tuple(rules.tile_edges[tile]): tile for tile in range(TILES)}.values():
        for there in range(EVERY_EDGE + 1):
            for passes in range(EVERY_EDGE + 1):
                if passes & ~there == 0:
                    turns = turns_that_fit(rules, tile, there, passes)
                    assert fits_cell(rules, tile, there, passes) == (turns != 0)


def test_directions_of_steps():
    """LO-1.2."""
    expected = {(q, r): d for d, (q, r) in enumerate(zip(STEP_Q, STEP_R, strict=True))} | {(0, 0): HERE}
    assert len(expected) == DIRECTIONS + 1
    for q in range(-3, 4):
        for r in range(-3, 4):
            assert direction(q, r) == expected.get((q, r), NOBODY)
