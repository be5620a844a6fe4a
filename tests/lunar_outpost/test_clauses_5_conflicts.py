"""LO-5 conflicts: each test is titled by its clause."""

from __future__ import annotations

import pytest

from simkit.games.lunar_outpost import game

from .positions import copied, given

WEST = "18@(-1,1)/0"
NEIGHBOUR = "18@(2,0)/0"  # with three seats: tile 6, next to deposit 4 and to no dome of seat 0
EAST = "18@(2,-1)/0"  # with three seats: tile 6, directly connected to the dome of seat 0 and to deposit 4


@pytest.mark.parametrize(
    ("building", "troops", "conflict"),
    [
        ("", [1, 1, 0], True),
        ("", [2, 1, 3], True),
        ("", [1, 0, 0], False),
        ("", [0, 1, 1], False),
        ("0 silo", [0, 1, 0], True),
        ("0 silo", [0, 1, 1], False),
        ("0 silo", [1, 1, 1], True),
        ("0 silo", [1, 0, 0], False),
        ("1 silo", [1, 0, 0], False),
        ("1 silo", [1, 1, 0], True),
        ("1 silo", [0, 1, 0], False),
        ("1 silo", [0, 0, 1], False),
        ("1 silo", [1, 0, 1], True),
    ],
)
def test_LO_5_1_conflict_tiles(building, troops, conflict):
    """LO-5.1 own troops beside others, or an own building under exactly one other player's troops."""
    position = given(NEIGHBOUR, seats=3, buildings={6: building} if building else {}, troops={6: troops})
    position.then(phase="conflict" if conflict else "extract")
    if conflict:
        position.then(legal=[6])


def test_LO_5_2_order():
    """LO-5.2 the active player chooses, or the lowest board index; a resolved tile is done with."""
    there = {"tiles": "18@(-1,1)/0 + 19@(-2,1)/0", "troops": {0: [0, 1], 4: [1, 2], 5: [2, 2]}}
    position = given(**there).then(legal=[0, 4, 5]).when("conflict 4", "remove 1").then(legal=[0, 5])
    position.when("conflict 5", "remove 1").then(seat=1, phase="remove")
    position.when("remove 0").then(legal=[0], troops={5: [0, 0]}).when("conflict 0").then(phase="extract")
    given(**there, options={"conflict_order": "index"}).then(legal=[0]).when("conflict 0").then(legal=[4])


def test_LO_5_3_round_of_removals():
    """LO-5.3 clockwise from the active player; a free choice of the victim; who is gone is skipped."""
    position = given("18@(2,0)/0", seats=4, troops={8: [3, 1, 1, 1]})
    position.when("conflict 8").then(seat=0, phase="remove", legal=[1, 2, 3]).when("remove 1")
    position.then(seat=2, legal=[0, 3], troops={8: [2, 0, 1, 1]}).when("remove 3")
    position.then(seat=0, phase="extract", troops={8: [2, 0, 0, 0]}, figures=[3, 5, 5, 5])


def test_LO_5_3_begins_with_the_active_player():
    """LO-5.3 the same fight in the turn of seat 2 goes on with seats 3 and 0."""
    position = given("18@(2,0)/0", seats=4, troops={8: [2, 2, 2, 2]}, seat=2).when("conflict 8", "remove 0")
    position.then(seat=3, legal=[0, 1, 2], troops={8: [1, 2, 1, 2]}).when("remove 1")
    position.then(seat=0, legal=[1, 2, 3], troops={8: [1, 1, 1, 1]}).when("remove 1")
    position.then(seat=2, legal=[3], troops={8: [0, 0, 1, 1]}).when("remove 3")
    position.then(seat=2, active=2, phase="extract", troops={8: [0, 0, 0, 0]}, log={"troops_lost_step1": 8})


def test_LO_5_3_stops_with_one_player():
    """LO-5.3 whoever has troops left when the others have none keeps them."""
    position = given(WEST, troops={4: [4, 2]}).when("conflict 4", "remove 1")
    position.then(seat=1, legal=[0], troops={4: [3, 1]}).when("remove 0").then(
        troops={4: [2, 0]}, figures=[3, 5], phase="extract", seat=0
    )


@pytest.mark.parametrize(
    ("building", "troops", "after", "stands"),
    [
        ("0 silo", [2, 1, 0], [1, 0, 0], True),  # own troops are left
        ("0 silo", [1, 1, 0], [0, 0, 0], True),  # nobody is left
        ("0 silo", [1, 3, 0], [0, 1, 0], False),  # after step one 2 against D = 1
        ("0 silo", [0, 1, 0], [0, 0, 0], False),  # at once
        ("0 silo", [1, 2, 2], [0, 0, 0], False),  # seat 2 is left with 1 against D = 1
        ("1 silo", [2, 1, 0], [1, 0, 0], True),  # the building is not the active player's
    ],
)
def test_LO_5_4_step_two(building, troops, after, stands):
    """LO-5.4 troops of exactly one other player meet the active player's building, directly after step one."""
    position = given(NEIGHBOUR, seats=3, buildings={6: building}, troops={6: troops}).when("conflict 6")
    while position.phase == "remove":
        position.apply(position.legal()[0])
    position.then(building={6: building if stands else ""}, troops={6: after}, phase="extract")


def test_LO_5_4_attackers_wait_for_the_owner():
    """LO-5.4 in the turn of the attacker nothing happens to the building."""
    position = given(WEST, buildings={4: "1 silo"}, troops={4: [3, 0]}).then(phase="extract")
    position.to("conflict", 1).then(legal=[4]).when("conflict 4").then(building={4: ""}, troops={4: [2, 0]})


TOWERS = "18@(-1,1)/0 + 21@(-1,2)/2"  # 4 and 5 adjacent to 0 and to each other; 0 to 5 is rough


@pytest.mark.parametrize(
    ("buildings", "events", "options", "defence"),
    [
        ({}, {}, {}, {0: 3}),
        ({}, {16: 0}, {}, {0: 4}),
        ({}, {17: 0}, {}, {0: 2}),
        ({}, {}, {"dome_defence": 0}, {0: 0}),
        ({}, {17: 1}, {"dome_defence": 0}, {0: 0}),  # at least 0
        ({5: "0 tower"}, {}, {}, {0: 4, 5: 2}),  # over a rough edge
        ({5: "1 tower"}, {}, {}, {0: 3}),  # of the same owner only
        ({4: "0 tower", 5: "0 tower"}, {}, {}, {0: 5, 4: 3, 5: 3}),  # they add up, and support each other
        ({4: "0 tower", 5: "0 tower"}, {}, {"tower_stack": False}, {0: 4, 4: 3, 5: 3}),
        ({4: "0 tower", 5: "0 tower"}, {}, {"tower_bonus": 2}, {0: 7, 4: 4}),
        ({4: "0 tower", 5: "0 tower"}, {}, {"tower_bonus": 2, "tower_stack": False}, {0: 5}),
        ({4: "0 tower", 5: "0 tower"}, {18: 0}, {}, {0: 7, 4: 4}),
        ({4: "0 tower", 5: "0 tower"}, {19: 0}, {}, {0: 3, 4: 2}),
        ({4: "0 tower", 5: "0 barricade"}, {}, {}, {0: 4, 4: 2, 5: 5}),
        ({4: "0 excavator", 5: "0 barracks"}, {}, {}, {0: 3, 4: 1, 5: 2}),
    ],
)
def test_LO_5_5_total_defence(buildings, events, options, defence):
    """LO-5.5 own defence, towers of the owner over any edge, events; at least 0."""
    given(TOWERS, buildings=buildings, events=events, options=options).then(defence=defence)


def test_LO_5_5_terrain_bonus():
    """LO-5.5 the bonus of the tile counts."""
    given("46@(-1,2)/0", buildings={4: "0 barricade"}).then(defence={4: 6})
    given("46@(-1,2)/0", buildings={4: "0 tower"}, events={17: 0}).then(defence={0: 3, 4: 3})


def test_LO_5_5_when_the_tile_is_resolved():
    """LO-5.5 a tower that has fallen supports nothing; without defence a troop razes without loss."""
    siege = {"tiles": TOWERS, "buildings": {4: "0 tower", 5: "0 silo"}, "troops": {4: [0, 2], 5: [0, 2]}}
    first = given(**siege).then(defence={4: 2, 5: 2}).when("conflict 5")
    first.then(building={5: ""}, troops={5: [0, 0]})
    other = given(**siege).when("conflict 4").then(building={4: ""}, defence={5: 1}).when("conflict 5")
    other.then(building={5: ""}, troops={4: [0, 0], 5: [0, 1]})
    zero = given(WEST, buildings={4: "0 silo"}, troops={4: [0, 2]}, options={"silo_defence": 0})
    zero.when("conflict 4").then(building={4: ""}, troops={4: [0, 2]}, log={"troops_lost_step2": 0})


@pytest.mark.parametrize(
    ("name", "defence"), [("excavator", 1), ("barracks", 2), ("tower", 2), ("barricade", 4)]
)
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_LO_5_6_outcome(name, defence, n):
    """LO-5.6 fewer troops than defence: all fall; equal: both fall; more: the rest stays."""
    position = given(WEST, buildings={4: f"0 {name}"}, troops={4: [0, n]}).when("conflict 4")
    left = max(n - defence, 0)
    position.then(
        building={4: f"0 {name}" if n < defence else ""}, troops={4: [0, left]}, figures=[5, 5 - left],
        log={"razed": int(n >= defence), "siege_repelled": int(n < defence), "siege_equal": int(n == defence),
             "siege_won": int(n > defence), "troops_lost_step2": n - left},
    )  # fmt: skip


def test_LO_5_7_razing():
    """LO-5.7 the token leaves the game, cubes in building slots go to the pile, others stay."""
    silo = {
        "tiles": "20@(-1,1)/0", "buildings": {4: "0 silo"}, "slots": {4: (2, 1)}, "troops": {4: [0, 2]},
    }  # fmt: skip
    position = given(**silo)
    pile = int(position.s.pile)
    position.when("conflict 4").then(
        building={4: ""}, supply={0: [2, 3, 2, 3, 3, 3]}, removed={0: [0, 0, 1, 0, 0, 0]}, pile=pile + 2,
        slots={4: (0, 1)}, spendable=[0, 1], log={"razed": 1, "razed_silo": 1, "razed_vp": 1, "razed_cubes": 2},
        seat_log={0: {"buildings_lost": 1}, 1: {"buildings_razed": 1}},
    )  # fmt: skip
    given(**silo, options={"razed_tokens": "returned"}).when("conflict 4").then(
        building={4: ""}, supply={0: [2, 3, 3, 3, 3, 3]}, removed={0: [0] * 6}, slots={4: (0, 1)}
    )


def test_LO_5_7_cubes_keep_their_terrain_slots():
    """LO-5.7 a slot that is taken stays taken, whoever builds there."""
    position = given("20@(-1,1)/0", buildings={4: "0 excavator"}, slots={0: 2, 4: (0, 1)}, phase="extract")
    position.then(legal=[288], spendable=[3, 0])


def test_LO_5_8_defeated_troops_return():
    """LO-5.8 to the supply; they can be recruited again in the same turn."""
    position = given(
        WEST, buildings={4: "0 barracks"}, slots={0: 2}, troops={0: [4, 4], 4: [1, 0]}, deck_n=0
    )  # fmt: skip
    position.then(figures=[0, 1]).when("conflict 0", "remove 1", "remove 0", "remove 1", "remove 0")
    position.then(figures=[4, 5], troops={0: [0, 0]}).to("spend").when("spend recruit", "target 4")
    position.then(troops={4: [2, 0]}, figures=[3, 5])


def test_LO_5_9_stand_off():
    """LO-5.9 two others on the building: nothing in the owner's turn, they fight in theirs."""
    position = given(EAST, seats=3, buildings={6: "0 excavator"}, troops={6: [0, 1, 2]}, slots={0: 1})
    position.then(phase="extract", legal=[40, 288])  # the siege does not block production
    position.when("extract done", "generate done").to("conflict", 1)
    position.then(legal=[6], building={6: "0 excavator"}).when("conflict 6", "remove 2")
    position.then(troops={6: [0, 0, 1]}, building={6: "0 excavator"}, phase="extract")
    position.to("conflict", 0).when("conflict 6").then(building={6: ""}, troops={6: [0, 0, 0]})


@pytest.mark.parametrize("blocks", [False, True])
def test_LO_5_9_siege_blocks(blocks):
    """LO-5.9 by option a besieged excavator does not extract, a dome not generate, barracks not recruit."""
    options = {"siege_blocks": blocks}
    both = {"seats": 3, "options": options, "deck_n": 0}
    dug = given(EAST, buildings={6: "0 excavator"}, troops={6: [0, 1, 1]}, phase="extract", **both)
    dug.then(legal=[288] if blocks else [40, 288])
    assert dug.when("extract done").logged()["extraction_missed"] == (0 if blocks else 1)
    position = given(troops={0: [0, 1, 1]}, phase="generate", **both)
    position.then(legal=[48] if blocks else [0, 48])
    assert position.when("generate done").logged()["generation_missed"] == (0 if blocks else 1)
    hired = given(
        EAST, buildings={6: "0 barracks"}, slots={0: 2}, troops={6: [0, 1, 1]}, phase="spend", **both
    )
    assert (7 in hired.legal()) != blocks


def test_LO_5_9_what_a_blocked_building_still_does():
    """LO-5.9 it stores, is spent from, is relocated, connects and defends."""
    options = {"siege_blocks": True}
    besieged = {
        "tiles": f"{EAST} + 19@(3,-1)/0", "seats": 3, "buildings": {6: "0 silo"}, "troops": {6: [0, 1, 1]},
        "options": options,
    }  # fmt: skip
    given(**besieged, phase="generate").when("generate 0").then(legal=[0, 12]).when("store 0").then(
        slots={6: 1}, spendable=[1, 1, 1]
    )
    spending = given(**besieged, slots={6: 2, 0: 1}, phase="spend")
    spending.when("spend excavator").then(legal=[7])
    besieged["tiles"] = f"{EAST} + 19@(0,-1)/0"
    moving = given(**besieged, slots={6: 2}, phase="spend").when("spend relocate", "reloc_src 6", "target 7")
    moving.then(building={6: "", 7: "0 silo"}, slots={7: 0}, troops={6: [0, 1, 1], 7: [0, 0, 0]})
    position = given(EAST, seats=3, buildings={6: "0 barricade"}, troops={6: [0, 2, 0]}, options=options)
    position.when("conflict 6").then(building={6: "0 barricade"}, troops={6: [0, 0, 0]})


def test_LO_5_10_eliminated_hand_events_and_turn():
    """LO-5.10 the hand is discarded unseen, disclosed events stay active, the turn ends without a tile."""
    position = given(seats=3, troops={0: [0, 3, 0]}, hands={0: [4, 9]}, events={21: 0}, rounds=2)
    n = int(position.s.stack_n)
    position.when("intel done", "conflict 0").then(
        alive=[0, 1, 1], fallen_in=[7, 0, 0], hand_n=[0, 0, 0], where={4: 7, 9: 7, 21: 5}, events={21: 0},
        troop_price=3, stack_n=n, turn=8, active=1, over=False, log={"eliminated": 1},
        seat_log={0: {"eliminated": 1}},
    )  # fmt: skip
    view = copied(position.states)
    game.observe(position.s, position.rules, 1, view[0])
    assert view[0].event_where[[4, 9]].tolist() == [-1, -1]


def test_LO_5_10_also_another_player():
    """LO-5.10 who loses the last troop in another's turn is eliminated; that turn goes on."""
    position = given(NEIGHBOUR, seats=3, domeless=[1], troops={6: [2, 1, 0]}, hands={1: [4]}).when(
        "conflict 6", "remove 1"
    )
    position.then(alive=[1, 0, 1], where={4: 8}, phase="extract", seat=0, fallen_in=[0, 4, 0])
    position.end_turn().then(active=2)


def test_LO_5_10_a_troop_is_enough():
    """LO-5.10 a player with a troop anywhere, or a building, stays."""
    given(seats=3, domeless=[1], troops={3: [0, 1, 0]}).then(phase="extract", alive=[1, 1, 1])
    given(troops={0: [0, 3], 3: [1, 0]}).when("conflict 0").then(alive=[1, 1], over=False)
    two = given(WEST, buildings={4: "0 silo"}, troops={0: [0, 3]}).when("conflict 0")
    two.then(alive=[1, 1], over=False, building={0: "", 4: "0 silo"})


def test_LO_5_10_after_all_conflicts():
    """LO-5.10 the check comes when the last conflict of the turn is over."""
    position = given(WEST, seats=2, buildings={4: "0 silo"}, troops={0: [0, 3], 4: [0, 1]})
    position.when("conflict 0").then(alive=[1, 1], phase="conflict", legal=[4])
    position.when("conflict 4").then(over=True, end="elimination", alive=[0, 1], rank=[2, 1])


@pytest.mark.parametrize(
    ("options", "more", "end"),
    [
        ({}, {}, ""),
        ({"vp_end": 3}, {}, "points"),
        ({"equal_turns": True}, {"stack": 0}, "last_tile"),
        ({"equal_turns": True, "vp_end": 3}, {}, "points"),
    ],
)
def test_LO_5_10_a_turn_cut_short_has_its_end(options, more, end):
    """LO-5.10 step 8 follows: the game may end there."""
    position = given(seats=3, troops={2: [0, 3, 0]}, seat=2, options=options, **more).when("conflict 2")
    position.then(over=bool(end), end=end, alive=[1, 1, 0], log={"turns": 1})


def test_LO_5_10_the_last_seat_of_the_round_falls():
    """LO-5.10, LO-11.1 with equal turns: the seat that would have been left to move is eliminated."""
    equal = {"equal_turns": True}
    position = given(
        NEIGHBOUR, seats=3, domeless=[2], troops={6: [0, 2, 1]}, seat=1, stack=1, options=equal
    )  # fmt: skip
    position.when("conflict 6", "remove 2").then(alive=[1, 1, 0], over=False, phase="extract")
    position.end_turn().then(over=True, end="last_tile", turns=[2, 2, 1])
