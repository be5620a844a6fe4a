"""The worked examples of LO-18, with the numbers given there; each test is titled by its id.

W1 to W9 follow the captions of the rulebook's pictures, E1 to E17 are edge cases, E18 to E23 options.
"""

from __future__ import annotations

import pytest

from .positions import Position, given, rules_of

WEST = "18@(-1,1)/0"
NEIGHBOUR = "18@(2,0)/0"  # with three seats: tile 6, next to no starting tile of seat 0


@pytest.mark.parametrize(
    ("troops", "dome", "left", "pile"),
    [(2, "0 dome", 0, 0), (3, "", 0, 2), (4, "", 1, 2)],
    ids=["W1_building_stronger", "W2_equal", "W3_troops_stronger"],
)
def test_W1_W2_W3_troops_against_a_dome(troops, dome, left, pile):
    """W1, W2, W3: 2, 3 and 4 troops against D = 3."""
    position = given(WEST, buildings={4: "0 barricade"}, slots={0: 2}, troops={0: [0, troops]})
    before = int(position.s.pile)
    position.then(defence={0: 3}, legal=[0]).when("conflict 0")
    position.then(
        building={0: dome, 4: "0 barricade"},
        slots={0: 0 if pile else 2},
        troops={0: [0, left]},
        figures=[5, 5 - left],
        pile=before + pile,
        removed={0: [int(not dome), 0, 0, 0, 0, 0]},
        supply={0: [2, 3, 3, 3, 3, 2]},
        log={
            "siege_repelled": int(troops == 2),
            "siege_equal": int(troops == 3),
            "siege_won": int(troops == 4),
            "razed_cubes": pile,
            "troops_lost_step2": troops - left,
        },
    )


def test_W4a_an_excavator_without_a_deposit():
    """W4a: EXTRACT offers only done, forced."""
    position = given("18@(-1,1)/0 + 19@(-2,1)/0", buildings={5: "0 excavator"}, phase="extract")
    position.then(legal=[288]).when("generate 0").then(forced=[(0, "extract", 288)])


def test_W4b_W5_one_cube_from_a_deposit_over_the_excavator_to_the_dome():
    """W4b, W5: at most one cube; deposit 2, excavator on 4, dome on 0, two passable edges."""
    position = given(WEST, buildings={4: "0 excavator"}, phase="extract").then(legal=[25, 288])
    position.when("extract 25").then(phase="store", legal=[0], deposits={2: 3}, slots={0: 0})
    position.when("store 0").then(
        phase="extract", legal=[288], deposits={2: 2}, slots={0: 1}, log={"extracted": 1, "transported": 1}
    )


def test_W4c_two_deposits_two_cubes():
    """W4c: at most two."""
    position = given(f"{WEST} + 8@(-2,2)/0", buildings={4: "0 excavator"}, phase="extract")
    position.then(legal=[25, 28, 288]).when("extract 28", "store 0", "extract 25", "store 0")
    position.then(legal=[288], slots={0: 2}, deposits={2: 2, 5: 3}, log={"extracted": 2})


def test_W6_rough_terrain_stops_it():
    """W6: a rough edge to the deposit, a rough edge to the dome."""
    tiles = "8@(-2,2)/2 + 21@(-1,1)/5"
    given(tiles, buildings={5: "0 excavator"}, phase="extract").then(legal=[31, 288])
    adjacent = {"extract_needs_passable": False}
    given(tiles, buildings={5: "0 excavator"}, phase="extract", options=adjacent).then(legal=[31, 34, 288])
    far = given("8@(-1,1)/4 + 21@(-1,2)/2", buildings={5: "0 excavator"}, phase="extract").then(legal=[288])
    assert int(far.s.link[5]) >> 4 & 1, "the deposit is directly connected"
    assert not int(far.s.link[5]) >> 0 & 1, "the dome is not"


@pytest.mark.parametrize(
    ("tile", "cells", "turns"),
    [
        (18, [0, 3, 6, 9, 15, 18], {0: [0]}),
        (47, [4, 5, 7, 8], {4: [0]}),
        (43, [0, 3, 4, 5, 6, 7, 8, 9, 15, 18], {0: [2], 4: [2, 3, 4, 5]}),
    ],
)
def test_W7_passable_to_passable_rough_to_rough(tile, cells, turns):
    """W7: cells and rotations of the tiles PPPPPP, RRRRRR and PPRRRR."""
    for cell, rotations in turns.items():
        position = given(draw=[tile], phase="place").when("tile 0")
        position.then(drawn=tile, phase="place_cell", legal=cells)
        position.when(f"place_cell {cell}").then(phase="place_rot", legal=rotations)


def test_W8_a_second_dome_at_the_far_tile():
    """W8: an excavator on 4 only, a dome on 4 or 5."""
    for kind, targets in {"excavator": [4], "dome": [4, 5]}.items():
        position = given("18@(1,1)/0 + 19@(2,1)/0", slots={0: 2}, phase="spend", options={"dome_cost": 2})
        position.when(f"spend {kind}").then(phase="target", legal=targets)


def test_W9_three_options_for_intel():
    """W9: disclose, prevent, postpone; points of the card in hand, on the table and replaced."""
    position = given(hands={0: [1, 9], 1: [3]})
    position.then(phase="intel", legal=[0, 1, 5, 6, 10], score=[7, 5], mod={"dome_rate": 1})
    position.when("intel 0").then(
        events={1: 0}, mod={"dome_rate": 0}, score=[7, 5], hands={0: [9]}, legal=[0, 5, 10]
    )
    position.to("intel", 1).when("intel 0").then(
        events={3: 1}, mod={"dome_rate": 1, "excavator_rate": 0}, where={1: 6, 3: 5}, score=[5, 5],
        log={"disclosed": 2, "events_replaced": 1},
    )  # fmt: skip


def test_E1_three_way_fight():
    """E1: the third seat is out before its turn in the fight, the second keeps a troop."""
    position = given(NEIGHBOUR, seats=3, troops={6: [2, 2, 1]}).when("conflict 6")
    position.then(phase="remove", seat=0, legal=[1, 2]).when("remove 2")
    position.then(phase="remove", seat=1, legal=[0], troops={6: [1, 2, 0]}).when("remove 0")
    position.then(
        phase="extract", seat=0, troops={6: [0, 1, 0]}, figures=[5, 4, 5],
        log={"conflict_tiles": 1, "conflict_step1": 1, "conflict_3way": 1, "troops_lost_step1": 4},
    )  # fmt: skip
    assert (0, "remove") in position.decided and (1, "remove", 0) in position.forced


def test_E2_the_fight_goes_on_without_the_active_seat():
    """E2: all troops fall, the last ones by forced decisions of the others."""
    position = given(NEIGHBOUR, seats=3, troops={6: [1, 3, 2]}).when("conflict 6", "remove 1")
    position.then(seat=1, legal=[2], troops={6: [0, 2, 2]}).when("remove 2")
    position.then(seat=2, legal=[1], troops={6: [0, 1, 1]}).when("remove 1")
    position.then(phase="extract", seat=0, troops={6: [0, 0, 0]}, figures=[5, 5, 5], decided=[(0, "remove")])


def test_E3_stand_off_and_looting():
    """E3: nobody fights in the owner's turn, the besiegers may loot, later the survivor meets the silo."""
    silo = {"tiles": NEIGHBOUR, "seats": 3, "buildings": {6: "0 silo"}, "slots": {6: 2}}
    besieged = given(**silo, troops={6: [0, 2, 1]})
    besieged.then(phase="extract", spendable=[2, 2, 2], troops={6: [0, 2, 1]}, building={6: "0 silo"})
    given(**silo, troops={6: [0, 2, 1]}, options={"siege_spend": False}).then(spendable=[2, 0, 0])
    besieged.to("conflict", 1).then(legal=[6]).when("conflict 6", "remove 2")
    besieged.then(troops={6: [0, 1, 0]}, building={6: "0 silo"}, spendable=[2, 2, 0], phase="extract")
    pile = int(besieged.s.pile)
    besieged.to("conflict", 0).then(legal=[6], slots={6: 2}).when("conflict 6").then(
        building={6: ""}, troops={6: [0, 0, 0]}, figures=[5, 5, 5], pile=pile + 2
    )


def test_E3_the_same_in_the_turn_of_a_besieger():
    """E3: step one in the turn of seat 1."""
    position = given(NEIGHBOUR, seats=3, buildings={6: "0 silo"}, slots={6: 2}, troops={6: [0, 2, 1]}, seat=1)
    position.when("conflict 6", "remove 2")
    position.then(troops={6: [0, 1, 0]}, spendable=[2, 2, 0], building={6: "0 silo"})


def test_E4_both_steps_in_one_turn():
    """E4: one troop of each falls, then the other one and the silo."""
    position = given(WEST, buildings={4: "0 silo"}, slots={4: 1}, troops={4: [1, 2]})
    pile = int(position.s.pile)
    position.when("conflict 4", "remove 1").then(
        building={4: ""}, troops={4: [0, 0]}, figures=[5, 5], pile=pile + 1, phase="extract",
        removed={0: [0, 0, 1, 0, 0, 0]},
        log={"troops_lost_step1": 2, "troops_lost_step2": 1, "siege_equal": 1, "conflict_tiles": 1},
    )  # fmt: skip


def test_E5_a_tower_over_a_rough_edge_and_the_order():
    """E5: D = 4 and 2; the dome holds or falls with the order."""
    siege = {"tiles": "21@(-1,2)/2", "buildings": {4: "0 tower"}, "troops": {0: [0, 3], 4: [0, 2]}}
    first = given(**siege).then(phase="conflict", legal=[0, 4], defence={0: 4, 4: 2})
    assert not int(first.s.link[0]) >> 4 & 1, "the edge between 0 and 4 is rough"
    first.when("conflict 0").then(building={0: "0 dome", 4: "0 tower"}, troops={0: [0, 0]}, legal=[4])
    first.when("conflict 4").then(
        building={0: "0 dome", 4: ""}, troops={4: [0, 0]}, alive=[1, 1], phase="extract",
        log={"siege_repelled": 1, "siege_equal": 1, "siege_with_tower": 1},
    )  # fmt: skip
    given(**siege).when("conflict 4", "conflict 0").then(
        building={0: "", 4: ""}, over=True, end="elimination", alive=[0, 1], rank=[2, 1],
        log={"siege_equal": 2, "siege_with_tower": 0},
    )  # fmt: skip


def test_E6_razing_with_terrain_slots():
    """E6: the cube in the terrain slot stays and belongs to the troops; who may build there."""
    position = given(
        "20@(-1,1)/0", buildings={4: "0 silo"}, slots={0: 2, 1: 2, 4: (2, 1)}, troops={4: [0, 3]},
        events={10: 0}, draw=[14, 15],
    )  # fmt: skip
    pile = int(position.s.pile)
    position.when("conflict 4").then(
        building={4: ""}, slots={4: (0, 1)}, pile=pile + 2, troops={4: [0, 2]}, figures=[5, 3],
        spendable=[2, 3],
    )  # fmt: skip
    position.to("spend", 0).then(legal=[0, 8])  # nothing can be built: the site is controlled by another
    position.to("spend", 1).then(spendable=[2, 3], legal=[0, 1, 8, 9])  # a dome, built or relocated
    position.when("spend dome", "target 4").then(building={4: "1 dome"}, slots={4: 0, 1: 0}, spendable=[2, 0])


def test_E7_relocation():
    """E7: the silo goes to 6 by way of the excavator, the excavator itself nowhere."""
    tiles = "18@(-1,1)/0 + 19@(-2,1)/0 + 22@(-3,1)/0"
    position = given(
        tiles, buildings={4: "0 silo", 5: "0 excavator"}, slots={0: 2, 4: 2}, phase="spend"
    ).when("spend relocate")
    position.then(phase="reloc_src", legal=[0, 4])  # the dome may go anywhere, the excavator nowhere
    pile = int(position.s.pile)
    position.when("reloc_src 4").then(phase="target", legal=[6]).when("target 6")
    position.then(phase="pay", legal=[0, 8], buy_left=2, building={4: "0 silo", 6: ""})
    position.when("pay 0", "pay 8").then(
        building={4: "", 6: "0 silo"}, slots={0: 1, 4: 0, 6: 1}, pile=pile + 2, phase="spend",
        log={"relocations": 1, "spent_relocation": 2, "spent": 2},
    )  # fmt: skip
    alone = given(tiles, buildings={4: "0 silo"}, slots={0: 2, 4: 2}, phase="spend").when("spend relocate")
    alone.then(phase="reloc_src", legal=[0])


def test_E8_automatic_payment():
    """E8: all cubes together are the price: no PAY decision."""
    position = given(WEST, buildings={4: "0 silo"}, slots={0: 1, 4: 1}, phase="spend", deck=[7])
    position.when("spend intel")
    position.then(
        phase="spend", slots={0: 0, 4: 0}, hands={0: [7]}, decided=[(0, "spend")], log={"spent_intel": 2}
    )


def test_E9_an_unplaceable_tile():
    """E9: 16 cells, each beside a passable edge; tile 47 is discarded, none is drawn for it."""
    position = given("21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0", draw=[47, 18], phase="generate")
    n, cells = int(position.s.stack_n), int(position.s.n_cells)
    assert cells == 16 and all(int(x) for x in position.s.cell_pass[:16])
    position.when("generate done").then(
        phase="spend", out={47: 1}, drawn=-1, stack_n=n - 1, n_tiles=8,
        log={"tiles_discarded": 1, "tiles_placed": 0},
    )  # fmt: skip
    repeated = given(
        "21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0", draw=[47, 18], phase="generate",
        options={"unplaceable": "redraw"},
    )  # fmt: skip
    repeated.when("generate done", "tile 0").then(phase="place_cell", drawn=18, out={47: 1}, stack_n=n - 2)


@pytest.mark.parametrize(
    ("tile", "rotations"), [(18, [0]), (41, [0, 1]), (32, [0, 1, 2]), (26, [0, 1, 2, 3, 4, 5])]
)
def test_E10_rotations(tile, rotations):
    """E10: rotations that look different, of PPPPPP, PRPRPR, PPRPPR and PPPPRR."""
    assert [rho for rho in range(6) if int(rules_of()[0].tile_turns[tile]) >> rho & 1] == rotations


def test_E11_canonical_cells():
    """E11: the 10 cells next to the layout of two seats."""
    s = given().then(frontier=[0, 3, 4, 5, 6, 7, 8, 9, 15, 18]).s
    results = {int(s.cells[i]): (int(s.cell_q[i]), int(s.cell_r[i])) for i in range(10)}
    assert results == {
        0: (1, 1), 3: (-1, 1), 4: (-1, 2), 5: (0, 2), 6: (2, -1), 7: (2, -2), 8: (1, -2), 9: (0, -1),
        15: (-1, 0), 18: (2, 0),
    }  # fmt: skip


def test_E12_zero_defence():
    """E12: D = 0, a troop razes without loss."""
    position = given(WEST, buildings={4: "0 excavator"}, troops={4: [0, 1]}, events={17: 1})
    position.then(defence={4: 0}).when("conflict 4")
    position.then(building={4: ""}, troops={4: [0, 1]}, figures=[5, 4], log={"siege_won": 1})


def test_E13_elimination():
    """E13: the game is over with two seats; a troop elsewhere saves; with three seats the game goes on."""
    given(troops={0: [0, 3]}).when("conflict 0").then(
        over=True, end="elimination", rank=[2, 1], final=[0, 3], alive=[0, 1], building={0: ""}
    )
    saved = given(troops={0: [0, 3], 2: [1, 0]}).when("conflict 0")
    saved.then(over=False, alive=[1, 1], phase="extract", building={0: ""})
    three = given(seats=3, troops={0: [0, 3, 0]}, hands={0: [4, 9]}).when("intel done", "conflict 0")
    three.then(
        over=False, alive=[0, 1, 1], hand_n=[0, 0, 0], where={4: 7, 9: 7}, seat=1, active=1, turn=5,
        n_tiles=6, stack_n=42, drawn=-1,
    )  # fmt: skip


def test_E14_full_storage():
    """E14: a full dome does not generate without a silo to the W."""
    full = given(slots={0: 2}, phase="generate").then(legal=[48])
    full.when("tile 0").then(forced=[(0, "generate", 48), (0, "tile", 0)])
    silo = given(WEST, buildings={4: "0 silo"}, slots={0: 2}, phase="generate").then(legal=[0, 48])
    silo.when("generate 0").then(phase="store", legal=[6]).when("store 6").then(slots={0: 2, 4: 1})


def test_E15_no_intel_in_the_first_turn():
    """E15: starting hands, and no INTEL decision in the first turn of each seat."""
    position = given(options={"starting_intel": 2}, rounds=0).then(hand_n=[2, 2], phase="extract", turn=1)
    position.end_turn().then(seat=1, phase="extract", turn=2, hand_n=[2, 2])
    position.end_turn().then(seat=0, phase="intel", turn=3, legal=[0, 1, 5, 6, 10])


def test_E16_movement():
    """E16: steps to dome 0 and deposit 2; who has moved stays; a curfew forbids all."""
    position = given(WEST, troops={4: [2, 0]}, phase="move").then(legal=[24, 25, 288])
    position.when("move 24").then(
        unmoved={0: 0, 4: 1}, troops={0: [1, 0], 4: [1, 0]}, legal=[24, 25, 288], log={"moves": 1}
    )
    given(WEST, troops={4: [2, 0]}, events={23: 0}, phase="move").then(legal=[288])


@pytest.mark.parametrize(
    ("event", "building", "relocating"),
    [
        (9, [5, 3, 3, 4, 4, 3], [5, 3, 3, 4, 4, 3]),
        (10, [3, 1, 1, 2, 2, 1], [3, 1, 1, 2, 2, 1]),
        (8, [3, 2, 2, 3, 3, 2], [3, 2, 2, 3, 3, 2]),
        (14, [4, 1, 1, 3, 3, 2], [4, 1, 1, 3, 3, 2]),
        (13, [4, 2, 2, 3, 3, 2], [3, 1, 1, 2, 2, 1]),
    ],
)
def test_E17_prices(event, building, relocating):
    """E17: prices under the events of construction; troop and intel stay 2."""
    given(events={event: 0}).then(
        building_prices=building, relocation_prices=relocating, troop_price=2, intel_price=2
    )


def test_E18_starting_position():
    """E18: full domes, two troops on each."""
    options = {"starting_resources": 4, "seat_bonus_1": 1, "starting_troops": 2}
    given(options=options, rounds=0).then(
        slots={0: 2, 1: 2}, troops={0: [2, 0], 1: [0, 2]}, figures=[3, 3], pile=90
    )


def test_E19_sieges_block():
    """E19: two stand-offs stop generating and recruiting."""

    def besieged(**more):
        both = {0: [0, 1, 1], 6: [0, 1, 1]}
        return given(NEIGHBOUR, seats=3, buildings={6: "0 barracks"}, troops=both, **more)

    blocks = {"siege_blocks": True, "dome_storage": 3}
    stopped = besieged(options=blocks, slots={0: 2}).then(phase="extract", spendable=[2, 2, 2])
    stopped.to("generate").then(legal=[48]).to("spend")
    assert 7 not in stopped.legal() and 8 in stopped.legal()
    assert (0, "generate", 48) in stopped.forced
    free = besieged(options={"dome_storage": 3}, slots={0: 2}).to("generate").then(legal=[0, 48]).to("spend")
    assert 7 in free.legal()


def test_E20_choice_of_the_starting_hand():
    """E20: three cards each, one of them discarded face down."""
    position = Position({"starting_intel": 2, "starting_intel_extra": 1})
    position.then(phase="discard_intel", seat=0, legal=[0, 1, 2], hand_n=[3, 3], event_n=26)
    thrown = int(position.s.hand[0, 1])
    position.when("discard_intel 1").then(
        phase="discard_intel", seat=1, legal=[0, 1, 2], hand_n=[2, 3], where={thrown: 7}
    )
    other = int(position.s.hand[1, 0])
    position.when("discard_intel 0").then(phase="setup_dome", seat=0, hand_n=[2, 2], where={other: 8})
    position.when("setup_dome 0", "setup_dome 1").then(phase="extract", event_n=26, turn=1)


def test_E21_tile_choice():
    """E21: one of three tiles is placed, two are shuffled back."""
    position = given(options={"tile_choice": 3}, draw=[46, 47, 18], phase="generate")
    n = int(position.s.stack_n)
    position.when("generate done").then(phase="tile", legal=[0, 1, 2])
    position.when("tile 1").then(phase="place_cell", drawn=47, legal=[4, 5, 7, 8], stack_n=n - 1)
    assert {18, 46} <= set(position.s.stack[: n - 1].tolist())


def test_E22_points_limit():
    """E22: five points from buildings end the game, with equal turns after the turn of seat 1."""
    end = {"tiles": WEST, "buildings": {4: "0 barracks"}, "phase": "move"}
    given(**end, options={"vp_end": 5}).when("move done").then(
        over=True, end="points", final=[5, 3], rank=[1, 2]
    )
    equal = given(**end, options={"vp_end": 5, "equal_turns": True}).when("move done")
    equal.then(over=False, seat=1).end_turn().then(over=True, end="points", final=[5, 3], rank=[1, 2])


def test_E23_ranks():
    """E23: the living by points and cubes, the eliminated by the turn."""
    position = given(seats=4, fallen={1: 9, 2: 12}, slots={3: 1}, stack=0, rounds=9, seat=3, phase="move")
    position.when("move done").then(over=True, end="last_tile", rank=[2, 4, 3, 1], final=[3, 0, 0, 3])
