"""The columns of the log (LO-21): names, and what is counted in positions made by hand. Their identities (LO-21.4)
are invariants of `problems()`, which `test_invariants.py` walks."""

from functools import cache

import numpy as np
import pytest

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import End
from simkit.games.lunar_outpost.scoring import note_turn
from tests.of_games.logs import STANDARD_GAMES, STANDARD_SEATS, check_decisions, tables_of_walk, turn_columns

from .positions import Position, given
from .walk import BUILDINGS, FIGHT, Walk

GAMES = [
    "tiles_placed", "tiles_discarded", "deposits_placed", "deposits_depleted", "cubes_left_in_deposits",
    "frontier_end", "edges_shared", "edges_passable", "extracted", "generated", "transported",
    "stored_terrain", "extraction_missed", "generation_missed", "pile_end", "cubes_stored_end", "spent",
    "spent_building", "spent_relocation", "spent_troop", "spent_intel", *(f"build_{b}" for b in BUILDINGS),
    "relocations", "recruits", "intel_bought", "moves", "disclosed", "prevented", "events_replaced",
    "active_events_end", "hand_end", "conflict_tiles", "conflict_step1", "conflict_3way", "standoffs",
    "siege_repelled", "siege_equal", "siege_won", "siege_with_tower", "razed",
    *(f"razed_{b}" for b in BUILDINGS), "razed_vp", "razed_cubes", "troops_lost_step1", "troops_lost_step2",
    "peaceful_turns", "eliminated", "buildings_end", "troops_end", "vp_buildings", "event_vp_total",
    "winner_margin", "tiebreak_used", "lead_changes", "halfway_leader_wins",
]  # fmt: skip
SEATS = [
    "turns", "eliminated", "start_tile", "vp_buildings", "vp_events", "built",
    *(f"built_{b}" for b in BUILDINGS), "relocated", "buildings_end", "buildings_lost", "buildings_razed",
    "extracted", "generated", "output_missed", "cubes_spent", "cubes_end", "troops_recruited", "troops_lost",
    "troops_end", "intel_bought", "disclosed", "prevented", "hand_end",
]  # fmt: skip
TRACE = ["score", "spendable", "buildings", "troops", "cards", "free_slots", "income", "stack"]
TYPES = range(len(BUILDINGS))


@cache
def tables():
    """The games table and the seats table of a random game."""
    return tables_of_walk(Walk({}, 3).to_the_end())


def test_columns_have_the_names_of_the_specification():
    """LO-21.1, LO-21.2: these columns in this order, and no others."""
    games, seats = tables()
    assert games.column_names == STANDARD_GAMES + GAMES
    assert seats.column_names == STANDARD_SEATS + SEATS
    result, wanted = turn_columns(game, TRACE[1:])
    assert result == wanted


def fallen(kind, troops=5, **more):
    """A building of seat 0 next to its dome, with troops of seat 1 that raze it; none of the other buildings
    have any."""
    return given("18@(-1,1)/0", {4: f"0 {BUILDINGS[kind]}"}, troops={4: [0, troops]}, **more).when(
        "conflict 4"
    )


@pytest.mark.parametrize("kind", TYPES)
def test_buildings_that_fall(kind):
    """razed by type, razed_vp, troops_lost_step2, buildings_lost and buildings_razed of the seats."""
    name, defence, points = BUILDINGS[kind], (3, 1, 1, 2, 2, 4)[kind], (3, 1, 1, 2, 2, 1)[kind]
    fallen(kind).then(
        log={
            "conflict_tiles": 1, "conflict_step1": 0, "siege_won": 1, "siege_equal": 0, "siege_repelled": 0,
            "razed": 1, f"razed_{name}": 1, "razed_vp": points, "razed_cubes": 0, "troops_lost_step2": defence,
            "troops_lost_step1": 0, "siege_with_tower": 0,
        },
        seat_log={
            0: {"buildings_lost": 1, "buildings_razed": 0, "troops_lost": 0},
            1: {"buildings_lost": 0, "buildings_razed": 1, "troops_lost": defence},
        },
    )  # fmt: skip


def test_outcomes_of_sieges():
    """siege_repelled, siege_equal; razed_cubes; siege_with_tower counts every siege next to an own tower."""
    SILO, stored = 2, {"slots": {4: 2}}
    fallen(SILO, 1, **stored).then(
        log={"siege_equal": 1, "siege_won": 0, "razed_cubes": 2, "troops_lost_step2": 1}
    )
    fallen(5, 1).then(
        log={"siege_repelled": 1, "razed": 0, "troops_lost_step2": 1}, seat_log={1: {"troops_lost": 1}}
    )
    for troops, outcome in ((1, "siege_repelled"), (2, "siege_equal"), (3, "siege_won")):
        towered = given("18@(-1,1)/0 + 19@(-2,1)/0", {4: "0 silo", 5: "0 tower"}, troops={4: [0, troops]})
        towered.when("conflict 4").then(log={"siege_with_tower": 1, outcome: 1})


def test_fights_before_sieges():
    """conflict_step1, conflict_3way, troops_lost_step1 (E1, E4): both troops of a pair, each lost by its seat."""
    given("18@(2,0)/0", troops={6: [2, 2, 1]}, seats=3).when("conflict 6", "remove 2", "remove 0").then(
        log={"conflict_step1": 1, "conflict_3way": 1, "troops_lost_step1": 4, "razed": 0},
        seat_log={0: {"troops_lost": 2}, 1: {"troops_lost": 1}, 2: {"troops_lost": 1}},
    )
    both = given("18@(-1,1)/0", {4: "0 silo"}, slots={4: 1}, troops={4: [1, 2]}).when(
        "conflict 4", "remove 1"
    )
    both.then(
        log={
            "conflict_step1": 1,
            "conflict_3way": 0,
            "troops_lost_step1": 2,
            "siege_equal": 1,
            "razed_cubes": 1,
        },
        seat_log={0: {"troops_lost": 1, "buildings_lost": 1}, 1: {"troops_lost": 2, "buildings_razed": 1}},
    )


def test_stand_offs():
    """standoffs (E3): own building, no own troops, troops of two others, at the start of the turn."""
    row = dict(tiles="18@(2,0)/0", buildings={6: "0 silo"}, seats=3)
    for troops, n in (([0, 2, 1], 1), ([1, 2, 1], 0), ([0, 3, 0], 0)):
        assert given(**row, troops={6: troops}).game_log()["standoffs"] == n
    assert given(**row, troops={6: [0, 2, 1]}, seat=2).game_log()["standoffs"] == 0


def test_peaceful_turns():
    """Turns begun before that of the first conflict, all turns without one."""
    given(troops={0: [0, 3]}, rounds=4).when("conflict 0").then(log={"peaceful_turns": 8})
    assert given(rounds=4, stack=1, phase="place").end_turn().game_log()["peaceful_turns"] == 9


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seat", [0, 1])
def test_buildings_that_are_built(kind, seat):
    """build by type, built by type of the seat, spent_building, cubes_spent."""
    name, price = BUILDINGS[kind], (4, 2, 2, 3, 3, 2)[kind]
    place = {0: ("18@(-1,1)/0 + 20@(-2,1)/0", 5), 1: ("18@(0,-1)/0 + 20@(-1,-1)/0", 5)}[seat]
    laden = given(place[0], {4: f"{seat} silo"}, {seat: 2, 4: 2}, seat=seat, phase="spend")
    laden.when(f"spend {name}").when(*[f"target {place[1]}"] * (laden.phase == "target")).skip()
    while laden.phase == "pay":
        laden.apply(laden.legal()[0])
    laden.then(
        log={f"build_{name}": 1, "spent": price, "spent_building": price, "spent_troop": 0, "spent_intel": 0},
        seat_log={
            seat: {"built": 1, f"built_{name}": 1, "cubes_spent": price},
            1 - seat: {"built": 0, "cubes_spent": 0},
        },
    )


def test_other_purchases():
    """recruits, relocations, intel_bought, each with what it cost, of the seat that buys."""
    laden = dict(slots={1: 2}, seat=1, phase="spend")
    given(**laden).when("spend intel").skip().then(
        log={"intel_bought": 1, "spent": 2, "spent_intel": 2, "spent_building": 0},
        seat_log={1: {"intel_bought": 1, "cubes_spent": 2}, 0: {"intel_bought": 0}},
    )
    hut = given("18@(0,-1)/0", {4: "1 barracks"}, **laden).when("spend recruit").skip()
    hut.then(
        log={"recruits": 1, "spent": 2, "spent_troop": 2, "spent_intel": 0},
        seat_log={1: {"troops_recruited": 1, "cubes_spent": 2}, 0: {"troops_recruited": 0}},
    )
    hills = "18@(-1,1)/0 + 19@(-2,1)/0 + 22@(-3,1)/0"  # E7
    moved = given(
        hills, {4: "0 silo", 5: "0 excavator"}, {0: 2, 4: 1}, phase="spend", options={"silo_cost": 1}
    )
    moved.when("spend relocate").skip()
    while moved.phase == "pay":
        moved.apply(moved.legal()[-1])
    moved.then(
        log={"relocations": 1, "spent_relocation": 1, "spent_building": 0},
        seat_log={0: {"relocated": 1, "built": 0, "cubes_spent": 1}},
    )


MINES = "18@(-1,1)/0 + 8@(-2,2)/0"


def test_production():
    """extracted, generated, transported, stored_terrain, deposits_depleted and what is missed (LO-6, LO-7)."""
    mine = given(MINES, {4: "0 excavator"}, deposits={2: 1}, phase="extract")
    mine.when("extract 25", "store 0", "extract 28", "store 0").when("generate done").then(
        log={
            "extracted": 2, "transported": 2, "stored_terrain": 0, "deposits_depleted": 1, "extraction_missed": 0,
            "generated": 0, "generation_missed": 1,
        },
        seat_log={0: {"extracted": 2, "generated": 0, "output_missed": 1}, 1: {"extracted": 0, "output_missed": 0}},
    )  # fmt: skip
    idle = given(MINES, {4: "0 excavator"}, phase="extract").when("extract done", "generate 0", "store 12")
    idle.when("generate done").then(
        log={"extraction_missed": 2, "generated": 1, "transported": 0, "generation_missed": 0},
        seat_log={0: {"generated": 1, "output_missed": 2}},
    )
    rough = given("20@(-1,1)/0", slots={0: 2}, buildings={4: "0 tower"}, phase="generate")
    rough.when("generate 0", "store 7").then(log={"generated": 1, "transported": 1, "stored_terrain": 1})


def test_intel():
    """disclosed, prevented, events_replaced (W9), of the seat that acts."""
    cards = dict(hands={1: [3, 9]}, events={1: 0}, seat=1)
    given(**cards).when("intel 0").then(
        log={"disclosed": 1, "events_replaced": 1, "prevented": 0},
        seat_log={1: {"disclosed": 1}, 0: {"disclosed": 0}},
    )
    given(**cards).when("intel 1").then(log={"disclosed": 1, "events_replaced": 0})
    given(**cards).when("intel 5").then(log={"disclosed": 0, "prevented": 1}, seat_log={1: {"prevented": 1}})


def test_tiles():
    """tiles_placed, deposits_placed, moves; a tile that fits nowhere (LO-8.4, E9)."""
    given(draw=[8], phase="place").to("spend").then(log={"tiles_placed": 1, "deposits_placed": 1})
    given(draw=[18], phase="place").to("spend").then(log={"tiles_placed": 1, "deposits_placed": 0})
    tiles = "21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0"
    position = given(tiles, phase="generate", draw=[47]).when("generate done")
    position.then(phase="spend", log={"tiles_discarded": 1, "tiles_placed": 0})
    march = given("18@(-1,1)/0", troops={4: [2]}, phase="move").when("move 24", "move 25", "move done")
    march.then(log={"moves": 2})


def test_what_is_left_at_the_end():
    """LO-21.1, LO-21.2: cubes, cards, points, buildings and troops of the final position, by seat."""
    end = given(
        "18@(-1,1)/0", {4: "0 silo"}, {0: 2, 4: 1}, {2: 1}, {4: [1], 1: [0, 2]}, {0: [1], 1: [3]}, {9: 1},
        stack=1, draw=[19], phase="place", options={"seat_vp_0": 2},
    ).end_turn()  # fmt: skip
    end.then(
        over=True, final=[8, 7], rank=[1, 2],
        log={
            "cubes_left_in_deposits": 1 + 3, "cubes_stored_end": 3, "pile_end": 93, "active_events_end": 1,
            "hand_end": 2, "buildings_end": 3, "troops_end": 3, "vp_buildings": 4 + 3, "event_vp_total": 2 + 4,
            "winner_margin": 1, "tiebreak_used": 0, "halfway_leader_wins": 1,
        },
        seat_log={
            0: {"vp_buildings": 4, "vp_events": 2, "buildings_end": 2, "cubes_end": 3, "troops_end": 1, "hand_end": 1},
            1: {"vp_buildings": 3, "vp_events": 4, "buildings_end": 1, "cubes_end": 0, "troops_end": 2, "hand_end": 1},
        },
    )  # fmt: skip


def test_the_map_at_the_end():
    """frontier_end, edges_shared, edges_passable: E11, and E5 with its rough edge."""
    end = given(troops={0: [0, 3]}).when("conflict 0")
    end.then(over=True, log={"frontier_end": 10, "edges_shared": 5, "edges_passable": 5, "eliminated": 1})
    assert [end.seat_log(seat)["eliminated"] for seat in (0, 1)] == [1, 0]
    assert end.seat_log(0)["vp_buildings"] == end.seat_log(0)["vp_events"] == 0
    rough = given("21@(-1,2)/2", troops={0: [0, 3]}).when("conflict 0")
    rough.then(log={"edges_shared": 6, "edges_passable": 5, "tiebreak_used": 0, "winner_margin": 3})


@pytest.mark.parametrize(
    ("slots", "rank", "log"),
    [
        ({}, [1, 1], {"winner_margin": 0, "tiebreak_used": 1}),
        ({1: 1}, [2, 1], {"winner_margin": 0, "tiebreak_used": 1}),
    ],
)
def test_ties(slots, rank, log):
    """tiebreak_used: two living players have the highest score, whether cubes and troops part them or not."""
    given(slots=slots, stack=1, phase="place").end_turn().then(over=True, rank=rank, log=log)


@pytest.mark.parametrize(
    ("scores", "changes", "halfway"),
    [
        ([[4, 3], [5, 5], [3, 4], [3, 4], [5, 4]], 2, 0),
        ([[4, 3], [5, 5], [6, 4], [3, 4], [3, 9]], 1, 0),
        ([[4, 3], [4, 3], [4, 9], [3, 4], [3, 9]], 1, 1),
        ([[4, 4], [4, 4], [4, 4], [4, 4], [5, 4]], 0, 1),
    ],
)
def test_leaders(scores, changes, halfway):
    """LO-21.3: ties are dropped; the leader after half of the turns, a tie included."""
    position = given(stack=5, phase="place")
    for points in scores:  # at the end of each turn
        position.rules.seat_vp[:2] = [points[0] - 3, points[1] - 3]
        position.end_turn()
    log = position.game_log()
    assert position.over and position.s.score[:2].tolist() == scores[-1]
    assert (log["lead_changes"], log["halfway_leader_wins"]) == (changes, halfway)


def test_start_tiles_and_turns():
    """start_tile: board index of the starting dome; turns: those begun by the seat."""
    position = Position({}, 3).when("setup_dome 1", "setup_dome 2", "setup_dome 0")
    assert sorted(position.seat_log(seat)["start_tile"] for seat in range(3)) == [0, 1, 2]
    assert position.seat_log(0)["start_tile"] == 1
    assert [position.seat_log(seat)["turns"] for seat in range(3)] == [1, 0, 0]
    position.end_turn().then(log={"turns": 1}, seat_log={0: {"turns": 1}, 1: {"turns": 1}, 2: {"turns": 0}})


def traced(position, seat):
    """What the trace shows of a seat in a position."""
    row = np.zeros(1, game.turn_dtype)[0]
    note_turn(position.s, position.rules, seat, row)
    return {name: int(row[name]) for name in TRACE}


def test_trace_of_turns():
    """LO-21 per turn: score, spendable cubes, buildings, troops, cards, free slots, income, stack."""
    row = dict(tiles=MINES, buildings={4: "0 excavator"}, slots={0: 1}, hands={0: [1]}, stack=7)
    position = given(**row, troops={0: [2], 1: [1, 1]})
    assert traced(position, 0) == {
        "score": 3 + 1 + 2, "spendable": 1, "buildings": 2, "troops": 3, "cards": 1, "free_slots": 1,
        "income": 1 + 2, "stack": 7,
    }  # fmt: skip
    looted = {"troops": {0: [0, 1]}, "slots": {0: 1, 1: 2}}
    assert traced(given(**row | looted), 1) == {
        "score": 3, "spendable": 3, "buildings": 1, "troops": 1, "cards": 0, "free_slots": 0, "income": 1,
        "stack": 7,
    }  # fmt: skip
    unable = given(MINES, {4: "0 excavator"}, options={"dome_storage": 0, "starting_resources": 0})
    assert traced(unable, 0)["income"] == 0  # no slot is in reach of dome or excavator


def test_decisions_are_those_with_a_choice():
    """LO-3.2 what is forced is not counted."""
    for seats in (2, 3, 4):
        check_decisions(Walk, FIGHT, seats)


def test_every_end_has_its_reason():
    """LO-11: `last_tile`, `elimination` or `points`."""
    assert [first.name for first in End if first] == ["last_tile", "elimination", "points"]
