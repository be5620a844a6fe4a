"""LO-1 components and terms: each test is titled by its clause."""

from __future__ import annotations

from collections import Counter

import pytest

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import DATA, Kind

from .positions import given, rules_of

STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]  # E NE NW W SW SE


def bits(number):
    return [t for t in range(48) if int(number) >> t & 1]


def test_LO_1_1_players_and_seats():
    """LO-1.1 two to four players; seat 0 takes the first turn."""
    assert game.seats == (2, 4)
    for seats in (2, 3, 4):
        position = given(seats=seats, rounds=0).then(seat=0, active=0, turn=1)
        for seat in range(1, seats):
            position.end_turn().then(active=seat, turn=seat + 1)
        position.end_turn().then(active=0, turn=seats + 1)


def test_LO_1_2_hexes():
    """LO-1.2 directions E, NE, NW, W, SW, SE; tiles that share an edge are adjacent, from both sides."""
    s = given("18@(0,-1)/0 + 19@(-1,0)/0 + 20@(-1,1)/0").s
    assert s.nb[2].tolist() == [3, 1, 4, 5, 6, 0]
    for d, other in enumerate(s.nb[2].tolist()):
        assert (s.q[other] - s.q[2], s.r[other] - s.r[2]) == STEPS[d]
        assert s.nb[other][(d + 3) % 6] == 2
    assert bits(s.near[2]) == [0, 1, 3, 4, 5, 6]


def test_LO_1_3_terrain_tiles():
    """LO-1.3 48 tiles of four kinds; locations on start and location tiles; the next board index."""
    rules = rules_of()[0]
    kinds = Counter(Kind(int(kind)).name for kind in rules.tile_kind)
    assert kinds == {"start": 4, "deposit": 10, "barren": 4, "location": 30}
    assert [int(rules.tile_slots[t]) for t in (18, 20, 34, 47)] == [0, 1, 2, 2]
    assert [int(rules.tile_defence[t]) for t in (18, 36, 45, 46)] == [0, 1, 2, 2]
    s = given("18@(-1,1)/0 + 14@(-2,1)/0 + 8@(-2,2)/0").s
    assert [int(t) for t in s.tile_id[:7]] == [0, 1, 4, 5, 18, 14, 8]
    assert bits(s.sites) == [4] and s.cubes[:7].tolist() == [0, 0, 3, 3, 0, 0, 4]
    position = given(draw=[18], phase="place").when("tile 0", "place_cell 9", "place_rot 0")
    position.then(n_tiles=5, tile={0: (0, 0, 1, 0), 4: (18, 0, -1, 0)})


@pytest.mark.parametrize("tile", range(48))
def test_LO_1_4_edges_of_a_rotated_tile(tile):
    """LO-1.4 in direction d a tile shows edges[(d - rho) mod 6]."""
    letters = DATA["tiles"]["list"][tile]["edges"]
    for rho in range(6):
        shown = int(rules_of()[0].tile_edges[tile, rho])
        for d in range(6):
            assert (shown >> d & 1) == (letters[(d - rho) % 6] == "P"), (rho, d)


def test_LO_1_4_direct_connection():
    """LO-1.4 adjacent tiles are directly connected over a passable edge."""
    s = given("18@(-1,1)/0 + 21@(-1,2)/2").s  # 5 touches 0 over a rough edge, 4 over a passable one
    assert bits(s.near[0]) == [2, 3, 4, 5] and bits(s.link[0]) == [2, 3, 4]
    assert bits(s.near[5]) == [0, 4] and bits(s.link[5]) == [4]


def test_LO_1_5_buildings():
    """LO-1.5 cost, defence, points; three tokens of each of six types; one building per location."""
    rules = rules_of()[0]
    assert rules.cost.tolist() == [4, 2, 2, 3, 3, 2]
    assert rules.defence.tolist() == [3, 1, 1, 2, 2, 4]
    assert rules.vp.tolist() == [3, 1, 1, 2, 2, 1]
    assert rules.tokens.tolist() == [3] * 6
    given().then(supply={0: [2, 3, 3, 3, 3, 3], 1: [2, 3, 3, 3, 3, 3]})
    taken = given("18@(-1,1)/0 + 19@(-2,1)/0", buildings={4: "0 tower"}, slots={0: 2}, phase="spend")
    taken.when("spend silo").then(building={4: "0 tower", 5: ""}, phase="target", legal=[5])


def test_LO_1_5_without_a_token():
    """LO-1.5 three tokens of a type and no more."""
    most = {"slots": {0: 2}, "phase": "spend"}
    assert 3 in given("18@(-1,1)/0", **most).legal()
    assert 3 not in given("18@(-1,1)/0", lost={0: {"silo": 3}}, **most).legal()


def test_LO_1_6_storage():
    """LO-1.6 dome and silo have two building slots, terrain slots come with the tile; a slot holds one."""
    assert rules_of()[0].storage.tolist() == [2, 0, 2, 0, 0, 0]
    stored = given("20@(-1,1)/0", buildings={4: "0 silo"}, phase="generate", options={"dome_output": 2})
    stored.when("generate 0").then(phase="store", legal=[6, 7, 12])  # W: both pools; the dome itself
    stored.when("store 7").then(slots={0: 0, 4: (0, 1)})
    stored.when("generate 0").then(legal=[6, 12]).when("store 6").then(slots={0: 0, 4: (1, 1)})
    full = given("20@(-1,1)/0", buildings={4: "0 silo"}, slots={0: 2, 4: (2, 0)}, phase="generate")
    full.when("generate 0").then(legal=[7])
    given("20@(-1,1)/0", buildings={4: "0 silo"}, slots={0: 2, 4: (2, 1)}, phase="generate").then(legal=[48])


@pytest.mark.parametrize("name", ["excavator", "barracks", "tower", "barricade"])
def test_LO_1_6_storage_by_option(name):
    """LO-1.6 by option every type stores."""
    full = {"tiles": "18@(-1,1)/0", "buildings": {4: f"0 {name}"}, "slots": {0: 2}, "phase": "generate"}
    given(**full).then(legal=[48])
    given(**full, options={f"{name}_storage": 1}).when("generate 0").then(phase="store", legal=[6])


def test_LO_1_7_resource_cubes():
    """LO-1.7 100 cubes; a short pile places what it has, and domes cannot generate."""
    given().then(pile=100 - 6)
    given(pile=0, phase="generate").then(legal=[48])
    given(pile=1, phase="generate").when("generate 0", "store 12").then(
        pile=0, slots={0: 1}, phase="generate"
    )
    given(pile=1, phase="generate", events={0: 0}).when("generate 0", "store 12").then(legal=[48])
    short = given(pile=2, draw=[8], phase="place").when("tile 0", "place_cell 0").skip()
    short.when("place_rot 0").then(tile={4: (8, 1, 1, 0)}, pile=0, deposits={4: 2})
    empty = given(pile=0, draw=[18], phase="place").when("tile 0", "place_cell 0", "place_rot 0")
    empty.then(pile=0)


def test_LO_1_8_figures():
    """LO-1.8 five figures, on the map or in supply, any number on a tile."""
    given().then(figures=[5, 5])
    all_there = given(
        "18@(-1,1)/0", buildings={4: "0 barracks"}, slots={0: 2}, troops={4: [5, 0]}, phase="spend"
    )
    all_there.then(figures=[0, 5])
    assert 7 not in all_there.legal()
    fifth = given("18@(-1,1)/0", buildings={4: "0 barracks"}, slots={0: 2}, troops={4: [4, 0]}, phase="spend")
    fifth.when("spend recruit", "target 4").then(troops={4: [5, 0]}, figures=[0, 5])
    given(options={"troop_limit": 2}).then(figures=[2, 2])


def test_LO_1_9_event_cards():
    """LO-1.9 32 events, 8 in each of four categories, each with an effect and 0 to 2 printed points."""
    rules = rules_of()[0]
    assert Counter(rules.event_category.tolist()) == {0: 8, 1: 8, 2: 8, 3: 8}
    assert rules.event_delta.any(axis=1).all()
    assert rules.event_points.tolist() == [
        0, 2, 0, 2, 1, 2, 1, 1, 0, 2, 0, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 0, 2, 0, 1, 1, 1,
    ]  # fmt: skip
    assert int(rules.event_points.sum()) == 33


@pytest.mark.parametrize(
    ("buildings", "troops", "controlled"),
    [
        ({}, [0, 0, 0], []),
        ({6: "0 tower"}, [0, 0, 0], [0]),
        ({}, [0, 1, 0], [1]),
        ({6: "0 tower"}, [0, 1, 1], [0, 1, 2]),
        ({6: "2 tower"}, [1, 0, 2], [0, 2]),
    ],
)
def test_LO_1_10_control(buildings, troops, controlled):
    """LO-1.10 a building and/or a troop; several players may control one tile."""
    position = given(
        "20@(2,0)/0", seats=3, buildings=buildings, troops={6: troops}, slots={6: (0, 1)}, seat=1
    )
    position.then(spendable=[int(seat in controlled) for seat in range(3)])


def test_LO_1_11_spendable_cubes():
    """LO-1.11 cubes in slots of tiles that one controls, never those on deposits."""
    own = given("20@(-1,1)/0", buildings={4: "0 silo"}, slots={0: 1, 1: 2, 4: (2, 1)}, phase="spend")
    own.then(spendable=[4, 2]).when("spend intel").then(phase="pay", legal=[0, 8, 9])
    given(troops={2: [1, 0]}, phase="spend").then(spendable=[0, 0])
    looting = given(slots={1: 2}, troops={1: [1, 0]}, phase="spend").then(spendable=[2, 2])
    looting.when("spend intel").then(slots={1: 0}, hand_n=[1, 0], spendable=[0, 0])
    left = given("20@(-1,1)/0", slots={4: (0, 1)}, troops={4: [1, 0]}, phase="spend").then(spendable=[1, 0])
    left.then(legal=[0])


def test_LO_1_11_siege_spend():
    """LO-1.11 by option nothing is spent beside another player's building, of either pool."""
    options = {"siege_spend": False}
    neighbour = {"buildings": {4: "1 silo"}, "slots": {4: (2, 1)}, "troops": {4: [1, 0]}}
    given("20@(-1,1)/0", **neighbour, phase="spend").then(spendable=[3, 3])
    given("20@(-1,1)/0", **neighbour, phase="spend", options=options).then(spendable=[0, 3], legal=[0])
    free = {"slots": {4: (0, 1)}, "troops": {4: [1, 0]}}
    given("20@(-1,1)/0", **free, phase="spend", options=options).then(spendable=[1, 0])


def test_LO_1_12_unoccupied_location():
    """LO-1.12 a location without a building, whatever troops stand there."""
    tiles = "18@(-1,1)/0 + 19@(-2,1)/0 + 8@(-2,2)/0 + 14@(-1,0)/0"
    s = given(tiles, buildings={4: "0 silo"}, troops={5: [0, 1]}, phase="spend").s
    assert bits(s.sites) == [5]
