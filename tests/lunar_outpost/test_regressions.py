"""Faults that were found in the rules of Lunar Outpost."""

import numpy as np

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import BUILDINGS, NOBODY, Building
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
