"""LO-10 moving, LO-11 the end, LO-12 scoring, LO-13 events: each test is titled by its clause."""

from __future__ import annotations

from collections import Counter

import pytest

from simkit.games.lunar_outpost.facts import DATA, EVENTS, Mod

from .positions import given, rules_of

WEST = "18@(-1,1)/0"
ROW = "18@(-1,1)/0 + 19@(-2,1)/0"
BASE = {"dome_rate": 1, "excavator_rate": 1, "tower_support": 1}  # the others are 0
EFFECTS = [
    {"dome_rate": 1}, {"dome_rate": -1}, {"excavator_rate": 1}, {"excavator_rate": -1},
    {"transport_rough": 1}, {"transport_self_only": 1}, {"dome_rate": 1, "excavator_rate": -1},
    {"dome_rate": -1, "excavator_rate": 1},
    {"cost_dome": -1}, {"cost_all": 1}, {"cost_all": -1}, {"build_adjacent": 1}, {"dome_connected": 1},
    {"cost_relocate": -1}, {"cost_excavator": -1, "cost_silo": -1}, {"cost_tower": -1, "cost_barricade": -1},
    {"defence_all": 1}, {"defence_all": -1}, {"tower_support": 1}, {"tower_support": -1},
    {"cost_troop": -1}, {"cost_troop": 1}, {"move_rough": 1}, {"no_move": 1},
    {"deposit_bonus": 1}, {"deposit_bonus": -1}, {"cost_intel": -1}, {"cost_intel": 1},
    {"vp_dome": 1}, {"vp_barracks": 1, "vp_tower": 1}, {"vp_excavator": 1, "vp_silo": 1}, {"vp_barricade": 1},
]  # fmt: skip


def test_LO_10_1_steps():
    """LO-10.1 a step to a directly connected tile of any kind, also to others' tiles; one per troop."""
    position = given(
        "14@(-1,1)/0 + 18@(1,1)/0", buildings={5: "1 tower"}, troops={0: [2, 0], 5: [0, 1]}, phase="move"
    )
    position.then(legal=[0, 1, 2, 3, 288], unmoved={0: 2})  # tower and troop, two deposits, barren
    position.when("move 0").then(
        troops={0: [1, 0], 5: [1, 1]}, unmoved={0: 1, 5: 0}, legal=[0, 1, 2, 3, 288], seat=0
    )
    position.when("move 3").then(legal=[288], troops={0: [0, 0], 4: [1, 0]}, log={"moves": 2})


def test_LO_10_1_rough_edges():
    """LO-10.1 not over a rough edge; with jet packs over any; not onto nothing; with a curfew not at all."""
    rough = {"tiles": "21@(-1,2)/2 + 18@(-1,1)/0", "troops": {4: [1, 0]}, "phase": "move"}
    given(**rough).then(legal=[26, 288])  # NW to tile 5
    given(**rough, events={22: 1}).then(legal=[25, 26, 288])  # NE to the dome as well
    given(**rough, events={23: 1}).then(legal=[288])
    given("21@(-1,2)/2", troops={4: [1, 0]}, phase="move").then(legal=[288])


def test_LO_10_1_a_moved_troop_rests():
    """LO-10.1 unmoved troops are counted by tile; recruits of this turn may move; all again next turn."""
    position = given(WEST, troops={0: [1, 0], 4: [1, 0]}, phase="move").when("move 3")
    position.then(unmoved={0: 0, 4: 1}, troops={0: [0, 0], 4: [2, 0]}, legal=[24, 25, 288])
    position.when("move 24").then(unmoved={0: 0, 4: 0}, troops={0: [1, 0], 4: [1, 0]}, legal=[288])
    recruit = given(WEST, buildings={4: "0 barracks"}, slots={0: 2}, phase="spend", deck_n=0)
    recruit.when("spend recruit", "target 4").paid().when("spend done").then(
        unmoved={4: 1}, legal=[24, 25, 288]
    )
    recruit.when("move done").to("move", 0).then(unmoved={4: 1})


def test_LO_10_2_no_conflict_at_once():
    """LO-10.2 a step onto troops or a building waits for step 2 of a turn of an involved player."""
    position = given(seats=3, troops={0: [0, 1, 0], 4: [0, 0, 2]}, seat=2, phase="move")
    to_start = next(6 * 4 + d for d in range(6) if int(position.s.nb[4, d]) == 0)
    position.when(f"move {to_start}").then(troops={0: [0, 1, 1]}, building={0: "0 dome"}, phase="move")
    position.when("move done").then(troops={0: [0, 1, 1]}, active=0, phase="extract")
    position.to("conflict", 1).then(legal=[0])


@pytest.mark.parametrize("placed", [True, False])
def test_LO_11_1_the_last_tile(placed):
    """LO-11.1 the end of the turn in which it is drawn, placed or discarded."""
    full = "21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0"
    position = given(full, draw=[18 if placed else 47], stack=1, phase="generate").end_turn()
    position.then(over=True, end="last_tile", n_tiles=8 + placed, turn=3, turns=[2, 1])
    given(full, draw=[18, 47], stack=2, phase="generate").end_turn().then(over=False, seat=1)


def test_LO_11_1_equal_turns():
    """LO-11.1 by option the round is completed, without tiles; without living players with higher seats not."""
    options = {"equal_turns": True}
    position = (
        given(seats=3, stack=1, seat=0, options=options).end_turn().then(over=False, active=1, stack_n=0)
    )
    position.end_turn().then(over=False, active=2, n_tiles=7).end_turn().then(
        over=True, end="last_tile", turns=[2, 2, 2], n_tiles=7
    )
    given(seats=3, stack=1, seat=2, options=options).end_turn().then(over=True, end="last_tile")
    given(seats=3, stack=1, seat=1, options=options, fallen={2: 2}).end_turn().then(over=True)


def test_LO_11_2_elimination():
    """LO-11.2 the survivor wins whatever the points; if nobody is left, those of that moment share."""
    position = given(troops={0: [0, 3], 2: [0, 1]}, hands={0: [1, 3, 5]}, domeless=[1]).then(score=[9, 0])
    position.when("intel done", "conflict 0").then(over=True, end="elimination", final=[0, 0], rank=[2, 1])
    rich = {"tiles": ROW, "buildings": {4: "1 tower", 5: "1 silo"}, "seats": 2, "troops": {1: [3, 0]}}
    given(**rich, seat=1).when("conflict 1").then(over=False, alive=[1, 1], score=[3, 3])


@pytest.mark.parametrize("seats", [2, 3])
def test_LO_11_2_nobody_is_left(seats):
    """LO-11.2 the last two fall together and share the win; who fell before does not."""
    fallen = {2: 3} if seats == 3 else {}
    position = given(seats=seats, fallen=fallen, domeless=[0, 1], troops={seats: [1, 1]}, rounds=2)
    position.when(f"conflict {seats}", "remove 1").then(
        over=True, end="elimination", rank=[1, 1, 3][:seats], final=[0] * seats, alive=[0] * seats
    )


BUILT = {4: "0 barracks", 5: "0 silo"}  # with the dome six points from buildings


@pytest.mark.parametrize(
    ("options", "more", "end"),
    [
        ({}, {}, ""),
        ({"vp_end": 7}, {}, ""),
        ({"vp_end": 6}, {}, "points"),
        ({"vp_end": 5}, {}, "points"),
        ({"vp_end": 7}, {"events": {29: 1}}, "points"),  # a barracks is worth one more
        ({"vp_end": 7}, {"hands": {0: [1, 3]}}, ""),  # cards do not count
        ({"vp_end": 7, "seat_vp_0": 10}, {}, ""),
        ({"vp_end": 6}, {"seat": 1}, "points"),  # in anybody's turn
        ({"vp_end": 6, "equal_turns": True}, {}, ""),
        ({"vp_end": 6, "equal_turns": True}, {"seat": 1}, "points"),
        ({"vp_end": 6}, {"stack": 0}, "last_tile"),
        ({"vp_end": 6}, {"fallen": {0: 1}, "seats": 3}, ""),
    ],
)
def test_LO_11_3_points_limit(options, more, end):
    """LO-11.3 in step 8, by points from buildings of a living player, if LO-11.1 does not end the game."""
    there = {"tiles": ROW, "buildings": BUILT, "options": options, "phase": "move"} | more
    if "seats" in more:
        there |= {"tiles": "", "buildings": {}, "seat": 1}
    given(**there).when("move done").then(over=bool(end), end=end)


def test_LO_11_3_the_winner_may_be_another():
    """LO-11.3 the limit is reached by buildings, the game is won by points."""
    position = given(ROW, buildings=BUILT, hands={1: [1, 3]}, options={"vp_end": 6}, phase="move")
    position.when("move done").then(over=True, end="points", final=[6, 7], rank=[2, 1])


@pytest.mark.parametrize(
    ("buildings", "events", "options", "score"),
    [
        ({}, {}, {}, [3, 3]),
        ({4: "0 silo", 5: "1 tower"}, {}, {}, [4, 5]),
        ({4: "0 excavator", 5: "1 barricade"}, {}, {}, [4, 4]),
        ({4: "0 excavator", 5: "1 barricade"}, {30: 0}, {"event_vp": "none"}, [5, 4]),
        ({4: "0 excavator", 5: "1 barricade"}, {31: 0}, {"event_vp": "none"}, [4, 5]),
        ({4: "0 barracks", 5: "1 tower"}, {29: 0}, {"event_vp": "none"}, [6, 6]),
        ({}, {28: 0}, {}, [4, 4]),
        ({4: "0 silo"}, {}, {"silo_vp": 6, "dome_vp": 0}, [6, 0]),
        ({}, {}, {"seat_vp_0": 2, "seat_vp_1": 10, "seat_vp_3": 5}, [5, 13]),
    ],
)
def test_LO_12_1_buildings(buildings, events, options, score):
    """LO-12.1 points of the buildings on the map, with events and options."""
    given(ROW, buildings=buildings, events=events, options=options).then(score=score)


def test_LO_12_1_razed_buildings():
    """LO-12.1 a razed building scores nothing."""
    position = given(WEST, buildings={4: "0 tower"}, troops={4: [0, 2]}).then(score=[5, 3])
    position.when("conflict 4").then(score=[3, 3])


@pytest.mark.parametrize(
    ("event_vp", "score"),
    [
        ("hand_and_active", [3 + 2 + 2, 3 + 1]),
        ("hand_only", [3 + 2, 3 + 1]),
        ("all_disclosed", [3 + 2 + 2, 3 + 2 + 1]),
        ("none", [3, 3]),
    ],
)
def test_LO_12_2_event_points(event_vp, score):
    """LO-12.2 cards in hand, active events one has disclosed; replaced and prevented ones score nothing."""
    position = given(hands={0: [1, 27], 1: [16, 12]}, events={5: 1}, options={"event_vp": event_vp})
    position.when("intel 0", "intel done")  # event 1 (2 points) replaces event 5 (2 points) of seat 1
    position.to("intel", 1).when("intel 6").then(events={1: 0}, score=score)


def test_LO_12_2_effects_of_hidden_cards():
    """LO-12.2 do not count: a dome showcase in hand."""
    given(hands={0: [28]}).then(score=[3, 3])


@pytest.mark.parametrize(
    ("options", "more", "final", "rank"),
    [
        ({}, {}, [3, 3], [1, 1]),
        ({}, {"slots": {1: 1}}, [3, 3], [2, 1]),  # a cube
        ({}, {"troops": {2: [1, 0]}}, [3, 3], [1, 2]),  # a troop
        ({}, {"slots": {1: 1}, "troops": {2: [1, 0]}}, [3, 3], [1, 1]),
        ({}, {"slots": {1: 1}, "troops": {1: [1, 0]}}, [3, 3], [1, 2]),  # looting: 2 against 1
        ({"siege_spend": False}, {"slots": {1: 2}, "troops": {1: [1, 0]}}, [3, 3], [2, 1]),
        ({"tie_break": "none"}, {"slots": {1: 1}}, [3, 3], [1, 1]),
        ({"tie_break": "buildings"}, {"slots": {1: 1}}, [3, 3], [1, 1]),
        (
            {"tie_break": "buildings", "seat_vp_1": 1},
            {"buildings": {4: "0 silo"}, "slots": {1: 1}},
            [4, 4],
            [1, 2],
        ),
        ({"seat_vp_1": 1}, {"slots": {0: 2}}, [3, 4], [2, 1]),  # points come first
    ],
)
def test_LO_12_3_winner(options, more, final, rank):
    """LO-12.3 most points, then cubes and troops, else a shared win."""
    position = given(WEST, stack=0, options=options, phase="move", rounds=22, seat=0, **more)
    position.when("move done").then(over=True, final=final, rank=rank)


def test_LO_12_3_eliminated_players():
    """LO-12.3 have 0 points, whatever the seat or their events give."""
    position = given(
        seats=3, fallen={0: 3}, events={1: 0}, options={"seat_vp_0": 10}, stack=0, rounds=5, seat=2,
        phase="move",
    )  # fmt: skip
    position.when("move done").then(final=[0, 3, 3], rank=[3, 1, 1])


@pytest.mark.parametrize(
    ("more", "rank"),
    [
        ({"fallen": {1: 9, 2: 12}}, [1, 4, 3, 1]),
        ({"fallen": {1: 12, 2: 12}, "slots": {3: 1}}, [2, 3, 3, 1]),
        ({"slots": {3: 1, 2: 2, 0: 1}}, [2, 4, 1, 2]),
        ({"buildings": {8: "1 silo"}, "slots": {0: 2}}, [2, 1, 3, 3]),
    ],
)
def test_LO_12_4_ranks(more, rank):
    """LO-12.4 the living by points and tie-breaker, then the eliminated, the later the better; ties share."""
    position = given("18@(2,0)/0", seats=4, stack=0, rounds=9, seat=3, phase="move", **more)
    position.when("move done").then(over=True, rank=rank)


@pytest.mark.parametrize("event", range(32))
def test_LO_13_1_modifiers(event):
    """LO-13.1 an active event adds its deltas, at once and for all; a replaced one no longer."""
    values = {name: BASE.get(name, 0) + EFFECTS[event].get(name, 0) for name in Mod.__members__}
    given(hands={0: [event]}).when("intel 0").then(mod=values, events={event: 0})
    other = event // 8 * 8 + (event + 1) % 8
    mod = {name: BASE.get(name, 0) + EFFECTS[other].get(name, 0) for name in Mod.__members__}
    position = given(hands={1: [other]}, events={event: 0}, seat=1).then(mod=values)
    position.when("intel 0").then(mod=mod, events={other: 1}, where={event: 6})


@pytest.mark.parametrize(
    ("options", "events", "mod"),
    [
        ({"dome_output": 2}, {0: 0}, {"dome_rate": 2}),  # not above 2
        ({"dome_output": 0}, {1: 0}, {"dome_rate": 0}),  # not below 0
        ({"dome_output": 0, "excavator_output": 2}, {6: 0}, {"dome_rate": 1, "excavator_rate": 1}),
        ({"excavator_output": 0}, {3: 0}, {"excavator_rate": 0}),
        ({"tower_bonus": 2}, {18: 0}, {"tower_support": 2}),
        ({"tower_bonus": 0}, {19: 0}, {"tower_support": 0}),
        ({"tower_bonus": 0}, {18: 0}, {"tower_support": 1}),
        ({"dome_cost": 8}, {}, {"cost_dome": 0}),  # options are not modifiers
        (
            {},
            {0: 0, 9: 1, 16: 0, 24: 1},
            {"dome_rate": 2, "cost_all": 1, "defence_all": 1, "deposit_bonus": 1},
        ),
    ],
)
def test_LO_13_1_base_and_limits(options, events, mod):
    """LO-13.1 base (by option) plus deltas, within the limits."""
    given(options=options, events=events).then(mod=mod)


FAR = "21@(-1,2)/2"  # touches the dome of seat 0 over a rough edge


@pytest.mark.parametrize(
    ("event", "where", "words", "without", "with_it"),
    [
        (2, {"tiles": WEST, "buildings": {4: "0 excavator"}, "phase": "extract"},
         ["extract 25", "store 0"], [288], [25, 288]),
        (0, {"phase": "generate"}, ["generate 0", "store 12"], [48], [0, 48]),
        (4, {"tiles": FAR, "buildings": {4: "0 silo"}, "slots": {0: 2}, "phase": "generate"}, [], [48], [0, 48]),
        (5, {"tiles": WEST, "buildings": {4: "0 silo"}, "phase": "generate"}, ["generate 0"], [6, 12], [12]),
        (11, {"tiles": FAR, "slots": {0: 2}, "phase": "spend", "deck_n": 0}, [], [0], [0, 2, 3, 6]),
        (12, {"tiles": FAR, "slots": {0: 2}, "phase": "spend", "options": {"dome_cost": 2}, "deck_n": 0}, [],
         [0, 1, 9], [0]),
        (22, {"tiles": FAR, "troops": {4: [1, 0]}, "phase": "move"}, [], [288], [25, 288]),
        (23, {"tiles": WEST, "troops": {4: [1, 0]}, "phase": "move"}, [], [24, 25, 288], [288]),
    ],
)  # fmt: skip
def test_LO_13_2_meaning_of_the_modifiers(event, where, words, without, with_it):
    """LO-13.2 what a position offers without and with the event (prices: LO-9.2, defence: LO-5.5,
    deposits: LO-8.5, points: LO-12.1)."""
    given(**where).when(*words).then(legal=without)
    given(**where, events={event: 1}).when(*words).then(legal=with_it)


def test_LO_13_2_tunnels_when_relocating():
    """LO-13.2 `build_adjacent` also when relocating, not for domes that need a connection."""
    there = {"tiles": f"18@(1,1)/0 + {FAR}", "buildings": {4: "0 silo"}, "slots": {0: 2}}
    given(**there, events={11: 0}, phase="spend").when("spend relocate").then(legal=[4]).when(
        "reloc_src 4"
    ).then(legal=[5])
    bound = given(**there, events={11: 0}, phase="spend", options={"domes_anywhere": False, "dome_cost": 2})
    assert 1 not in bound.legal() and 3 in bound.legal()


def test_LO_13_3_one_category_for_each_modifier():
    """LO-13.3 two active events never touch the same modifier."""
    rules = rules_of()[0]
    for mod in Mod:
        touching = {int(rules.event_category[e]) for e in range(EVENTS) if rules.event_delta[e, mod]}
        assert len(touching) <= 1, mod.name
    assert len(Mod) == 27


def test_LO_13_4_reconstructed_components():
    """LO-13.4 edge patterns, kinds, slots and bonuses of the tiles, and what the box can hold."""
    tiles = DATA["tiles"]["list"]
    analyses = {min(its["edges"][i:] + its["edges"][:i] for i in range(6)) for its in tiles}
    assert len(analyses) == 14
    passable = sum(its["edges"].count("P") for its in tiles) / (6 * 48)
    assert 0.6 < passable < 0.7
    cubes = [its["cubes"] for its in tiles if its["kind"] == "deposit"]
    assert Counter(cubes) == {3: 4, 4: 4, 6: 2} and sum(cubes) == 40
    assert sum(its["slots"] for its in tiles) == 10
    assert Counter(its["defence"] for its in tiles) == {0: 40, 1: 6, 2: 2}
    rules = rules_of()[0]
    in_slots = 4 * int((rules.storage * rules.tokens).sum())
    assert in_slots + 10 + 40 == 98 <= DATA["box"]["resource_tokens"] == 100
    assert min(rules.cost.tolist()) <= 2
