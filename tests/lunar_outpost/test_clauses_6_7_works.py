"""LO-6 extracting and LO-7 generating: each test is titled by its clause."""

from __future__ import annotations

import pytest

from .positions import given

WEST = "18@(-1,1)/0"
TWO = "18@(-1,1)/0 + 20@(-1,0)/0"  # 4 and 5 touch each other and deposit 2; 5 has a terrain slot
MINES = {4: "0 excavator", 5: "0 excavator"}


def test_LO_6_1_each_excavator_from_each_deposit():
    """LO-6.1 a cube each per turn, in any order, and one may stop before."""
    position = given(TWO, buildings=MINES, phase="extract").then(legal=[25, 30, 288])
    position.when("extract 30").then(phase="store", legal=[13]).when("store 13")
    position.then(legal=[25, 288]).when("extract 25").then(legal=[0]).when("store 0")
    position.then(legal=[288], deposits={2: 1}, slots={0: 1, 5: (0, 1)}, log={"extracted": 2})
    stopped = given(TWO, buildings=MINES, phase="extract").when("extract done")
    stopped.then(phase="generate", deposits={2: 3}, log={"extracted": 0, "extraction_missed": 2})


@pytest.mark.parametrize(
    ("options", "events", "rate"),
    [
        ({}, {2: 0}, 2),
        ({}, {3: 1}, 0),
        ({}, {6: 1}, 0),
        ({}, {7: 1}, 2),
        ({"excavator_output": 2}, {}, 2),
        ({"excavator_output": 0}, {}, 0),
        ({"excavator_output": 0}, {2: 0}, 1),
        ({"excavator_output": 2}, {2: 0}, 2),
    ],
)
def test_LO_6_1_rate(options, events, rate):
    """LO-6.1 up to `excavator_rate` cubes of each pair of excavator and deposit."""
    position = given(WEST, buildings={4: "0 excavator"}, phase="extract", options=options, events=events)
    for _ in range(rate):
        position.then(legal=[25, 288]).when("extract 25", "store 0")
    position.then(legal=[288], deposits={2: 3 - rate}, log={"extracted": rate})


def test_LO_6_1_again_in_the_next_turn():
    """LO-6.1 per turn: nothing is used up."""
    position = given(WEST, buildings={4: "0 excavator"}, phase="extract").when("extract 25", "store 0")
    position.to("extract", 1).to("extract", 0).then(legal=[25, 288])


def test_LO_6_2_reach():
    """LO-6.2 a passable edge, by option or event any; deposits belong to nobody."""
    rough = {"tiles": "8@(-2,2)/2 + 21@(-1,1)/5", "buildings": {5: "0 excavator"}, "phase": "extract"}
    given(**rough).then(legal=[31, 288])
    given(**rough, options={"extract_needs_passable": False}).then(legal=[31, 34, 288])
    given(**rough, events={4: 1}).then(legal=[31, 34, 288])
    both = given(TWO, buildings={4: "0 excavator", 5: "1 excavator"}, phase="extract").when(
        "extract 25", "store 0"
    )
    both.to("extract", 1).then(legal=[30, 288]).when("extract 30", "store 13").then(
        deposits={2: 1}, slots={5: (0, 1)}, seat_log={0: {"extracted": 1}, 1: {"extracted": 1}}
    )


def test_LO_6_2_the_second_leg_needs_a_passable_edge():
    """LO-6.2, LO-6.3 the option is about deposits only, cable cars help with both."""
    far = {"tiles": "8@(-1,1)/4 + 21@(-1,2)/2", "buildings": {5: "0 excavator"}, "phase": "extract"}
    given(**far, options={"extract_needs_passable": False}).then(legal=[288])
    given(**far, events={4: 0}).then(legal=[32, 288]).when("extract 32").then(legal=[2])


@pytest.mark.parametrize(
    ("tiles", "buildings", "options", "stores"),
    [
        ("18@(-1,1)/0", {4: "0 excavator"}, {}, [0]),  # the dome to the E
        ("20@(-1,1)/0", {4: "0 excavator"}, {}, [0, 13]),  # and the terrain slot of its own tile
        ("18@(-1,1)/0", {4: "0 excavator"}, {"excavator_storage": 2}, [0, 12]),  # its own slots
        ("18@(-1,1)/0 + 24@(-2,1)/0", {4: "0 excavator", 5: "0 tower"}, {}, [0, 7]),  # under a tower
        ("18@(-1,1)/0 + 24@(-2,1)/0", {4: "0 excavator", 5: "0 silo"}, {}, [0, 6, 7]),
        ("18@(-1,1)/0 + 24@(-2,1)/0", {4: "0 excavator", 5: "1 silo"}, {}, [0]),  # another player's
        ("18@(-1,1)/0 + 24@(-2,1)/0", {4: "0 excavator"}, {}, [0]),  # a tile without a building
        (
            "18@(-1,1)/0 + 19@(-2,1)/0 + 24@(-3,1)/0",
            {4: "0 excavator", 5: "0 tower", 6: "0 silo"},
            {},
            [0],
        ),  # one hop only
    ],
)
def test_LO_6_3_destinations(tiles, buildings, options, stores):
    """LO-6.3 the own tile, and directly connected tiles with another own building; either pool."""
    position = given(tiles, buildings=buildings, options=options, phase="extract").when("extract 25")
    position.then(phase="store", legal=stores)


def test_LO_6_3_troops_open_no_destination():
    """LO-6.3 control by troops is not enough: a building is needed."""
    position = given(
        "18@(-1,1)/0 + 24@(-2,1)/0", buildings={4: "0 excavator"}, troops={5: [1, 0]}, phase="extract"
    )
    position.when("extract 25").then(legal=[0])


def test_LO_6_3_only_the_own_tile():
    """LO-6.3, event 5: nothing but the producer's own tile."""
    grounded = {"events": {5: 1}, "phase": "extract"}
    given("18@(-1,1)/0", buildings={4: "0 excavator"}, **grounded).then(legal=[288])
    own = given("20@(-1,1)/0", buildings={4: "0 excavator"}, **grounded).when("extract 25")
    own.then(legal=[13]).when("store 13").then(log={"stored_terrain": 1, "transported": 0})


def test_LO_6_4_no_room_or_no_cube():
    """LO-6.4 without a free slot nothing is extracted; an empty deposit yields nothing."""
    mine = {"tiles": WEST, "buildings": {4: "0 excavator"}, "phase": "extract"}
    given(**mine, slots={0: 2}).then(legal=[288])
    given(**mine, deposits={2: 0}).then(legal=[288])
    last = (
        given(**mine, deposits={2: 1})
        .when("extract 25", "store 0")
        .then(deposits={2: 0}, legal=[288], log={"deposits_depleted": 1})
    )
    last.when("extract done").then(log={"extraction_missed": 0})
    alone = given("19@(2,0)/0", buildings={4: "0 excavator"}, phase="extract")  # no own building near
    alone.then(legal=[288])


def test_LO_7_1_generating():
    """LO-7.1 each dome a cube a turn from the pile, stored as by an excavator; optional, in any order."""
    domes = {"tiles": "18@(-1,1)/0 + 20@(-2,1)/0", "buildings": {4: "0 dome", 5: "0 silo"}}
    position = given(**domes, phase="generate").then(legal=[0, 4, 48])
    pile = int(position.s.pile)
    position.when("generate 4").then(phase="store", legal=[0, 6, 7, 12], pile=pile).when("store 7")
    position.then(phase="generate", legal=[0, 48], slots={5: (0, 1)}, pile=pile - 1)
    position.when("generate 0").then(legal=[6, 12]).when("store 6").then(
        slots={0: 0, 4: 1}, legal=[48], pile=pile - 2, log={"generated": 2, "transported": 2}
    )
    none = given(**domes, phase="generate").when("generate done")
    none.then(log={"generated": 0, "generation_missed": 2}, phase="tile")


@pytest.mark.parametrize(
    ("options", "events", "rate"),
    [
        ({}, {}, 1),
        ({}, {0: 1}, 2),
        ({}, {1: 1}, 0),
        ({}, {6: 0}, 2),
        ({}, {7: 0}, 0),
        ({"dome_output": 2}, {}, 2),
        ({"dome_output": 0}, {}, 0),
        ({"dome_output": 2}, {0: 0}, 2),
        ({"dome_output": 0}, {0: 0}, 1),
    ],
)
def test_LO_7_1_rate(options, events, rate):
    """LO-7.1 up to `dome_rate` cubes, in each turn anew."""
    position = given(phase="generate", options=options, events=events)
    for _ in range(rate):
        position.then(legal=[0, 48]).when("generate 0", "store 12")
    position.then(legal=[48], slots={0: rate})


def test_LO_7_1_no_room():
    """LO-7.1 a full dome generates for a silo or not at all; not over a rough edge."""
    given(slots={0: 2}, phase="generate").then(legal=[48])
    rough = {"tiles": "21@(-1,2)/2", "buildings": {4: "0 silo"}, "slots": {0: 2}, "phase": "generate"}
    given(**rough).then(legal=[48])
    given(**rough, events={4: 0}).when("generate 0").then(legal=[8]).when("store 8").then(slots={4: 1})
