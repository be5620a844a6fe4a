"""Options (LO-14): each changes what its clause says, and what a designer reads of them."""

import numpy as np
import pytest

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import DATA
from tests.of_games.options import check_data_file, check_refused, check_row

from .positions import SPEND, Position, given
from .walk import BUILDINGS, EVENTS, Walk, uniform

LIMITS = {name: its for name, its in DATA["component_options"].items() if isinstance(its, dict)}
NUMBERS = [f"{building}_{number}" for number in LIMITS for building in BUILDINGS]
CAPS = {"dome_storage": 4, "silo_storage": 4}


def start(seats=2, **more):
    """The position after the starting domes; what is looked at of it."""
    return lambda options: Position(more | options, seats, settled=True)


def of_start(look, seats=2, **more):
    at = start(seats, **more)
    return lambda options: look(at(options))


def domes(position):
    """Cubes in the starting domes, and in the pile."""
    return position.s.st_b[: position.seats].tolist(), int(position.s.pile)


def first_choices(options):
    """Orders in which three seats choose a starting tile, over many deals; seat 0 has the first turn."""
    orders = set()
    for deal in range(40):
        walk, order = Walk(options, 3, deal), []
        for before, _, after in walk.steps():
            if before.phase != "setup_dome":
                break
            order.append(before.seat)
            last = after
        assert last.active == 0 and last.turn_no == 1
        orders.add(tuple(order))
    return orders


def stack(options):
    """How many tiles, and whether the next ones are those of a game without options."""
    first, two = (Position(chosen, settled=True).s for chosen in (options, {}))
    n = int(first.stack_n)
    return n, first.stack[:n].tolist()[::-1] == two.stack[:44].tolist()[::-1][:n]


def starting_hand(options):
    """Who discards from how many cards, and the hands that are left."""
    position, decided = Position({"starting_intel": 2} | options), []
    while position.phase == "discard_intel":
        decided.append((int(position.s.seat), len(position.legal())))
        position.apply(0)
    return decided, position.s.hand_n[:2].tolist()


def deposits(options):
    """Cubes of a deposit of the layout, and of a deposit of 4 that is placed."""
    position = given(draw=[8], phase="place", options=options).when("tile 0", "place_cell 0")
    n = int(position.s.n_tiles)
    position.to("spend")
    return int(position.s.cubes[2]), int(position.s.cubes[n])


def unplaceable(options):
    """LO-8.4, E9: tile 47 fits nowhere; which tiles are discarded, which is placed."""
    tiles = "21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0"
    position = given(tiles, phase="generate", draw=[47, 46, 18], options=options).when("generate done")
    position.to("spend")
    return np.flatnonzero(position.s.tile_out).tolist(), position.s.tile_id[8 : position.s.n_tiles].tolist()


def produced(phase, done, **more):
    """Cubes that can be produced in a step."""

    def probe(options):
        position, n = given(phase=phase, options=options, **more), 0
        while position.phase in (phase, "store"):
            n += position.phase == "store"
            position.apply(position.legal()[0])
        return n

    return probe


def paid(*words, **more):
    """Cubes that a purchase takes, None if it is too dear."""

    def probe(options):
        position = given(**{"phase": "spend"} | more, options=CAPS | options)
        if SPEND[words[0].split()[1]] not in position.legal():
            return None
        pile = int(position.s.pile)
        position.when(*words)
        while position.phase != "spend":
            position.apply(position.legal()[0])
        return int(position.s.pile) - pile

    return probe


def hands_that_buy(options):
    """Sizes of the hand with which intel may be bought."""
    limit = game.resolve(options)["intel_limit"]
    return [
        n
        for n in range(limit + 1)
        if 8 in given(hands={0: list(range(n))}, slots={0: 2}, phase="spend", options=options).legal()
    ]


def event_points(options):
    """3 of the dome, 2 of event 9 in hand, 2 of event 3, which is active and has replaced event 1 (2)."""
    position = given(hands={0: [1, 3, 9]}, options=options).when("intel 0", "intel 0")
    assert position.facts()["events"] == {3: 0}
    position.then(hands={0: [9]})
    return position.facts()["score"]


def recruits(options):
    """Troops that can be recruited in a turn, for 1 cube each, from 8 cubes and 10 figures."""
    chosen = CAPS | {"troop_cost": 1, "troop_limit": 10} | options
    position = given(
        "18@(-1,1)/0 + 19@(1,1)/0", buildings={4: "0 silo", 5: "0 barracks"}, slots={0: 4, 4: 4},
        phase="spend", options=chosen,
    )  # fmt: skip
    n = 0
    while 7 in position.legal():
        position.when("spend recruit")
        while position.phase != "spend":
            position.apply(position.legal()[0])
        n += 1
    return n


def defence(t, tiles="18@(-1,1)/0", **more):
    """Troops that raze the building of seat 0 on a tile, and how many of 10 stay when it is razed."""

    def probe(options):
        for n in range(1, 11):
            position = given(
                tiles, troops={t: [0, n]}, options={"troop_limit": 10, "troop_cost": 1} | options, **more
            )
            position.when(f"conflict {t}")
            if position.s.btype[t] < 0:
                stays = int(position.s.troops[t, 1])
                return 0 if stays else n
        return None

    return probe


def tokens_of_razed(options):
    """W2: tokens of domes of seat 0 in supply and out of the game."""
    position = given("18@(-1,1)/0", {4: "0 barricade"}, troops={0: [0, 3]}, options=options)
    position.when("conflict 0")
    return int(position.s.supply[0, 0]), int(position.s.removed[0, 0])


def siege(options):
    """E19 whether the dome of seat 0 may generate and its barracks recruit."""
    position = given(
        "18@(2,0)/0", {6: "0 barracks"}, seats=3, troops={0: [0, 1, 1], 6: [0, 1, 1]}, slots={0: 1},
        options={"troop_cost": 1} | options,
    ).to("generate")  # fmt: skip
    makes = position.legal() != [48]
    return makes, 7 in position.to("spend").legal()


def length(options):
    """Turns of a game in which one tile is missing."""
    walk = Walk({"tiles_trim": 1} | options, 2, 3).to_the_end()
    return int(walk.s.log.game.turns), walk.s["turns"][:2].tolist()


def points_end(options):
    """E22 dome and barracks of seat 0, its turn ends: why the game is over, if it is."""
    position = given("18@(-1,1)/0", {4: "0 barracks"}, phase="spend", options=options).end_turn()
    return position.facts()["end"]


def tied(options):
    """Ranks after the last turn: 5 points each, three buildings of seat 0, two cubes of seat 1."""
    position = given(
        "18@(-1,1)/0 + 19@(1,1)/0 + 20@(2,-1)/0", {4: "0 silo", 5: "0 excavator", 6: "1 barracks"},
        slots={1: 2}, stack=0, phase="spend", options=options,
    ).end_turn()  # fmt: skip
    assert position.facts()["final"] == [5, 5]
    return position.facts()["rank"]


def at_tower(options):
    return defence(0, "18@(-1,1)/0", buildings={4: "0 tower"})(options)


def at_two_towers(options):
    return defence(0, "18@(-1,1)/0 + 19@(1,1)/0", buildings={4: "0 tower", 5: "0 tower"})(options)


MINE = {"tiles": "18@(-1,1)/0", "buildings": {4: "0 excavator"}}
ROUGH = {"tiles": "8@(-2,2)/2 + 21@(-1,1)/5", "buildings": {5: "0 excavator"}}
FAR = {"tiles": "18@(1,1)/0 + 19@(2,1)/0", "slots": {0: 2}, "phase": "spend"}
TWO = {"tiles": "18@(-1,1)/0 + 19@(-2,1)/0", "buildings": {4: "0 silo"}}
LADEN = {"tiles": "18@(-1,1)/0 + 19@(1,1)/0", "buildings": {4: "0 silo"}, "slots": {0: 4, 4: 4}}
BARRACKS = {"tiles": "18@(-1,1)/0", "buildings": {4: "0 barracks"}, "slots": {0: 4}}
LOOT = {
    "tiles": "18@(2,0)/0", "buildings": {6: "0 silo"}, "slots": {6: 2}, "troops": {6: [0, 2, 1]}, "seats": 3
}  # fmt: skip

# option: (what is looked at, {value: what it is then}); the first value is the default
ROWS = {
    "starting_resources": (
        of_start(domes),
        {0: ([0, 0], 94), 1: ([1, 1], 92), 2: ([2, 2], 90), 3: ([2, 2], 90), 4: ([2, 2], 90)},
    ),
    **{
        f"seat_bonus_{seat}": (
            of_start(domes, 4),
            {0: ([0] * 4, 88)}
            | {n: ([min(n, 2) * (i == seat) for i in range(4)], 88 - min(n, 2)) for n in (1, 2, 4)},
        )
        for seat in range(4)
    },
    **{
        f"seat_vp_{seat}": (
            of_start(lambda position: position.facts()["score"], 4),
            {0: [3] * 4, 1: [3 + (i == seat) for i in range(4)], 10: [3 + 10 * (i == seat) for i in range(4)]},
        )
        for seat in range(4)
    },
    "starting_troops": (
        of_start(lambda position: (position.s.troops[0].tolist(), position.s.figures[:2].tolist())),
        {0: ([0] * 4, [5, 5]), 1: ([1, 0, 0, 0], [4, 4]), 3: ([3, 0, 0, 0], [2, 2])},
    ),
    "starting_intel": (
        of_start(lambda position: (position.s.hand_n[:2].tolist(), int(position.s.event_n))),
        {0: ([0, 0], 32), 1: ([1, 1], 30), 2: ([2, 2], 28), 3: ([3, 3], 26)},
    ),
    "starting_intel_extra": (
        starting_hand,
        {
            0: ([], [2, 2]), 1: ([(0, 3), (1, 3)], [2, 2]),
            2: ([(0, 4), (0, 3), (1, 4), (1, 3)], [2, 2]),
        },
    ),
    "start_choice": (
        first_choices,
        {
            "seat": {(0, 1, 2)}, "reverse": {(2, 1, 0)},
            "random": {(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)},
        },
    ),
    "tiles_trim": (stack, {n: (44 - n, True) for n in (0, 1, 8, 20)}),
    "tile_choice": (
        lambda options: given(draw=[46, 47, 18], phase="place", options=options).legal(),
        {1: [0], 2: [0, 1], 3: [0, 1, 2]},
    ),
    "deposit_delta": (deposits, {0: (3, 4), -1: (2, 3), -2: (1, 2), 3: (6, 7)}),
    "unplaceable": (unplaceable, {"discard": ([47], []), "redraw": ([47], [46])}),
    "dome_output": (produced("generate", 48), {1: 1, 0: 0, 2: 2}),
    "excavator_output": (produced("extract", 288, **MINE), {1: 1, 0: 0, 2: 2}),
    "extract_needs_passable": (
        lambda options: given(**ROUGH, phase="extract", options=options).legal(),
        {True: [31, 288], False: [31, 34, 288]},
    ),
    "domes_anywhere": (
        lambda options: [
            given(**FAR, options={"dome_cost": 1} | options).when(f"spend {name}").legal()
            for name in ("dome", "excavator")
        ],
        {True: [[4, 5], [4]], False: [[4], [4]]},
    ),
    "relocation": (
        lambda options: 9 in given(**TWO, slots={0: 2, 4: 2}, phase="spend", options=options).legal(),
        {True: True, False: False},
    ),
    "intel_cost": (paid("spend intel", slots={0: 4}), {2: 2, 1: 1, 4: 4, 5: None, 8: None}),
    "intel_limit": (hands_that_buy, {3: [0, 1, 2], 0: [], 1: [0], 5: [0, 1, 2, 3, 4]}),
    "events": (
        lambda options: (
            8 in given(slots={0: 2}, phase="spend", options=options).legal(),
            Position({"starting_intel": 2} | options, settled=True).s.hand_n[:2].tolist(),
        ),
        {True: (True, [2, 2]), False: (False, [0, 0])},
    ),
    "event_vp": (
        event_points,
        {"hand_and_active": [7, 3], "hand_only": [5, 3], "all_disclosed": [9, 3], "none": [3, 3]},
    ),
    "troop_cost": (
        paid("spend recruit", "target 4", **BARRACKS), {2: 2, 1: 1, 4: 4, 5: None, 8: None},
    ),
    "troop_limit": (
        lambda options: (
            start()(options).s.figures[:2].tolist(),
            7 in given(**BARRACKS, phase="spend", options=CAPS | options).legal(),
        ),
        {5: ([5, 5], True), 0: ([0, 0], False), 1: ([1, 1], True), 10: ([10, 10], True)},
    ),
    "recruit_per_barracks": (recruits, {0: 8, 1: 1, 3: 3, 5: 5}),
    "conflict_order": (
        lambda options: given(
            "18@(-1,1)/0 + 19@(1,1)/0", {4: "0 silo"}, troops={0: [0, 1], 4: [0, 1]}, options=options
        ).legal(),
        {"choose": [0, 4], "index": [0]},
    ),
    "tower_bonus": (at_tower, {1: 4, 0: 3, 2: 5}),
    "tower_stack": (at_two_towers, {True: 5, False: 4}),
    "razed_tokens": (tokens_of_razed, {"removed": (2, 1), "returned": (3, 0)}),
    "siege_spend": (
        lambda options: given(**LOOT, options=options).facts()["spendable"],
        {True: [2, 2, 2], False: [2, 0, 0]},
    ),
    "siege_blocks": (siege, {False: (True, True), True: (False, False)}),
    "equal_turns": (length, {False: (43, [22, 21]), True: (44, [22, 22])}),
    "vp_end": (points_end, {0: "", 5: "points", 4: "points", 6: "", 40: ""}),
    "tie_break": (tied, {"cubes_and_troops": [2, 1], "buildings": [1, 2], "none": [1, 1]}),
}  # fmt: skip


def test_every_option_is_tested():
    assert sorted([*ROWS, *NUMBERS]) == sorted(option.name for option in game.options)
    assert (len(ROWS), len(NUMBERS)) == (38, 30)
    assert all(len(values) > 1 for _, values in ROWS.values())


@pytest.mark.parametrize("name", ROWS)
def test_option_changes_what_its_clause_says(name):
    check_row(game, name, *ROWS[name])


# The numbers of the buildings: what each building has while one number of one of them is changed.


def prices(options):
    """LO-9.2 what is paid for each building, None where it is more than the 8 cubes that there are."""
    return [paid(f"spend {name}", "target 5", **LADEN)(options) for name in BUILDINGS]


def defences(options):
    """LO-5.5 troops that raze each building; tile 18 has no bonus, and no tower is near."""
    return [defence(4, buildings={4: f"0 {name}"})(options) for name in BUILDINGS]


def points(options):
    """LO-12.1 points of each building, beside those of the dome that everybody has."""
    results = []
    for name in BUILDINGS:
        score, other = given("18@(-1,1)/0", {4: f"0 {name}"}, options=options).facts()["score"]
        results.append(score - other)
    return results


def tokens(options):
    """LO-1.5 tokens of each type, the starting dome included."""
    s = start()(options).s
    return [int(n) + (name == "dome") for name, n in zip(BUILDINGS, s.supply[1], strict=True)]


def storage(options):
    """LO-1.6 how many cubes of a full dome next door go into each building."""
    wide = {"dome_output": 2} | options
    slots = [game.resolve(wide)[f"{name}_storage"] for name in BUILDINGS]
    results = []
    for name, most in zip(BUILDINGS, slots, strict=True):
        before = max(0, most - 2)  # a dome makes two cubes a turn
        position = given(
            "18@(-1,1)/0", {4: f"0 {name}"}, slots={0: slots[0], 4: before}, phase="generate", options=wide
        )
        while position.phase in ("generate", "store"):
            position.apply(position.legal()[0])
        assert int(position.s.st_b[0]) == slots[0]
        results.append(int(position.s.st_b[4]))
    return results


LOOKED_AT = {"cost": prices, "defence": defences, "vp": points, "tokens": tokens, "storage": storage}


def expected(number, options):
    """The numbers of the buildings as the data file and the options have them."""
    return [options.get(f"{row['name']}_{number}", row[number]) for row in DATA["buildings"]["list"]]


@pytest.mark.parametrize("number", LOOKED_AT)
def test_numbers_of_the_buildings(number):
    """LO-14 `<building>_<number>`: one number of one building, and nothing else."""
    limits, look = LIMITS[number], LOOKED_AT[number]
    assert look({}) == expected(number, {})
    for name in BUILDINGS:
        low = limits.get(f"min_{name}", limits["min"])
        for value in (low, limits["max"]):
            options = {f"{name}_{number}": value}
            assert look(options) == expected(number, options), options


@pytest.mark.parametrize("name", BUILDINGS)
def test_without_tokens_nothing_is_built(name):
    """LO-9.4 needs a token; the starting dome takes one of the domes' (LO-2.7)."""
    least = int(name == "dome")
    for value in (least, least + 1):
        options = CAPS | {f"{name}_tokens": value}
        position = given("18@(-1,1)/0", slots={0: 4}, phase="spend", options=options)
        assert (SPEND[name] in position.legal()) == (value > least)


@pytest.mark.parametrize("number", LOOKED_AT)
def test_numbers_of_buildings_leave_the_other_numbers(number):
    """An option of one number leaves the four others of all buildings."""
    options = {f"{name}_{number}": 4 if number == "storage" else 2 for name in BUILDINGS}
    for other, look in LOOKED_AT.items():
        if other != number:
            assert look(options) == expected(other, options), other


# Together with others.


@pytest.mark.parametrize(
    ("options", "result"),
    [
        ({"starting_resources": 4, "dome_storage": 4}, ([4, 4], 86)),
        ({"starting_resources": 1, "seat_bonus_1": 1}, ([1, 2], 91)),
        ({"starting_resources": 2, "seat_bonus_0": 4, "dome_storage": 3}, ([3, 2], 89)),
        ({"starting_resources": 3, "dome_storage": 0}, ([0, 0], 94)),
        ({"deposit_delta": 3, "starting_resources": 1}, ([1, 1], 86)),
    ],
    ids=str,
)
def test_starting_cubes_are_added_and_capped(options, result):
    """LO-2.5 sum of both, no more than the dome has building slots."""
    assert domes(start()(options)) == result


@pytest.mark.parametrize(("limit", "troops"), [(0, 0), (2, 2), (10, 3)])
def test_starting_troops_are_no_more_than_figures(limit, troops):
    """LO-2.5 min(`starting_troops`, `troop_limit`)."""
    s = start()({"starting_troops": 3, "troop_limit": limit}).s
    assert int(s.troops[1, 1]) == troops and int(s.figures[1]) == limit - troops


def test_deposits_have_a_cube_at_least():
    """LO-8.5 max(1, `cubes` + `deposit_delta` + `deposit_bonus`): 3 - 2 - 1 of event 25."""
    position = given(draw=[6], phase="place", events={25: 1}, options={"deposit_delta": -2})
    n = int(position.s.n_tiles)
    assert int(position.to("spend").s.cubes[n]) == 1


NOWHERE = "21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0"  # E9: tile 47 fits nowhere


@pytest.mark.parametrize("choice", [1, 2, 3])
@pytest.mark.parametrize("repeated", ["discard", "redraw"])
def test_the_last_tile_fits_nowhere(choice, repeated):
    """LO-8.4, LO-8.8, LO-11.1: it is discarded, nothing is left to draw, the game ends with this turn."""
    options = {"tile_choice": choice, "unplaceable": repeated}
    position = given(NOWHERE, phase="generate", draw=[47], stack=1, options=options).when("generate done")
    position.then(phase="spend", out={47: 1}, stack_n=0, n_tiles=8, log={"tiles_discarded": 1})
    assert position.end_turn().facts()["end"] == "last_tile"


def test_a_redrawn_tile_is_placed():
    """LO-8.4 `unplaceable=redraw`: draw again until one fits; of several tiles one that fits is chosen."""
    position = given(NOWHERE, phase="generate", draw=[47, 46], stack=2, options={"unplaceable": "redraw"})
    position.when("generate done").then(phase="tile", legal=[0], out={47: 1}, stack_n=0)
    assert position.end_turn().facts()["end"] == "last_tile" and int(position.s.tile_id[8]) == 46
    some = given(NOWHERE, phase="place", draw=[47, 46, 45], options={"tile_choice": 3})
    some.then(phase="tile", legal=[1, 2], out={47: 0}).when("tile 1")
    assert 47 in some.s.stack[: some.s.stack_n] and int(some.s.drawn) == 46


def test_starting_hands_may_exceed_the_limit():
    """LO-2.8 `starting_intel` may exceed `intel_limit`; no more is bought then (LO-9.8)."""
    walk = Walk({"starting_intel": 3, "starting_intel_extra": 2, "intel_limit": 1}, 2, 1)
    walk.until("spend")
    assert walk.now.hand_n[:2] == [3, 3] and 8 not in walk.legal()


def test_all_disclosed_cards_count_after_they_are_replaced():
    """LO-12.2 `all_disclosed` at the end of games: hand and every card that the seat ever disclosed."""
    result = 0
    for deal in range(4):
        walk, seen = Walk({"event_vp": "all_disclosed", "intel_cost": 1}, 2, deal), [0, 0]
        for before, action, _ in walk.steps():
            if before.phase == "intel" and action < 5:
                seen[before.active] += EVENTS[before.hand[before.active][action]]["vp"]
        for seat in (0, 1):
            hand = sum(EVENTS[e]["vp"] for e in walk.now.hand[seat] if e >= 0)
            assert int(walk.s.log.seat[seat].vp_events) == seen[seat] + hand
            result += seen[seat]
    assert result


SAME = [  # combinations of which one has no effect are legal
    ({"starting_intel_extra": 2}, {}, 2), ({"seat_vp_3": 5, "seat_bonus_2": 3, "seat_vp_2": 1}, {}, 2),
    ({"seat_bonus_3": 3}, {}, 3), ({"equal_turns": True}, {}, 4),
    (
        {"events": False, "starting_intel": 3, "starting_intel_extra": 1, "intel_cost": 5, "intel_limit": 0},
        {"events": False}, 3,
    ),
    ({"troop_limit": 0, "recruit_per_barracks": 3, "starting_troops": 2}, {"troop_limit": 0}, 2),
    ({"tower_tokens": 0, "tower_stack": False, "tower_bonus": 2}, {"tower_tokens": 0, "tower_bonus": 2}, 3),
    ({"dome_storage": 0, "starting_resources": 3}, {"dome_storage": 0}, 2),
    ({"troop_limit": 0, "razed_tokens": "returned"}, {"troop_limit": 0}, 2),
    ({"siege_blocks": True, "siege_spend": False, "conflict_order": "index"}, {}, 2),
    ({"unplaceable": "redraw"}, {}, 3), ({"vp_end": 40}, {}, 4),
]  # fmt: skip


@pytest.mark.parametrize(("options", "without", "seats"), SAME, ids=[str(options) for options, *_ in SAME])
def test_options_without_effect_change_nothing(options, without, seats):
    """LO-14 combinations of which one has no effect are legal; the game is the same."""
    first, other = (Walk(chosen, seats, 2, uniform).to_the_end() for chosen in (options, without))
    assert first.trail == other.trail and first.states.tobytes() == other.states.tobytes()


def test_options_share_the_luck_of_the_deal():
    """Whatever the options, the tiles and the events come in the same order."""
    plain = Position(deal=3).s
    tiles, cards = plain.stack[:44].tolist()[::-1], plain.event_deck[:32].tolist()[::-1]
    for option in game.options:
        for value in {option.low, option.high}:
            s = Position({"starting_intel": 1} | {option.name: option.value(value)}, deal=3, settled=True).s
            n, m = int(s.stack_n), int(s.event_n)
            assert s.stack[:n].tolist()[::-1] == tiles[:n], option.name
            assert s.event_deck[:m].tolist()[::-1] == cards[32 - m :], option.name


# What is said about options.


def test_options_are_those_of_the_data_file():
    """LO-14: names, also of choices."""
    check_data_file(game, DATA["options"], NUMBERS)


def test_numbers_of_buildings_are_those_of_the_data_file():
    """LO-14: ranges by number, defaults of the building; dome_tokens is at least 1."""
    for row in DATA["buildings"]["list"]:
        for number, its in LIMITS.items():
            option = game.option(f"{row['name']}_{number}")
            low = 1 if option.name == "dome_tokens" else its["min"]
            assert (option.low, option.high, option.default) == (low, its["max"], row[number])
            assert option.clause == its["clause"]


@pytest.mark.parametrize(
    "options",
    [
        {"starting_resources": 5}, {"seat_vp_0": 11}, {"seat_bonus_4": 1}, {"starting_troops": 4},
        {"starting_intel": 4}, {"starting_intel_extra": 3}, {"start_choice": "clockwise"},
        {"tiles_trim": 21}, {"tile_choice": 0}, {"deposit_delta": -3}, {"unplaceable": "keep"},
        {"dome_output": 3}, {"intel_cost": 0}, {"intel_limit": 6}, {"event_vp": "all"}, {"troop_cost": 9},
        {"troop_limit": 11}, {"recruit_per_barracks": -1}, {"tower_bonus": 3}, {"tie_break": "troops"},
        {"vp_end": 41}, {"siege_blocks": "maybe"}, {"dome_tokens": 0}, {"silo_tokens": 6},
        {"dome_cost": 0}, {"tower_cost": 9}, {"barricade_defence": 7}, {"dome_vp": -1}, {"dome_storage": 5},
        {"hut_cost": 1},
    ],
    ids=str,
)  # fmt: skip
def test_values_out_of_range_are_refused(options):
    check_refused(game, options)


def test_compensation_says_whom_it_treats():
    treats = {option.name: option.treats for option in game.options if option.treats}
    assert treats == {f"seat_{what}_{seat}": (seat,) for what in ("bonus", "vp") for seat in range(4)}


def test_there_are_no_presets():
    """LO-14 the rulebook has no variants."""
    assert not game.presets
