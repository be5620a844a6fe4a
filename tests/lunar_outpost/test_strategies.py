"""Strategies: what they decide in given positions, rule by rule (LO-19); games under odd options."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from of_games.driver import driver
from simkit.content.strategies.lunar_outpost.denier import against_others
from simkit.content.strategies.lunar_outpost.homesteader import near_domes
from simkit.content.strategies.lunar_outpost.outlook import tile_worth
from simkit.content.strategies.lunar_outpost.prospector import near_shafts
from simkit.content.strategies.lunar_outpost.turtle import behind_rocks

from simkit.engine.table import GameTable
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import Phase
from tests.of_games.asking import answer, player

from .positions import Position, given

SLOW = pytest.mark.slow
FIGHT = {
    "barracks_cost": 1, "troop_cost": 1, "tower_cost": 1, "starting_resources": 2, "starting_troops": 3,
    "dome_output": 2, "troop_limit": 10, "dome_defence": 2,
}  # fmt: skip
FALL = FIGHT | {
    "dome_defence": 1, "silo_defence": 0, "excavator_defence": 0, "barracks_defence": 0, "tower_defence": 0,
    "barricade_defence": 1, "silo_tokens": 1, "excavator_tokens": 1, "barracks_tokens": 1, "tower_tokens": 2,
}  # fmt: skip


def views(position: Position) -> Any:
    """The position as the seat to decide may see it."""
    array = np.zeros(1, game.state_dtype)
    driver(game).observe(position.states, position.rules_array, position.s.seat, array)
    return array[0]


def expected_rushes(view: Any, ids: list[int]) -> list[int]:
    """MOVE of the busy player, from the text: onto others, else from where no building of others is, else done."""
    me, done = view.seat, 288

    def others_building(t: int) -> bool:
        return view.bowner[t] >= 0 and view.bowner[t] != me

    def others_troops(t: int) -> bool:
        return any(view.troops[t, p] for p in range(view.seats) if p != me)

    steps = [(a, a // 6, view.nb[a // 6, a % 6]) for a in ids if a != done]
    onto = [a for a, _, u in steps if others_building(u) or others_troops(u)]
    return onto or [a for a, t, _ in steps if not others_building(t)] or [done]


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@SLOW
def test_the_busy_player_rushes_and_is_never_done():
    done, seen = {"intel": 10, "extract": 288, "generate": 48, "spend": 0}, Counter[str]()
    for seats in (2, 3, 4):
        position = Position(FIGHT, seats)
        while not position.over:
            ids = position.legal()
            may = [a for a in ids if a != done.get(position.phase)]
            if position.phase == "move":
                may = expected_rushes(views(position), ids)
            action = ids[0]
            if len(ids) > 1:
                result = {answer(position, "uniform_busy", luck) for luck in range(1, 9)}
                action = sorted(result)[-1 - position.s.turn_no % len(result)]
                assert result <= set(may) and (len(may) > 1) == (len(result) > 1), (position.phase, ids)
                seen[position.phase + " all" * (len(may) == len(ids))] += 1
            driver(game).step(position.states, position.rules_array, position.rng, action)
    assert (
        seen["move"] > 50 and seen["extract"] > 0 and "extract all" not in seen and "spend all" not in seen
    ), seen


@pytest.mark.parametrize("luck", [1, 2])
def test_the_busy_player_takes_each_id_as_often(luck):
    position = given(troops={0: [2]}, phase="move")
    ids = expected_rushes(views(position), position.legal())
    counts = Counter(answer(position, "uniform_busy", luck + 7919 * i) for i in range(600))
    assert set(counts) == set(ids) and len(ids) > 1
    assert max(abs(n - 600 / len(ids)) for n in counts.values()) < 4 * (600 / len(ids)) ** 0.5


HILL = "18@(-1,1)/0 + 19@(-1,0)/0 + 20@(-2,2)/0 + 24@(-3,2)/0"
PIT = "20@(-1,1)/0 + 6@(-2,1)/0 + 19@(-2,2)/0"
PITS = "18@(-1,1)/0 + 6@(-2,1)/0 + 19@(-2,2)/0 + 20@(-1,0)/0"
WEST = "18@(-1,1)/0 + 19@(-2,1)/0 + 20@(-2,2)/0 + 6@(-3,3)/0"
ROCK = "18@(-1,1)/0 + 19@(-1,0)/0 + 45@(-2,2)/1"
RIDGE = "18@(-1,1)/0 + 19@(-1,0)/0 + 20@(-2,1)/0"
DOME, EXCAVATOR, SILO, BARRACKS, TOWER, BARRICADE = range(1, 7)
DONE, INTEL, RELOCATE = 0, 8, 9


def spend(tiles: str, buildings: dict[int, str], slots: dict[int, Any], **more: Any) -> Position:
    return given(tiles, buildings=buildings, slots=slots, phase="spend", **more)


def silo(cubes: int, dome: int = 2, tiles: str = HILL, **more: Any) -> Position:
    """An own dome, and a silo next to it."""
    return spend(tiles, {4: "0 silo"}, {0: dome, 4: cubes}, **more)


def pit(cubes: int) -> Position:
    """A silo next to the dome; one deposit in reach of free locations, with so many cubes."""
    return silo(0, 2, PIT, deposits={5: cubes, 2: 0})


def shaft(**more: Any) -> Position:
    """An excavator next to the dome, whose slots are full; more deposits for another excavator."""
    return spend(PITS, {4: "0 excavator"}, {0: 2}, **more)


def worn(**more: Any) -> Position:
    """An excavator between two silos with no deposit in reach; one is in reach of a free location."""
    return spend(WEST, {4: "0 silo", 5: "0 excavator"}, {0: 2, 4: 1}, **{"deposits": {2: 0}} | more)


def with_hand(*cards: int) -> Position:
    """The first decision of a game with a choice of the starting hand (LO-2.8)."""
    position = Position({"starting_intel": 2, "starting_intel_extra": 1})
    position.s.hand[0, :3] = cards
    return position


def march(tiles: str = "18@(-1,1)/0", **more: Any) -> Position:
    return given(tiles, phase="move", **more)


def placed(tile: int, tiles: str = "", **more: Any) -> Position:
    return given(tiles, draw=[tile], phase="place", **more).skip()


THREE = {"tiles": "18@(2,0)/0", "seats": 3}
STAR = "18@(-1,1)/0 + 19@(-2,2)/0 + 20@(-1,0)/0"
BARE = {2: 0, 3: 0}  # no cubes on the first deposits
SHAFT = "18@(-1,1)/0 + 19@(-2,1)/0"
FAR = "18@(-1,1)/0 + {}@(-2,1)/0 + 8@(-3,1)/0"  # the second tile is connected to the first and to a deposit
REFERENCE = {
    "SETUP_DOME lowest": (Position(), 0),
    "DISCARD_INTEL the fewest points": (with_hand(1, 4, 0), 2),
    "DISCARD_INTEL lowest among equals": (with_hand(1, 4, 6), 1),
    "INTEL below the limit: done": (given(hands={0: [0, 8]}), 10),
    "INTEL at the limit: the first category": (given(hands={0: [0, 8, 16]}), 0),
    "INTEL at the limit: not its own category": (given(hands={0: [0, 8, 16]}, events={1: 0}), 1),
    "INTEL at the limit: a category of another": (given(hands={0: [0, 8, 16]}, events={1: 1}), 0),
    "INTEL at the limit: all are its own": (given(hands={0: [0, 2, 4]}, events={1: 0}), 10),
    "INTEL at a lower limit": (given(hands={0: [0]}, options={"intel_limit": 1}), 0),
    "CONFLICT lowest": (given("21@(-1,2)/2", {4: "0 tower"}, troops={0: [0, 3], 4: [0, 2]}), 0),
    "REMOVE the most troops": (given(**THREE, troops={6: [2, 1, 2]}).when("conflict 6"), 2),
    "REMOVE lowest among equals": (given(**THREE, troops={6: [2, 2, 2]}).when("conflict 6"), 1),
    "EXTRACT lowest": (given("18@(-1,1)/0 + 8@(-2,2)/0", {4: "0 excavator"}, phase="extract"), 25),
    "GENERATE lowest": (given(phase="generate"), 0),
    "STORE not with a dome": (given(SHAFT, {4: "0 excavator", 5: "0 silo"}, phase="extract").when("extract 25"), 6),
    "STORE in a building slot": (
        given(SHAFT.replace("19", "20"), {4: "0 excavator", 5: "0 silo"}, phase="extract").when("extract 25"), 6,
    ),
    "STORE in a terrain slot before a dome": (
        given(SHAFT.replace("19", "20"), {4: "0 excavator", 5: "0 silo"}, {5: 2}, phase="extract").when("extract 25"), 7,
    ),
    "PLACE a location next to an own building and a deposit": (placed(18), 0),
    "PLACE a location away from others": (
        placed(18, "19@(2,0)/0 + 14@(2,-1)/0", buildings={4: "1 silo"}, seat=1), 9,
    ),
    "PLACE barren land next to another's building": (placed(14), 6),
    "PLACE barren land away from own buildings": (
        placed(14, "18@(2,0)/0 + 19@(2,-1)/0", buildings={4: "1 silo"}), 9,
    ),
    "PLACE a deposit next to an own excavator": (placed(6, "18@(-1,1)/0", buildings={4: "0 excavator"}), 15),
    "PLACE a deposit next to a free location": (placed(6, "18@(-1,1)/0"), 15),
    "PLACE a deposit not next to another's excavator": (placed(6, "18@(2,0)/0", buildings={4: "1 excavator"}), 3),
    "PLACE_ROT lowest, all are worth the same": (placed(43).when("place_cell 4"), 2),
    "TILE the best": (given(draw=[46, 47, 18], phase="place", options={"tile_choice": 3}), 2),
    "SPEND an excavator for two deposits": (spend(PITS, {}, {0: 2}), EXCAVATOR),
    "SPEND a dome at 40 before a silo": (silo(2, deposits=BARE), DOME),
    "SPEND a silo": (spend(HILL, {}, {0: 2}, deposits=BARE), SILO),
    "SPEND barracks from three buildings on": (
        spend(HILL, {4: "0 silo", 5: "0 silo"}, {0: 2, 4: 1}, deposits=BARE), BARRACKS,
    ),
    "SPEND a tower before second barracks and a fourth troop": (
        spend(HILL, {4: "0 silo", 5: "0 barracks"}, {0: 2, 4: 1}, deposits=BARE, troops={0: [3]}), TOWER,
    ),
    "SPEND recruits": (spend(HILL, {4: "0 silo", 5: "0 barracks"}, {0: 2}, deposits=BARE, troops={0: [2]}), 7),
    "SPEND recruits not in the last turn": (
        spend(HILL, {4: "0 silo", 5: "0 barracks"}, {0: 2}, deposits=BARE, stack=1), INTEL,
    ),
    "SPEND saves for what is worth 20": (
        spend(SHAFT, {4: "0 silo"}, {0: 2}, deposits=BARE, options={"silo_tokens": 1}), DONE,
    ),
    "SPEND with full slots on what is worth less": (
        spend(SHAFT, {4: "0 silo"}, {0: 2, 4: 1}, deposits=BARE, options={"silo_tokens": 1}), TOWER,
    ),
    "SPEND on intel where an excavator has no room": (
        spend(FAR.format(19), {4: "0 barricade"}, {0: 2}, deposits=BARE), INTEL,
    ),
    "SPEND on an excavator with a terrain slot": (
        spend(FAR.format(20), {4: "0 barricade"}, {0: 2}, deposits=BARE), EXCAVATOR,
    ),
    "TARGET the most deposits": (spend(PITS, {4: "0 silo"}, {0: 2}).when("spend excavator"), 7),
    "TARGET a tower next to the most own buildings": (
        spend(f"{STAR} + 21@(-2,1)/4", {4: "0 silo", 6: "0 silo"}, {0: 2, 4: 1}).when("spend tower"), 7,
    ),
    "TARGET a dome where it is connected": (silo(2).when("spend dome"), 5),
    "TARGET recruits nearest to the enemy": (
        spend(SHAFT, {4: "0 barracks", 5: "0 barracks"}, {0: 2}).when("spend recruit"), 4,
    ),
    "PAY from a dome": (
        spend(SHAFT, {4: "0 silo", 5: "0 dome"}, {4: 2, 5: 2}, domeless=[0]).when("spend intel"), 10,
    ),
    "MOVE towards the nearest building": (march(troops={4: [1]}), 25),
    "MOVE onto what is not stronger": (march(troops={2: [3]}), 13),
    "MOVE not onto what is stronger": (march(troops={2: [2]}), 288),
    "MOVE troops count that are there": (march(troops={2: [1], 1: [2]}), 13),
    "MOVE not onto troops of others": (march(troops={4: [1], 2: [0, 1]}), 288),
    "MOVE stays in a siege": (march(troops={1: [1]}), 288),
    "MOVE over rough edges while that is allowed": (march("21@(-1,2)/2", troops={4: [1]}, events={22: 1}), 25),
}  # fmt: skip


@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_player(name):
    """LO-19 `reference_greedy`, rule by rule."""
    position, expected = REFERENCE[name]
    assert len(position.legal()) > 1 and answer(position) == expected


def test_every_phase_has_a_row():
    """LO-19 all that the reference player is asked; it never relocates."""
    decided = {phase.name for phase in Phase if phase >= 0} - {"reloc_src"}
    assert {position.phase for position, _ in REFERENCE.values()} == decided


CHOICES = {
    # homesteader
    "homesteader: a dome": (silo(2), {"homesteader": DOME}),
    "homesteader: a silo to save for a dome": (
        spend(HILL, {}, {0: 2}),
        {"homesteader": SILO, "reference_greedy": EXCAVATOR, "prospector": EXCAVATOR},
    ),
    "homesteader: saves": (silo(1, 2, PIT), {"homesteader": DONE, "reference_greedy": EXCAVATOR}),
    "homesteader: no tokens, not full": (silo(0, options={"dome_tokens": 1}), {"homesteader": DONE}),
    "homesteader: no tokens, no site for a silo": (
        silo(1, options={"dome_tokens": 1}),
        {"homesteader": INTEL},
    ),
    "homesteader: no tokens, no intel either": (
        silo(1, options={"dome_tokens": 1, "events": False, "barracks_tokens": 0}),
        {"homesteader": TOWER},
    ),
    "homesteader: where most locations are": (
        silo(2).when("spend dome"),
        {"homesteader": 6, "reference_greedy": 5},
    ),
    # prospector
    "prospector: two deposits": (spend(PITS, {}, {0: 2}), {"prospector": EXCAVATOR}),
    "prospector: full slots": (shaft(deposits={2: 0}), {"prospector": SILO, "reference_greedy": EXCAVATOR}),
    "prospector: full slots, two deposits": (shaft(), {"prospector": EXCAVATOR}),
    "prospector: a deposit too poor": (pit(1), {"prospector": DONE, "reference_greedy": EXCAVATOR}),
    "prospector: a deposit": (pit(2), {"prospector": EXCAVATOR}),
    "prospector: a worn excavator": (
        worn(),
        {"prospector": RELOCATE, "denier": RELOCATE, "turtle": EXCAVATOR},
    ),
    "prospector: a worn excavator, too late": (worn(stack=3), {"prospector": SILO}),
    "prospector: a worn excavator, nowhere else": (worn(deposits={2: 0, 7: 0}), {"prospector": SILO}),
    "prospector: which excavator": (worn().when("spend relocate"), {"prospector": 5, "reference_greedy": 4}),
    # turtle
    "turtle: poor, as the reference": (shaft(deposits={2: 0}), {"turtle": EXCAVATOR}),
    "turtle: rich": (shaft(), {"turtle": BARRICADE, "reference_greedy": EXCAVATOR}),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices(name):
    position, expected = CHOICES[name]
    assert {who: answer(position, who) for who in expected} == expected


def test_what_the_turtle_builds():
    """A tower next to two own buildings, a barricade at the front, a tower next to one, a dome."""

    def built(position: Position, steps: int = 2) -> int:
        return answer(position, "turtle", income="0", steps=str(steps))

    two = spend(RIDGE, {4: "0 silo", 5: "0 silo"}, {0: 2, 4: 1})
    assert built(two) == TOWER
    first = silo(1, 2, RIDGE)  # tile 5 is two steps from the dome of seat 1
    assert built(first) == BARRICADE and built(first, 1) == TOWER
    assert built(silo(0, 2, RIDGE), 1) == DONE
    assert built(silo(2, 2, RIDGE, options={"tower_tokens": 0}), 1) == DOME
    assert built(silo(1, 2, RIDGE, options={"tower_tokens": 0}), 1) == BARRACKS  # its slots are full


def test_where_the_turtle_builds():
    """4 x terrain bonus - passable edges among the sites for which it was chosen."""

    def where(position: Position, name: str, **weights: str) -> int:
        return answer(position.when(f"spend {name}"), "turtle", **weights)

    assert where(silo(2, 2, ROCK), "tower") == 5  # income 1: as the reference
    assert where(silo(2, 2, ROCK), "tower", income="0") == 6
    assert where(silo(2, 2, ROCK), "dome", income="0") == 6
    assert where(silo(2, 2, ROCK), "barricade", income="0") == 5  # tile 6 is three steps from the front
    assert where(silo(2, 2, ROCK), "barricade", income="0", steps="3") == 6


def lands(*tiles: int) -> int:
    return sum(1 << t for t in tiles)


# Tiles: 4 an own excavator, 5 an own silo, 6 free and connected to both, 7 an excavator of the opponent, 8 free
# and connected to it; 0 the own dome, 1 the opponent's, 2 a deposit. Drawn: a deposit, barren, a location.
LAND = "18@(-1,1)/0 + 19@(-2,1)/0 + 20@(-2,2)/0 + 21@(1,-2)/0 + 22@(0,-2)/0"
DEPOSIT, BARREN, LOCATION = 6, 14, 25
WORTHS = [  # tile, connected to, beside; by homesteader, prospector, turtle, denier, planner
    (DEPOSIT, [4], [4], [7, 9, 7, 6, 2]),
    (DEPOSIT, [5, 6], [5, 6], [4, 5, 4, 3, 1.4]),
    (DEPOSIT, [7], [7], [-4, -6, -4, -8, -2]),
    (DEPOSIT, [1], [1, 7], [0, 0, 3, -1, 0]),
    (BARREN, [4, 1], [4, 1], [-1, -1, -1, -3, 0]),
    (BARREN, [], [8], [0, 0, 0, 4, 0]),
    (BARREN, [], [7, 1], [0, 0, 6, 4, 0]),
    (LOCATION, [0, 2], [0, 2], [6, 6, 6, 2, 2.4]),
    (LOCATION, [0, 4, 5], [0, 4, 5], [10, 12, 12, 6, 1]),
    (LOCATION, [0, 1], [0, 1, 7], [3, 1, 4, 1, 1]),
]


@pytest.mark.parametrize(("tile", "joined", "neighbour", "worths"), WORTHS)
def test_what_a_tile_is_worth(tile, joined, neighbour, worths):
    position = given(LAND, buildings={4: "0 excavator", 5: "0 silo", 7: "1 excavator"}, phase="spend")
    of = (near_domes, near_shafts, behind_rocks, against_others, tile_worth)
    weights = SimpleNamespace(passable=3)
    results = [f(position.s, position.rules, tile, lands(*joined), lands(*neighbour), weights) for f in of]
    assert results == worths


STYLED = ["homesteader", "prospector", "turtle", "denier"]


def last_turn(**more: Any) -> Position:
    return silo(2, stack=1, **more)


@pytest.mark.parametrize("name", STYLED)
def test_the_last_turn_is_spent_on_points(name):
    assert answer(last_turn(), name) == DOME
    assert answer(last_turn(options={"dome_tokens": 1}), name) == BARRACKS  # 2 points for 3 cubes
    assert answer(last_turn(options={"dome_vp": 0, "barracks_vp": 0, "tower_vp": 0}), name) == EXCAVATOR
    idle = {f"{b}_vp": 0 for b in ("dome", "excavator", "silo", "barracks", "tower", "barricade")}
    assert answer(last_turn(options=idle | {"events": False}), name) == DONE


@pytest.mark.parametrize("name", STYLED)
def test_who_makes_no_war_does_not_recruit(name):
    position = spend(HILL, {4: "0 barracks"}, {0: 2}, deposits={2: 0}, options={"barracks_vp": 6})
    assert 7 in position.legal() and answer(position) == 7 and answer(position, name) != 7


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@SLOW
def test_the_denier_lays_against_the_others():
    table, rough = GameTable(game, game.rules({})), {}
    for name in ("denier", "prospector"):
        lineup = [player(game, first) for first in (name, "random")]
        log = table.play(lineup, 1, np.arange(200), np.arange(200) % 2)["log"]["game"]
        rough[name] = 1 - log["edges_passable"].sum() / log["edges_shared"].sum()
    assert rough["denier"] > rough["prospector"]


CHOICE = {"tile_choice": 3, "unplaceable": "redraw", "deposit_delta": 3}


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@SLOW
@pytest.mark.parametrize("options", [{}, FALL, CHOICE], ids=["default", "fall", "choice"])
def test_compiled_players_are_the_uncompiled_ones(options):
    table, names = GameTable(game, game.rules(options)), ["uniform_busy", "reference_greedy", *STYLED]
    for i, seats in enumerate((2, 3, 4)):
        lineup = [player(game, first) for first in (names[i:] + names)[:seats]]
        pair = [table.play(lineup, 1, np.arange(2), np.zeros(2, np.int64), compiled=c) for c in (True, False)]
        assert pair[0].tobytes() == pair[1].tobytes()
