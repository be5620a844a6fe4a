"""Strategies that plan, make war or spy: planner, opportunist, raider, spymaster (LO-19)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from simkit.content.strategies.lunar_outpost.raider import prize

from simkit.engine import registry
from simkit.engine.table import GameTable
from simkit.games.lunar_outpost import game
from tests.of_games.asking import answer

from .positions import Position, given
from .test_strategies import LAND, PITS, placed, spend, worn
from .walk import BUILDINGS, FIGHT

SLOW = pytest.mark.slow
DOME, EXCAVATOR, SILO, BARRACKS, TOWER, BARRICADE = range(6)
DONE, RECRUIT, INTEL, RELOCATE = 0, 7, 8, 9
NAMES = ["opportunist", "patient_planner", "planner", "raider", "spymaster"]
NEAR = "18@(-1,1)/0"  # next to the dome of seat 0 and deposit 2, with two seats
WIDE = f"{NEAR} + 32@(-1,2)/2 + 19@(-2,1)/0"


def test_the_planner_buys_what_raises_its_income():
    """An excavator alone is worth no more than a silo: the slots of a dome hold back the income."""
    assert answer(given(NEAR, slots={0: 2}, phase="spend"), "planner") == 1 + EXCAVATOR
    position = given(WIDE, {4: "0 excavator"}, slots={0: 2}, phase="spend")
    assert answer(position, "planner") == 1 + SILO
    assert answer(position, "planner", income="0", cubes="2") == DONE
    assert answer(position, "planner", income="0", cubes="2", room="1") == 1 + EXCAVATOR


def test_the_planner_chooses_what_looks_best_after_it():
    """A site with the most deposits, the worn excavator (not the silo), a cell next to two own buildings."""
    assert answer(spend(PITS, {4: "0 silo"}, {0: 2}).when("spend excavator"), "planner") == 7
    assert answer(worn().when("spend relocate"), "planner") == 5
    land = placed(6, LAND, buildings={4: "0 excavator", 5: "0 silo", 7: "1 excavator"})
    assert answer(land, "planner") == 15 and answer(placed(14), "planner") == 0


def test_the_patient_planner_saves_up():
    """Of four slots two are free: it keeps its cubes for a dome; full slots it empties."""
    more = {
        "tiles": NEAR + " + 19@(1,1)/0",
        "buildings": {4: "0 silo"},
        "phase": "spend",
        "lost": {0: {"excavator": 3}},
    }
    few, count = given(slots={0: 2}, **more), given(slots={0: 2, 4: 2}, **more)
    assert answer(few, "planner") == 1 + SILO and answer(few, "patient_planner") == DONE
    assert answer(count, "patient_planner") == 1 + DOME


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@SLOW
def test_restricted_play():
    """It never builds what it goes without, in the last turn neither."""
    for name in ("silo", "tower"):
        lineup = [registry.strategy(game, "patient_planner").player(game, {"without": name})] * 3
        states = GameTable(game, game.rules({})).play(lineup, 3, np.arange(30), np.zeros(30, np.int64))
        built = dict(zip(BUILDINGS, states["log"]["game"]["build"].sum(axis=0), strict=True))
        assert [first for first, n in built.items() if n == 0] == [name], built


def test_the_planner_saves_what_is_in_danger():
    """Three troops next to the dome raze it, unless a tower is next to it; without them all are as good."""
    position = given(
        WIDE, {4: "0 silo"}, slots={0: 1, 4: 2}, lost={0: {"excavator": 3, "silo": 2}}, phase="spend"
    )
    assert answer(position, "planner") == 1 + BARRACKS
    troops = given(
        WIDE, {4: "0 silo"}, slots={0: 1, 4: 2}, troops={2: [0, 3]}, lost={0: {"excavator": 3, "silo": 2}},
        phase="spend",
    )  # fmt: skip
    assert answer(troops, "planner") == 1 + TOWER


def test_the_planner_discloses_what_helps():
    assert answer(given(WIDE, {4: "0 silo"}, hands={0: [8, 0]}), "planner") == 1
    assert answer(given(WIDE, {4: "0 silo"}, hands={0: [8, 1]}), "planner") == 10


def raiding(buildings: dict[int, str], **more: Any) -> Position:
    """Cubes of seat 0 lie in its dome and on the silo at tile 4."""
    return given(WIDE, {4: "0 silo"} | buildings, **{"slots": {0: 2, 4: 2}, "phase": "spend"} | more)


def test_the_raider_arms():
    assert answer(raiding({6: "0 tower"}), "raider") == 1 + BARRACKS
    assert answer(raiding({}), "raider") != 1 + BARRACKS
    assert answer(raiding({}, rounds=3), "raider") == 1 + BARRACKS
    armed = raiding({6: "0 barracks"}, troops={6: [4]})
    assert answer(armed, "raider") == RECRUIT
    assert answer(armed, "raider", troops="4") != RECRUIT
    assert answer(raiding({6: "0 barracks"}, stack=1), "raider") == 1 + DOME


def test_the_raider_builds_its_barracks_near_the_enemy():
    """Tile 4 is two steps from the enemy's dome, tile 5 three."""
    position = given(
        NEAR + " + 19@(1,1)/0", slots={0: 2}, options={"barracks_cost": 2}, phase="spend", rounds=3
    )
    assert answer(position, "raider") == 1 + BARRACKS
    position.apply(1 + BARRACKS)
    assert position.legal() == [4, 5] and answer(position, "raider") == 4


def test_the_raider_marches_with_enough():
    """The enemy's dome defends 3: troops wait next to it, on deposits 2 and 3, until they are three."""
    assert answer(given(troops={2: [2, 0], 0: [1, 0]}, phase="move"), "raider") == 0 * 6 + 1
    waiting = given(troops={2: [2, 0]}, phase="move")
    assert answer(waiting, "raider") == 288
    assert answer(given(troops={2: [2, 0], 3: [1, 0]}, phase="move"), "raider") == 2 * 6 + 1
    assert answer(given(troops={1: [1, 0], 3: [2, 0]}, phase="move"), "raider") == 3 * 6 + 2
    assert answer(given(troops={1: [3, 0]}, phase="move"), "raider") == 288


def test_the_raider_prefers_the_leader_and_excavators():
    """A worth of 3 + 4 - 6 for either dome; two points more for the leader's, and a step less for the nearer."""
    position = given(seats=3, troops={3: [3, 0, 0]}, phase="move")
    assert answer(position, "raider") // 6 == 3
    ahead = {0: answer(position, "raider")}
    for leader in (1, 2):
        position = given(seats=3, troops={3: [3, 0, 0]}, events={1: leader}, phase="move")
        ahead[leader] = answer(position, "raider")
    assert ahead[1] != ahead[2] and ahead[0] == ahead[1]


def test_what_a_goal_is_worth():
    """An excavator of the leader: 1 point + 2 cubes - 2 * 1 defence + 2 + 2; its dome: 3 + 4 - 2 * 3 + 2."""
    position, w = given(NEAR, {4: "1 excavator"}), SimpleNamespace(defence=2.0)
    worth = [prize(position.s, position.rules, t, 1, rival, w) for t, rival in ((4, 1), (4, 2), (1, 1))]
    assert worth == [4, 2, 2]


def test_the_raider_removes_the_leader():
    more = {"tiles": "18@(2,0)/0", "troops": {6: [2, 1, 2]}, "seats": 3}
    for leader in (1, 2):
        position = given(events={1: leader}, **more).when("conflict 6")
        assert answer(position, "raider") == leader
    position = given(events={1: 2}, troops={6: [2, 2, 0]}, tiles="18@(2,0)/0", seats=3)
    assert position.when("conflict 6").skip().phase != "remove"  # one victim: forced


def test_the_spymaster_buys_intel():
    """From an income of two on before all but domes and excavators with two live deposits."""
    poor = given(NEAR, slots={0: 2}, phase="spend")
    assert answer(poor, "spymaster") == 1 + EXCAVATOR
    rich = given(WIDE, {4: "0 excavator"}, slots={0: 2}, phase="spend")
    assert answer(rich, "spymaster") == INTEL
    assert answer(rich, "spymaster", income="3") == 1 + SILO
    full = given(WIDE, {4: "0 excavator"}, slots={0: 2}, hands={0: [1, 2, 3]}, phase="spend")
    assert answer(full, "spymaster") == 1 + SILO
    saved = given(WIDE, {4: "0 excavator", 6: "0 silo"}, slots={0: 2, 6: 2}, phase="spend")
    assert answer(saved, "spymaster") == 1 + DOME


def test_the_spymaster_picks_its_events():
    """Two domes against one: dome_rate +1 gains 1, not more than its weight; vp_silo with three silos gains 3."""
    three = {4: "0 silo", 5: "0 silo", 6: "0 silo"}
    assert answer(given(WIDE, three, hands={0: [0, 30]}), "spymaster") == 1
    assert answer(given(WIDE, three, hands={0: [0, 30]}, stack=4), "spymaster") == 10
    assert answer(given(WIDE, {4: "0 dome"}, hands={0: [0]}), "spymaster") == 10
    assert answer(given(WIDE, {4: "0 dome"}, hands={0: [0]}), "spymaster", benefit="0.5") == 0
    assert answer(given(WIDE, {4: "0 dome"}, hands={0: [0]}, events={1: 1}), "spymaster") == 0
    assert answer(given(WIDE, {4: "0 dome"}, hands={0: [3, 0, 1]}), "spymaster") == 1  # the hand is full


def test_the_opportunist_goes_to_war():
    """The enemy's dome is worth 4 + 2 * 3, costs 3 troops at 2 and a barracks at 3."""
    home = raiding({})
    assert answer(home, "opportunist") == 1 + BARRACKS
    assert answer(raiding({}, options={"troop_cost": 3}), "opportunist") == answer(home, "planner")
    assert answer(raiding({}, stack=5), "opportunist") == answer(raiding({}, stack=5), "planner")
    assert answer(raiding({}, troops={1: [0, 1]}), "opportunist") != 1 + BARRACKS
    home.apply(1 + BARRACKS)
    assert answer(home, "opportunist") == 5
    armed = raiding({5: "0 barracks"}, troops={5: [2]})
    assert answer(armed, "opportunist") == RECRUIT
    assert answer(raiding({5: "0 barracks"}, troops={5: [3]}), "opportunist") != RECRUIT
    assert answer(armed, "opportunist", reach="1") != RECRUIT


def test_the_opportunist_marches_or_stays():
    more = {"tiles": WIDE, "buildings": {4: "0 barracks"}, "phase": "move"}
    assert answer(given(troops={2: [2, 0], 0: [1, 0]}, **more), "opportunist") == 0 * 6 + 1
    assert answer(given(troops={2: [2, 0], 0: [1, 0]}, stack=4, **more), "opportunist") == 288
    assert answer(given(troops={2: [3, 0], 3: [0, 1]}, **more), "opportunist") == 288


def play(name: str, options: dict[str, Any], games: int, seats: int) -> np.ndarray:
    """Final states of games of one strategy against itself."""
    lineup = [registry.strategy(game, name).player(game)] * seats
    return GameTable(game, game.rules(options)).play(lineup, 3, np.arange(games), np.zeros(games, np.int64))


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@SLOW
@pytest.mark.parametrize("name", NAMES)
def test_they_play_the_same_uncompiled(name):
    lineup = [registry.strategy(game, name).player(game)] * 3
    for options in ({"tiles_trim": 12}, FIGHT | {"tiles_trim": 12, "starting_intel": 3}):
        table, first = GameTable(game, game.rules(options)), np.zeros(1, np.int64)
        assert table.play(lineup, 3, first, first) == table.play(lineup, 3, first, first, compiled=False), (
            options
        )


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@SLOW
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_beats_the_reference(seats):
    """Its share of the wins is above 1/k, with the interval over deals, each played from every seat."""
    names, deals, shares = ["patient_planner", *["reference_greedy"] * (seats - 1)], np.arange(600), []
    lineup = [registry.strategy(game, name).player(game) for name in names]
    table = GameTable(game, game.rules({}))
    for shift in range(seats):
        wins = table.play(lineup, 5, deals, np.full(len(deals), shift))["rank"][:, :seats] == 1
        shares.append(wins[:, -shift % seats] / wins.sum(axis=1))
    share = np.mean(shares, axis=0)
    assert share.mean() - 1.96 * share.std() / np.sqrt(len(deals)) > 1 / seats


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@SLOW
@pytest.mark.parametrize("name", ["patient_planner", "planner", "spymaster"])
def test_the_peaceful_never_recruit(name):
    assert play(name, {}, 50, 3)["log"]["game"]["recruits"].sum() == 0
    assert play("raider", {}, 50, 3)["log"]["game"]["recruits"].sum() > 0
