"""LO-8 placing a tile: each test is titled by its clause."""

from __future__ import annotations

import pytest

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import DATA

from .positions import Walk, copied, given

STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]  # E NE NW W SW SE
FULL = "21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0"  # every cell touches a passable edge


def shown(tile, rho):
    """The letters of a tile by direction (LO-1.4)."""
    letters = DATA["tiles"]["list"][tile]["edges"]
    return "".join(letters[(d - rho) % 6] for d in range(6))


def cells_of(s):
    """Empty cells next to the map by name (LO-8.7)."""
    at = {(int(s.q[t]), int(s.r[t])): t for t in range(s.n_tiles)}
    names = {}
    for t in range(s.n_tiles):
        for d, (dq, dr) in enumerate(STEPS):
            names.setdefault((int(s.q[t]) + dq, int(s.r[t]) + dr), 6 * t + d)
    return {name: place for place, name in names.items() if place not in at}


def placements(s, tile):
    """Cells in which a tile fits, with the smallest rotation of each look (LO-8.2, LO-8.3, LO-8.6)."""
    at = {(int(s.q[t]), int(s.r[t])): shown(int(s.tile_id[t]), int(s.rot[t])) for t in range(s.n_tiles)}
    results = {}
    for name, (q, r) in cells_of(s).items():
        analyses = {}
        for rho in range(6):
            look = shown(tile, rho)
            near = [
                (look[d], at.get((q + dq, r + dr), "")[(d + 3) % 6 :][:1]) for d, (dq, dr) in enumerate(STEPS)
            ]
            if all(theirs in ("", mine) for mine, theirs in near):
                analyses.setdefault(look, rho)
        if analyses:
            results[name] = sorted(analyses.values())
    return results


def compare_placements(seats, deal):
    """A random game in which every list of cells and rotations is compared; how often."""
    walk, seen, chosen = Walk({"starting_resources": 2}, seats, deal), 0, -1
    for phase, _, ids, action in walk.steps():
        s = walk.s
        if phase == "place_cell":
            assert len(cells_of(s)) == int(s.n_cells) <= 2 * int(s.n_tiles) + 4
            fitting = placements(s, int(s.drawn))
            assert ids == sorted(fitting)
            chosen, seen = action, seen + 1
        elif phase == "place_rot":
            assert ids == fitting[chosen]
    return seen


def test_LO_8_1_the_top_tile_is_drawn_openly():
    """LO-8.1 everybody sees it; it must be placed; an empty stack gives none."""
    position = given(draw=[25], phase="place").then(drawn=-1, phase="tile").when("tile 0")
    position.then(drawn=25, phase="place_cell")
    view = copied(position.states)
    game.observe(position.s, position.rules, 1, view[0])
    assert int(view[0].drawn) == 25 and 288 not in position.legal()
    none = given(stack=0, rounds=22, seat=1, phase="generate", options={"equal_turns": True})
    none.when("generate done").then(phase="spend", n_tiles=4, drawn=-1)


@pytest.mark.parametrize(("seats", "deal"), [(3, 1), (4, 2)])
def test_LO_8_2_LO_8_3_cells_and_edges_of_random_games(seats, deal):
    """LO-8.2, LO-8.3, LO-8.6, LO-8.7 against a second look at the whole map."""
    assert compare_placements(seats, deal) > 35


def test_LO_8_2_next_to_the_map():
    """LO-8.2 a tile of passable edges fits at the passable edges of the map."""
    given(draw=[18], phase="place").when("tile 0").then(legal=[0, 3, 6, 9, 15, 18])


@pytest.mark.parametrize(
    ("tile", "cell", "rotations"),
    [(21, 0, None), (46, 18, [3]), (47, 4, [0]), (41, 18, [1]), (32, 18, [0, 2])],
)
def test_LO_8_3_equal_letters(tile, cell, rotations):
    """LO-8.3 P to P and R to R, with every neighbour."""
    position = given(draw=[tile], phase="place").when("tile 0", f"place_cell {cell}")
    position.then(legal=rotations or placements(given().s, tile)[cell])


def test_LO_8_4_a_tile_that_fits_nowhere():
    """LO-8.4 discarded face up, and no other is drawn; by option others are, until the stack is empty."""
    once = given(FULL, draw=[47, 18], phase="generate", stack=9).when("generate done")
    once.then(phase="spend", out={47: 1, 18: 0}, stack_n=8, drawn=-1, log={"tiles_discarded": 1})
    redraw = {"unplaceable": "redraw"}
    repeated = given(FULL, draw=[47, 18], phase="generate", stack=9, options=redraw).when("generate done")
    repeated.when("tile 0").then(drawn=18, out={47: 1}, stack_n=7, log={"tiles_discarded": 1})
    last = given(FULL, draw=[47], phase="generate", stack=1, options=redraw).when("generate done")
    last.then(phase="spend", out={47: 1}, stack_n=0, drawn=-1)


@pytest.mark.parametrize(
    ("tile", "options", "events", "cubes"),
    [
        (8, {}, {}, 4),
        (6, {}, {}, 3),
        (8, {"deposit_delta": 3}, {}, 7),
        (8, {"deposit_delta": -2}, {}, 2),
        (6, {"deposit_delta": -2}, {}, 1),
        (8, {}, {24: 1}, 5),
        (8, {}, {25: 1}, 3),
        (8, {"deposit_delta": 3}, {24: 0}, 8),
        (6, {"deposit_delta": -2}, {25: 0}, 1),
        (18, {"deposit_delta": 3}, {24: 0}, 0),
    ],
)
def test_LO_8_5_cubes_of_a_deposit(tile, options, events, cubes):
    """LO-8.5 when it is placed, from the pile, with option and event; at least 1."""
    position = given(draw=[tile], options=options, events=events, phase="place")
    pile = int(position.s.pile)
    position.when("tile 0", "place_cell 0").skip()
    if position.phase == "place_rot":
        position.when("place_rot 0")
    position.then(deposits={4: cubes}, pile=pile - cubes, log={"deposits_placed": int(cubes > 0)})


@pytest.mark.parametrize("pile", [0, 1, 3])
def test_LO_8_5_a_short_pile(pile):
    """LO-8.5 as many as the pile has."""
    position = given(draw=[8], pile=pile, phase="place").when("tile 0", "place_cell 0", "place_rot 0")
    position.then(deposits={4: pile}, pile=0)


@pytest.mark.parametrize(
    ("tile", "rotations"),
    [
        (18, [0]),
        (47, [0]),
        (41, [0, 1]),
        (42, [0, 1]),
        (32, [0, 1, 2]),
        (45, [0, 1, 2]),
        (26, list(range(6))),
    ],
)
def test_LO_8_6_equivalent_rotations(tile, rotations):
    """LO-8.6 named by the smallest; those that fit somewhere are among them."""
    analyses = [shown(tile, rho) for rho in range(6)]
    assert sorted({analyses.index(look) for look in analyses}) == rotations
    position = given(draw=[tile], phase="place").when("tile 0")
    for cell in position.legal():
        first = given(draw=[tile], phase="place").when("tile 0", f"place_cell {cell}")
        assert set(first.legal()) <= set(rotations)


def test_LO_8_7_names_of_cells():
    """LO-8.7 the smallest 6t + d; a new tile uses up a cell and makes at most three."""
    position = given().then(frontier=[0, 3, 4, 5, 6, 7, 8, 9, 15, 18])
    assert cells_of(position.s)[6] == (2, -1)
    wider = given("18@(-1,1)/0").then(frontier=[0, 4, 5, 6, 7, 8, 9, 15, 18, 27, 28])
    assert cells_of(wider.s)[4] == (-1, 2)  # also the neighbour of the new tile to the SE: 4 is smaller
    for tiles in ("", "18@(-1,1)/0", FULL):
        s = given(tiles).s
        assert sorted(cells_of(s)) == s.cells[: s.n_cells].tolist()
        assert int(s.n_cells) <= 2 * int(s.n_tiles) + 4


def test_LO_8_8_one_of_several_tiles():
    """LO-8.8 drawn openly, one is placed, the others go back into the stack before that."""
    position = given(options={"tile_choice": 2}, draw=[46, 8], phase="place").then(legal=[0, 1])
    n = int(position.s.stack_n)
    assert position.s.offer.tolist() == [46, 8, -1]
    view = copied(position.states)
    game.observe(position.s, position.rules, 1, view[0])
    assert view[0].offer.tolist() == [46, 8, -1]
    position.when("tile 1").then(phase="place_cell", drawn=8, stack_n=n + 1, out={46: 0})
    assert 46 in position.s.stack[: n + 1].tolist() and position.s.offer.tolist() == [-1, -1, -1]
    count = given(options={"tile_choice": 3}, stack=2, draw=[46, 8], phase="place").then(
        legal=[0, 1], stack_n=0
    )
    count.when("tile 0").then(stack_n=1, drawn=46)


def test_LO_8_8_the_whole_stack_is_shuffled():
    """LO-8.8 the order of the stack is random again, not only the place of the tile that returns."""
    orders = set()
    for deal in range(6):
        position = given(options={"tile_choice": 2}, draw=[46, 8, 18, 19, 20], phase="place", deal=deal)
        before = position.s.stack[: position.s.stack_n].tolist()
        position.when("tile 1")
        after = position.s.stack[: position.s.stack_n].tolist()
        assert sorted(after) == sorted([*before, 46])
        assert [tile for tile in after if tile != 46] != before
        orders.add(tuple(after[-3:]))
    assert len(orders) > 3


def test_LO_8_8_tiles_that_fit_nowhere():
    """LO-8.8 only tiles that fit are offered; if none does, slot 0 is discarded."""
    position = given(FULL, options={"tile_choice": 3}, draw=[18, 47, 19], phase="place").then(legal=[0, 2])
    position.when("tile 2").then(drawn=19, out={47: 0})
    last = given(FULL, options={"tile_choice": 3}, draw=[47], stack=1, phase="place")
    last.then(phase="spend", out={47: 1}, stack_n=0)


@pytest.mark.parametrize(
    ("unplaceable", "left", "discarded"), [("discard", 2, [47]), ("redraw", 0, [45, 46, 47])]
)
def test_LO_8_8_none_of_several_tiles_fits(unplaceable, left, discarded):
    """LO-8.8 slot 0 goes out, the others back; with `redraw` again and again until the stack is empty.

    Two tiles more are made as rough as tile 47, so that none of the three fits.
    """
    options = {"tile_choice": 2, "unplaceable": unplaceable}
    position = given(FULL, options=options, draw=[47, 46, 45], stack=3, phase="generate")
    position.rules_array = position.rules_array.copy()
    position.rules = position.rules_array[0]
    for tile in (45, 46):
        for table in ("tile_edges", "tile_turns", "tile_fits"):
            position.rules[table][tile] = position.rules[table][47]
    position.when("generate done").then(
        phase="spend", stack_n=left, n_tiles=8, drawn=-1, log={"tiles_discarded": len(discarded)},
        out={tile: int(tile in discarded) for tile in (45, 46, 47)},
    )  # fmt: skip
    assert sorted(position.s.stack[:left].tolist()) == [45, 46][:left] and (position.s.offer == -1).all()
