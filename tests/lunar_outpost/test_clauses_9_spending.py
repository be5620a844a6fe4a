"""LO-9 spending: each test is titled by its clause."""

from __future__ import annotations

import pytest

from .positions import given

WEST = "18@(-1,1)/0"
ROW = "18@(-1,1)/0 + 19@(-2,1)/0"  # two locations in a row to the W of the dome of seat 0


def test_LO_9_1_any_number_in_any_order():
    """LO-9.1 as long as there are cubes."""
    position = given(ROW, buildings={4: "0 silo"}, slots={0: 2, 4: 2}, phase="spend", deck=[7, 8])
    position.then(legal=[0, 1, 2, 3, 4, 5, 6, 8, 9]).when("spend intel", "pay 0", "pay 8")
    position.then(phase="spend", hands={0: [7]}, legal=[0, 2, 3, 6, 8]).when("spend barricade", "target 5")
    position.then(building={5: "0 barricade"}, spendable=[0, 0], legal=[0])
    position.then(log={"spent": 4, "spent_intel": 2, "spent_building": 2, "build_barricade": 1})
    rich = {"buildings": {4: "0 silo"}, "slots": {0: 2, 4: 2}, "troops": {0: [1, 0]}}
    done = given(ROW, **rich, phase="spend").when("spend done")
    done.then(phase="move", spendable=[4, 0], log={"spent": 0})


@pytest.mark.parametrize(
    ("options", "events", "building", "relocating", "troop", "intel"),
    [
        ({}, {}, [4, 2, 2, 3, 3, 2], [4, 2, 2, 3, 3, 2], 2, 2),
        ({"dome_cost": 1, "tower_cost": 8}, {}, [1, 2, 2, 3, 8, 2], [1, 2, 2, 3, 8, 2], 2, 2),
        ({"silo_cost": 1}, {10: 0}, [3, 1, 1, 2, 2, 1], [3, 1, 1, 2, 2, 1], 2, 2),
        ({"dome_cost": 1}, {8: 0}, [1, 2, 2, 3, 3, 2], [1, 2, 2, 3, 3, 2], 2, 2),
        ({}, {15: 0}, [4, 2, 2, 3, 2, 1], [4, 2, 2, 3, 2, 1], 2, 2),
        ({"silo_cost": 1}, {13: 0}, [4, 2, 1, 3, 3, 2], [3, 1, 1, 2, 2, 1], 2, 2),
        ({}, {20: 0}, [4, 2, 2, 3, 3, 2], [4, 2, 2, 3, 3, 2], 1, 2),
        ({}, {21: 0}, [4, 2, 2, 3, 3, 2], [4, 2, 2, 3, 3, 2], 3, 2),
        ({"troop_cost": 1}, {20: 0}, [4, 2, 2, 3, 3, 2], [4, 2, 2, 3, 3, 2], 1, 2),
        ({}, {26: 0}, [4, 2, 2, 3, 3, 2], [4, 2, 2, 3, 3, 2], 2, 1),
        ({}, {27: 0}, [4, 2, 2, 3, 3, 2], [4, 2, 2, 3, 3, 2], 2, 3),
        ({"intel_cost": 1, "troop_cost": 8}, {26: 1}, [4, 2, 2, 3, 3, 2], [4, 2, 2, 3, 3, 2], 8, 1),
    ],
)
def test_LO_9_2_prices(options, events, building, relocating, troop, intel):
    """LO-9.2 with options and events, never below 1."""
    given(options=options, events=events).then(
        building_prices=building, relocation_prices=relocating, troop_price=troop, intel_price=intel
    )


def test_LO_9_2_what_is_paid():
    """LO-9.2 the price under the event is what leaves the slots."""
    dear = given(ROW, slots={0: 2}, events={9: 0}, phase="spend").then(legal=[0, 8])
    dear.then(building_prices=[5, 3, 3, 4, 4, 3])
    cheap = given(ROW, slots={0: 2}, events={10: 0}, phase="spend").when("spend silo", "target 4")
    cheap.paid().then(slots={0: 1}, building={4: "0 silo"}, log={"spent_building": 1})


@pytest.mark.parametrize(
    ("cubes", "word", "question"),
    [
        ([2, 0], "intel", [[]]),  # one source
        ([1, 1], "intel", [[]]),  # all cubes together
        ([2, 1], "barracks", [[]]),
        ([2, 1], "intel", [[0, 8], []]),  # after 8 only one source is left
        ([2, 2], "intel", [[0, 8], [0, 8], []]),
        ([2, 2], "barracks", [[0, 8], [0, 8], []]),  # after 8 and 8 only one source is left
        ([1, 2], "barricade", [[0, 8], [0, 8], []]),
    ],
)
def test_LO_9_3_paying(cubes, word, question):
    """LO-9.3 cube by cube; not asked when one source is left or all cubes are needed."""
    slots = dict(zip((0, 4), cubes, strict=True))
    position = given(ROW, buildings={4: "0 silo"}, slots=slots, phase="spend")
    pile, total = int(position.s.pile), sum(cubes)
    position.when(f"spend {word}")
    price = {"intel": 2, "barracks": 3, "barricade": 2}[word]
    if word != "intel":
        position.when("target 5")
    for ids in question:
        position.paid()
        assert (position.legal() if position.phase == "pay" else []) == ids
        if ids:
            position.when(f"pay {ids[-1]}")
    position.then(pile=pile + price, spendable=[total - price, 0], log={"spent": price}, phase="spend")


def test_LO_9_3_both_pools():
    """LO-9.3 a tile's building slots and its terrain slots are two sources."""
    position = given("20@(-1,1)/0", buildings={4: "0 silo"}, slots={4: (2, 1)}, phase="spend")
    position.when("spend intel").then(phase="pay", legal=[8, 9], buy_left=2)
    position.when("pay 9").paid().then(
        phase="spend", slots={4: (1, 0)}
    )  # one source left: paid without asking
    other = given("20@(-1,1)/0", buildings={4: "0 silo"}, slots={4: (2, 1)}, phase="spend")
    other.when("spend intel", "pay 8").then(phase="pay", legal=[8, 9], slots={4: (1, 1)}, buy_left=1)


def test_LO_9_3_paid_before_it_takes_effect():
    """LO-9.3 the target is chosen, paid, and then built."""
    position = given(ROW, buildings={4: "0 silo"}, slots={0: 2, 4: 2}, phase="spend")
    position.when("spend tower").then(phase="target", legal=[5]).when("target 5")
    position.then(phase="pay", building={5: ""}, buy_left=3, supply={0: [2, 3, 2, 3, 3, 3]})
    position.when("pay 0", "pay 0").paid().then(building={5: "0 tower"}, slots={0: 0, 4: 1})


@pytest.mark.parametrize(
    ("change", "targets"),
    [
        ({}, [4]),
        ({"buildings": {4: "0 tower"}}, [5]),  # connected to any own building
        ({"buildings": {4: "1 tower"}}, []),  # occupied, and not the own one
        ({"troops": {4: [2, 0]}}, [4]),  # own troops are fine
        ({"troops": {4: [0, 1]}}, []),  # others' are not
        ({"troops": {5: [1, 0]}}, [4]),  # troops connect nothing
        ({"lost": {0: {"silo": 3}}}, []),  # no token
        ({"slots": {0: 1}}, []),  # the price
    ],
)
def test_LO_9_4_constructing(change, targets):
    """LO-9.4 token, price, and an unoccupied location directly connected to an own building."""
    position = given(ROW, **({"slots": {0: 2}, "phase": "spend"} | change))
    assert (3 in position.legal()) == bool(targets)
    if targets:
        position.when("spend silo").then(phase="target", legal=targets)


def test_LO_9_4_rough_edges():
    """LO-9.4 not over a rough edge, but with the event; a deposit or barren tile has no location."""
    rough = {"tiles": "21@(-1,2)/2", "slots": {0: 2}, "phase": "spend"}
    given(**rough).then(legal=[0, 8])
    given(**rough, events={11: 1}).when("spend excavator").then(legal=[4])
    given("14@(-1,1)/0 + 8@(1,1)/0", slots={0: 2}, phase="spend").then(legal=[0, 8])


def test_LO_9_4_on_a_site_with_cubes():
    """LO-9.4 cubes in terrain slots come with it; the tile may be old or new; silos stand anywhere."""
    position = given(
        "18@(-1,1)/0 + 20@(-2,1)/0", buildings={4: "0 tower"}, slots={0: 2, 5: (0, 1)}, phase="spend"
    )
    position.then(spendable=[2, 0]).when("spend silo", "target 5").then(
        building={5: "0 silo"}, slots={0: 0, 5: (0, 1)}, spendable=[1, 0], seat_log={0: {"built_silo": 1}}
    )
    new = given(slots={0: 2}, draw=[19], phase="place").when("tile 0", "place_cell 3", "spend silo")
    new.then(legal=[4])


@pytest.mark.parametrize(
    ("options", "events", "targets"),
    [
        ({}, {}, [4, 5, 6]),
        ({"domes_anywhere": False}, {}, [4]),
        ({}, {12: 1}, [4]),
        ({}, {11: 1}, [4, 5, 6]),
        ({"domes_anywhere": False}, {11: 1}, [4]),  # tunnels are not for domes
    ],
)
def test_LO_9_5_domes(options, events, targets):
    """LO-9.5 any location without others' troops; by option or event as any other building."""
    tiles = "18@(-1,1)/0 + 19@(2,-1)/0 + 21@(0,2)/3"  # 5 beside the dome of seat 1; 6 rough to 0
    position = given(tiles, slots={0: 2}, options=options | {"dome_cost": 2}, events=events, phase="spend")
    position.when("spend dome").then(phase="target", legal=targets)


def test_LO_9_5_not_under_troops_of_others():
    """LO-9.5 the location must be one of LO-9.4."""
    position = given(ROW, slots={0: 2}, options={"dome_cost": 2}, troops={5: [1, 1]}, seat=0)
    position.to("spend").then(troops={5: [0, 0]})
    other = given(ROW, slots={0: 2}, options={"dome_cost": 2}, troops={5: [0, 1]}, phase="spend")
    other.when("spend dome").then(legal=[4])


def test_LO_9_6_relocating():
    """LO-9.6 cubes in building slots travel, others and troops stay; paid with cubes of the building."""
    position = given(
        "20@(-1,1)/0 + 19@(1,1)/0", buildings={4: "0 silo"}, slots={4: (2, 1), 0: 2}, troops={4: [1, 0]},
        phase="spend",
    )  # fmt: skip
    position.when("spend relocate").then(phase="reloc_src", legal=[0, 4]).when("reloc_src 4")
    position.then(phase="target", legal=[5]).when("target 5", "pay 8", "pay 0")
    position.then(
        building={4: "", 5: "0 silo"}, slots={4: (0, 1), 5: 1, 0: 1}, troops={4: [1, 0], 5: [0, 0]},
        supply={0: [2, 3, 2, 3, 3, 3]}, log={"relocations": 1, "spent_relocation": 2, "build_silo": 0},
        seat_log={0: {"relocated": 1, "built": 0}}, spendable=[3, 0],
    )  # fmt: skip
    position.when("spend relocate", "reloc_src 5").then(legal=[4])  # again, if paid again


def test_LO_9_6_the_lifted_building_does_not_connect():
    """LO-9.6 t is not s, and the building is no connection of its own."""
    chain = {"tiles": ROW, "buildings": {4: "0 silo"}, "slots": {0: 2}, "phase": "spend"}
    assert 9 not in given(**chain).legal()
    other = given(
        "18@(-1,1)/0 + 19@(-2,1)/0 + 20@(1,1)/0", buildings={4: "0 silo"}, slots={0: 2}, phase="spend"
    )
    other.when("spend relocate").then(legal=[4]).when("reloc_src 4").then(legal=[6])


@pytest.mark.parametrize(
    ("options", "events", "sources"),
    [
        ({}, {}, [0]),  # only the dome; the tower's site touches 5 over a rough edge
        ({"relocation": False}, {}, None),
        ({"domes_anywhere": False}, {}, None),
        ({}, {12: 0}, None),
        ({}, {11: 0}, [0, 4]),
        ({"dome_cost": 8}, {}, None),
    ],
)
def test_LO_9_6_targets_of_relocation(options, events, sources):
    """LO-9.6 as for building: domes anywhere, others connected; prices as for building; an option."""
    position = given(
        "18@(1,1)/0 + 21@(-1,2)/2", buildings={4: "0 silo"}, slots={0: 2, 4: 2}, options=options,
        events=events, phase="spend",
    )  # fmt: skip
    assert (9 in position.legal()) == (sources is not None)
    if sources:
        position.when("spend relocate").then(legal=sources)


def test_LO_9_6_price_of_the_type():
    """LO-9.6 at the price of construction; cheaper with modular frames."""
    dome = {"tiles": WEST, "phase": "spend", "deck_n": 0}
    given(**dome, slots={0: 2}).then(legal=[0, 2, 3, 6])
    cheap = given(**dome, slots={0: 2}, events={13: 0}, options={"dome_cost": 3})
    cheap.then(legal=[0, 2, 3, 6, 9]).when("spend relocate").then(legal=[0])
    cheap.when("reloc_src 0", "target 4").then(building={0: "", 4: "0 dome"}, slots={0: 0, 4: 0})


def test_LO_9_7_recruiting():
    """LO-9.7 a figure, the price and a barracks; on its tile, and it may move; any number."""
    camp = {"tiles": ROW, "buildings": {4: "0 barracks"}, "phase": "spend"}
    given(**camp, slots={0: 1}).then(legal=[0])
    given(WEST, slots={0: 2}, phase="spend").then(legal=[0, 2, 3, 6, 8])
    hired = given(**camp, slots={0: 2}, options={"troop_cost": 1}).when("spend recruit", "target 4")
    hired.paid().then(troops={4: [1, 0]}, figures=[4, 5], slots={0: 1}, log={"recruits": 1, "spent_troop": 1})
    hired.when("spend recruit", "target 4").paid().then(troops={4: [2, 0]}, slots={0: 0})
    hired.when("spend done").then(phase="move", unmoved={4: 2}, legal=[24, 25, 27, 288])


def test_LO_9_7_which_barracks():
    """LO-9.7 any own barracks, not those of others."""
    camps = {4: "0 barracks", 5: "0 barracks", 6: "1 barracks"}
    position = given("18@(-1,1)/0 + 19@(-2,1)/0 + 20@(1,1)/0", buildings=camps, slots={0: 2}, phase="spend")
    position.when("spend recruit").then(phase="target", legal=[4, 5])
    other = given(WEST, buildings={4: "1 barracks"}, slots={0: 2}, phase="spend")
    assert 7 not in other.legal()


def test_LO_9_7_recruits_of_a_barracks():
    """LO-9.7 by option so many per tile and turn; a barracks that moved may recruit again."""
    options = {"troop_cost": 1, "recruit_per_barracks": 1, "barracks_cost": 1}
    position = given(
        "18@(-1,1)/0 + 19@(1,1)/0", buildings={4: "0 barracks"}, slots={0: 2}, options=options | {
            "dome_storage": 4}, phase="spend"
    )  # fmt: skip
    position.s.st_b[0], position.s.pile = 4, position.s.pile - 2
    position.when("spend recruit", "target 4").paid()
    assert 7 not in position.legal()
    position.when("spend relocate", "reloc_src 4", "target 5", "spend recruit", "target 5").paid()
    position.then(troops={4: [1, 0], 5: [1, 0]}, slots={0: 1})
    assert 7 not in position.legal()
    position.to("spend", 1).to("spend", 0)
    assert 7 in position.legal()


@pytest.mark.parametrize(
    ("hand", "options", "buyable"),
    [
        ([], {}, True),
        ([4, 9], {}, True),
        ([4, 9, 16], {}, False),
        ([4, 9, 16], {"intel_limit": 4}, True),
        ([4], {"intel_limit": 1}, False),
        ([], {"intel_limit": 0}, False),
        ([], {"events": False}, False),
        ([], {"intel_cost": 3}, False),
    ],
)
def test_LO_9_8_intel(hand, options, buyable):
    """LO-9.8 room in the hand, the price, and events in the game."""
    position = given(hands={0: hand}, slots={0: 2}, options=options, deck=[7], phase="spend")
    assert (8 in position.legal()) == buyable
    if buyable:
        position.when("spend intel").then(
            hands={0: [*hand, 7]}, where={7: 1}, log={"intel_bought": 1, "spent_intel": 2}, slots={0: 0}
        )


def test_LO_9_8_from_the_next_turn_on():
    """LO-9.8 a card that was bought can be acted on in the next turn."""
    position = given(slots={0: 2}, deck=[7], phase="spend").when("spend intel").then(events={})
    position.to("intel", 0).then(turn=5, legal=[0, 5, 10])
