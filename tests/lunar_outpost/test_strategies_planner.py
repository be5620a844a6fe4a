"""Strategies that plan, make war or spy: planner, opportunist, raider, spymaster (LO-19)."""

from __future__ import annotations

from copy import copy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from of_games.driver import driver
from simkit.content.strategies.lunar_outpost.raider import prize

from simkit.engine import registry
from simkit.engine.game import OVER
from simkit.engine.table import GameTable
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.conflicts import total_defence
from simkit.games.lunar_outpost.works import income
from simkit.verify.check import random_settings

from .positions import Position, copied, given
from .test_strategies import answer
from .walk import BUILDINGS, EVENTS, FIGHT, RAZE, TILES

SLOW = pytest.mark.slow
DOME, EXCAVATOR, SILO, BARRACKS, TOWER, BARRICADE = range(6)
DONE, RECRUIT, INTEL, RELOCATE = 0, 7, 8, 9
NAMES = ["opportunist", "patient_planner", "planner", "raider", "spymaster"]
SETTINGS: dict[str, dict[str, Any]] = {
    "default": {}, "no troops": {"troop_limit": 0}, "no events": {"events": False}, "one dome": {"dome_tokens": 1},
    "no storage": {f"{name}_storage": 0 for name in ("dome", "silo")},
    "choice": {"tile_choice": 3, "unplaceable": "redraw"},
    "starting intel": {"starting_intel": 3, "starting_intel_extra": 2, "intel_limit": 5, "intel_cost": 1},
    "fight": FIGHT, "raze": RAZE, "no hand": {"intel_limit": 0, "starting_intel": 2},
    "rough": {"extract_needs_passable": False, "domes_anywhere": False, "siege_spend": False},
    "race": {"vp_end": 12, "equal_turns": True, "tiles_trim": 20, "event_vp": "all_disclosed"},
}  # fmt: skip


def fork(position: Position) -> Position:
    """The same position once more, to try things on."""
    other = copy(position)
    other.states, other.rng, other.ids = copied(position.states), position.rng.copy(), position.ids.copy()
    other.s, other.decided, other.forced = other.states[0], [], []
    return other


# A plain planner: it lets the rules carry everything out, and reckons from the outside.


def steps(s: Any, start: int, most: int) -> set[int]:
    """Tiles at most so many steps away, as troops can go."""
    result = {start}
    for _ in range(most):
        for t in list(result):
            for d in range(6):
                if s.nb[t, d] >= 0 and (s.edges[t] >> d & 1 or s.mod[17]):
                    result.add(int(s.nb[t, d]))
    return result


def plain_outlook(position: Position, unknown: int = 0) -> float:
    """The value of a position (LO-19, planner); the last `unknown` cards in hand count one point each."""
    s, rules, me, k = position.s, position.rules, int(position.s.seat), position.seats
    own = [t for t in range(s.n_tiles) if s.bowner[t] == me]
    points = {t: int(rules.vp[s.btype[t]]) + int(s.mod[21 + s.btype[t]]) for t in own}
    cards = [int(card) for card in s.hand[me, : s.hand_n[me] - unknown]]
    cards += [int(s.active_event[c]) for c in range(4) if s.event_owner[c] == me]
    turns = int(s.stack_n) // int(sum(s.alive[:k])) + 1
    last = s.stack_n < sum(s.alive[:k])
    slots = sum(int(rules.storage[s.btype[t]]) + TILES[s.tile_id[t]]["slots"] for t in own)
    spendable = sum(int(s.st_b[t]) + int(s.st_t[t]) for t in range(s.n_tiles) if t in own or s.troops[t, me])
    worth = 3 * (sum(points.values()) + sum(EVENTS[card]["vp"] for card in cards) + unknown)
    worth += 0 if turns <= 3 else 2 * min(int(income(s, rules, me)), slots / 2) * min(turns - 1, 6)
    worth += 0 if last else 0.5 * spendable
    for t in own:
        near = [sum(int(s.troops[u, q]) for u in steps(s, t, 2)) for q in range(k) if q != me]
        worth -= 1.5 * points[t] if max(near) > 0 and max(near) >= total_defence(s, rules, t) else 0
    return worth


def plain_pay(position: Position) -> Position:
    while position.phase == "pay":
        s, ids = position.s, position.legal()
        domes = [a for a in ids if a % 2 == 0 and s.btype[a // 2] == DOME and s.bowner[a // 2] == s.seat]
        position.apply((domes or ids)[0])
    return position


def plain_value(position: Position, action: int) -> float:
    """The highest value after an id at SPEND, TARGET or RELOC_SRC."""
    if position.phase == "spend" and action in (DONE, RECRUIT):
        return plain_outlook(position) if action == DONE else -1e9
    after, unknown = fork(position), int(position.phase == "spend" and action == INTEL)
    after.apply(action)
    plain_pay(after)
    if after.phase in ("target", "reloc_src"):
        return max(plain_value(after, t) for t in after.legal())
    return plain_outlook(after, unknown)


def plain_intel(position: Position) -> int:
    best, most = 10, plain_outlook(position) + 1
    for slot in range(int(position.s.hand_n[position.s.seat])):
        after = fork(position)
        after.apply(slot)
        worth = plain_outlook(after)
        if worth > most or (worth == most and best == 10):
            best, most = slot, worth
    return best


def plain_tile(position: Position, cell: int) -> float:
    """What the drawn tile is worth in a cell (LO-19, planner)."""
    after, before = fork(position), position
    after.apply(cell)
    if after.phase == "place_rot":
        after.apply(after.legal()[0])
    me, gains = int(before.s.seat), {}
    for seat in range(before.seats):
        if before.s.alive[seat]:
            mined, sites = ([f(p.s, seat) for p in (after, before)] for f in (plain_mined, plain_sites))
            gains[seat] = 2 * (mined[0] - mined[1]) + 1.4 * (len(sites[0][1]) - len(sites[1][1]))
    ground = len(plain_sites(after.s, me)[0]) - len(plain_sites(before.s, me)[0])
    theirs = [gain for seat, gain in gains.items() if seat != me]
    return gains[me] - sum(theirs) / len(theirs) + ground


def linked(s: Any, t: int) -> list[int]:
    return [int(s.nb[t, d]) for d in range(6) if s.nb[t, d] >= 0 and s.edges[t] >> d & 1]


def plain_mined(s: Any, seat: int) -> int:
    """Pairs of an own excavator and a live deposit in its reach."""
    own = [t for t in range(s.n_tiles) if s.bowner[t] == seat and s.btype[t] == EXCAVATOR]
    reach = [[u for u in s.nb[t] if u >= 0] if s.mod[2] else linked(s, t) for t in own]
    return sum(int(s.cubes[u]) > 0 for tiles in reach for u in tiles)


def plain_sites(s: Any, seat: int) -> tuple[list[int], list[tuple[int, int]]]:
    """Free locations connected to an own building; pairs of them with a live deposit connected to them."""
    kinds = [TILES[s.tile_id[t]]["kind"] for t in range(s.n_tiles)]
    free = [t for t, kind in enumerate(kinds) if kind in ("start", "location") and s.btype[t] < 0]
    free = [t for t in free if any(s.bowner[u] == seat for u in linked(s, t))]
    return free, [(t, u) for t in free for u in linked(s, t) if s.cubes[u] > 0]


def plain_planner(position: Position) -> int | None:
    """What the planner decides, None where it plays by another rule."""
    ids = position.legal()
    if position.phase == "intel":
        return plain_intel(position)
    if position.phase == "place_cell":
        return max(ids, key=lambda cell: (round(plain_tile(position, cell), 9), -cell))
    last = position.s.stack_n < sum(position.s.alive[: position.seats])
    if position.phase in ("target", "reloc_src") or (position.phase == "spend" and not last):
        return max(ids, key=lambda action: (plain_value(position, action), -action))
    return None


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@SLOW
@pytest.mark.parametrize("options", [
    {},
    {"starting_troops": 2, "dome_defence": 6, "troop_limit": 10},
    {"starting_resources": 2, "starting_intel": 3, "silo_storage": 4},
])  # fmt: skip
def test_the_planner_against_a_plain_one(options):
    """Along games in which most decisions are the planner's, the others random."""
    seen = dict.fromkeys(("spend", "target", "reloc_src", "intel", "place_cell"), 0)
    for seats in (2, 3, 4):
        position, luck = Position(options, seats, deal=seats), np.random.default_rng(seats)
        while not position.over:
            ids = position.legal()
            action = ids[0] if len(ids) == 1 else answer(position, "planner")
            if len(ids) > 1 and position.phase in seen and luck.random() < 0.4:
                plain = plain_planner(position)
                seen[position.phase] += plain is not None
                assert plain in (None, action), (seats, position.phase, ids)
            if luck.random() < 0.2:
                action = int(luck.choice(ids))
            driver(game).step(position.states, position.rules_array, position.rng, action)
    assert seen["spend"] > 5 and seen["target"] > 2 and seen["place_cell"] > 5, seen


NEAR = "18@(-1,1)/0"  # next to the dome of seat 0 and deposit 2, with two seats
WIDE = f"{NEAR} + 32@(-1,2)/2 + 19@(-2,1)/0"


def test_the_planner_buys_what_raises_its_income():
    """An excavator alone is worth no more than a silo: the slots of a dome hold back the income."""
    assert answer(given(NEAR, slots={0: 2}, phase="spend"), "planner") == 1 + EXCAVATOR
    position = given(WIDE, {4: "0 excavator"}, slots={0: 2}, phase="spend")
    assert answer(position, "planner") == 1 + SILO
    assert answer(position, "planner", income="0", cubes="2") == DONE
    assert answer(position, "planner", income="0", cubes="2", room="1") == 1 + EXCAVATOR


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
def test_they_play_legally(name):
    """The kernel refuses what is not legal."""
    for seats in (2, 3, 4):
        for options in [*SETTINGS.values(), *random_settings(game, 6, seats)]:
            states = play(name, options, 2, seats)
            assert (states["seat"] == OVER).all()
            assert not any(game.problems(s, game.rules(options)[0]) for s in states), options


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
