"""What lies around an empty cell is found by a walk around it; here it is looked up by places."""

from types import SimpleNamespace

from simkit.games.lunar_outpost.hexes import around

from .walk import STEPS, Map, Walk


def by_places(now: SimpleNamespace, cell: int) -> tuple[int, int]:
    """LO-1.2, LO-1.4: the connected tiles, and all, as sets."""
    ground, joined, neighbour = Map(now), 0, 0
    for d, (dq, dr) in enumerate(STEPS):
        t = ground.at.get((now.cell_q[cell] + dq, now.cell_r[cell] + dr), -1)
        if t >= 0:
            neighbour |= 1 << t
            joined |= ground.passable(t, (d + 3) % 6) << t
    return joined, neighbour


def test_what_lies_around_a_cell():
    gaps = rings = 0
    for seats in (2, 3, 4):
        walk = Walk({"tiles_trim": 2 * seats - 4}, seats, seats)
        for _ in walk.steps():
            if walk.decided == "place_cell":
                for cell in range(walk.now.n_cells):
                    there, passes = walk.now.cell_there[cell], walk.now.cell_pass[cell]
                    result = around(walk.s, cell, passes), around(walk.s, cell, there)
                    assert result == by_places(walk.now, cell)
                    starts = [there >> d & 1 and not there >> (d + 5) % 6 & 1 for d in range(6)]
                    gaps += sum(starts) > 1
                    rings += there == 63
    assert gaps > 0 and rings > 0
