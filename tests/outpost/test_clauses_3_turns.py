"""OP-3 the start of a turn, OP-7 the end of the game: the docstring of each test begins with its clause."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simkit.games.outpost.facts import UPGRADE_NAMES
from simkit.games.outpost.turns import found_by

from .positions import Position, batch, given


def test_sequence():
    """OP-3.0 market, production, actions of each in order, operators, discards, then the next turn."""
    position = given(
        ["O1", "O1"],
        factories={0: {"ore": 2}, 1: {"ore": 7}},
        population=[3, 3],
        market={"nodule": 1},
        supply={"warehouse": 4},
    )
    position.when(0, "end").when(1, "end")
    position.then(turn=2, decision="main", score=[2, 3], order=[1, 0], wealth=position.fact("wealth"))
    assert position.s.cards[:2, 0].tolist() == [3, 4]
    assert position.fact("market") == {"nodule": 1, "warehouse": 1}


def test_each_player_finishes_a_step_before_the_next_one():
    """OP-3.0 a player who must choose operators or discards does all of it before the next player."""
    position = given(factories={0: {"ore": 3, "water": 3}, 1: {"ore": 3, "water": 3}}, population=[3, 3])
    position.when(0, "end").when(1, "end").then(decision="assign", seat=0).when(0, "2").then(
        decision="assign", seat=1
    )
    assert position.s.operated[0].tolist()[:2] == [1, 2]


def test_victory_points():
    """OP-3.1 upgrades 1 to 10 and operated sites; a site without operator counts nothing, scientists always
    count."""
    given(
        upgrades={
            0: {"scientists": 1, "laboratory": 1, "space_station": 1, "moon_base": 1, "heavy_equipment": 1}
        },
        factories={0: {"titanium": 3, "research": 1, "new_chemicals": 1}},
        operated={0: {"titanium": 2, "research": 1, "new_chemicals": 1, "moon_base": 1}},
    ).then(score=[2 + 5 + 1 + 4 + 2 + 3 + 20, 3])


def test_cost_sum_counts_printed_costs():
    """OP-3.2 printed costs of upgrades and of operated specials break ties in the order, what was paid does
    not."""
    position = given(
        seats=3, population=[1, 1, 2],
        upgrades={0: {"nodule": 1}, 1: {"warehouse": 1, "data_library": 1}, 2: {"space_station": 1}},
        factories={0: {"ore": 1}, 1: {"ore": 1}, 2: {"water": 2}}, options={"vp_water": 2},
    )  # fmt: skip
    position.when(0, "end").when(1, "end").when(2, "end")
    assert (
        position.decision == "assign"
    )  # the station need not be manned: two water factories for two colonists
    position.when(2, "0")
    position.then(score=[3, 3, 4], order=[2, 1, 0])


def test_purchase_order():
    """OP-3.3 E3: victory points, then cost sum; the rest is drawn."""
    position = given(
        seats=5, upgrades={2: {"nodule": 1}, 3: {"warehouse": 1, "data_library": 1}},
        factories={0: {"ore": 20}, 1: {"ore": 10}, 2: {"ore": 13}, 3: {"ore": 13}, 4: {"ore": 16}},
        population=[20, 10, 13, 13, 16],
        options={"pop_max_base": 10, "pop_outpost": 10},
    )  # fmt: skip
    position.s.upgrades[:5, 9] = [2, 0, 1, 1, 1]  # outposts for housing: 5 VP each
    position.s.supply_start[9] = 5
    position.s.phase = 3
    position.s.log.game.sold = position.s.upgrades.sum()
    position.finish_turn()
    points = dict(enumerate(position.fact("score")))
    assert position.fact("order") == sorted(
        points, key=lambda seat: -points[seat] * 1000 - {2: 25, 3: 40}.get(seat, 0)
    )


@pytest.mark.parametrize(
    ("how", "orders"),
    [("leader_last", {(1, 0, 2)}), ("rotate", {(1, 2, 0)}), ("leader_first", {(2, 0, 1)}), ("random", None)],
)
def test_purchase_order_options(how, orders):
    """OP-3.3 leader_last reverses, rotate moves the first to the end, random shuffles; ties are drawn
    anew."""
    counts = Counter()
    for deal in range(60):
        position = given(
            seats=3,
            factories={0: {"ore": 2}, 1: {"ore": 1}, 2: {"ore": 3}},
            population=[3, 3, 3],
            options={"purchase_order": how},
            deal=deal,
        )
        counts[tuple(position.finish_turn().fact("order"))] += 1
    assert set(counts) == orders if orders else len(counts) == 6


def test_ties_in_the_order_are_drawn():
    """OP-3.3 what is still tied is random each turn."""
    orders = {tuple(given(seats=3, deal=deal).finish_turn().fact("order")) for deal in range(60)}
    assert len(orders) == 6


def test_order_is_used_for_everything():
    """OP-3.4 bids, operators and discards go round in the purchase order."""
    position = given(
        ["W9 W9 W9", "W8 W8 W9 W5", "W10 W10 W10"], market={"nodule": 1}, order=[2, 0, 1], seat=2
    )
    position.when(2, "open nodule", "bid").then(seat=0, decision="bid")
    position.when(0, "pass").then(seat=1).when(1, "pass").then(
        seat=2, decision="main", upgrades={2: {"nodule": 1}}
    )


@pytest.mark.parametrize(
    ("vp", "phase", "options"),
    [
        (10, 2, {}),
        (29, 2, {}),
        (30, 3, {}),
        (30, 2, {"ruleset": "expert"}),
        (40, 3, {"ruleset": "expert"}),
        (12, 3, {"phase3_vp": 12}),
    ],
)
def test_phase(vp, phase, options):
    """OP-3.5 10 points begin phase 2; 30, in the Expert game of two 40, phase 3 (X11: directly)."""
    given_points(vp, {"robots_limit": "unlimited", **options}).finish_turn().then(phase=phase, score=[vp, 3])


def given_points(vp, options):
    """Seat 0 will have so many points: a robots card (3) and ore factories."""
    position = given(
        upgrades={0: {"robots": 1}}, factories={0: {"ore": vp - 3}}, robots=[vp], options=options
    )
    position.s.phase = 1
    return position


def test_phase_never_goes_back():
    """OP-3.5 the phase stays although the points fall."""
    position = given(phase=3)
    position.finish_turn().then(phase=3)


def test_refill():
    """OP-3.6 as many cards as players; unsold ones stay; the die has the faces of the phase, all as
    likely."""
    placed = {phase: Counter() for phase in (1, 2, 3)}
    for phase in (1, 2, 3):
        for deal in range(400):
            position = given(seats=4, supply=dict.fromkeys(UPGRADE_NAMES, 3), market={"nodule": 1}, deal=deal)
            position.s.phase = phase
            position.finish_turn()
            market = position.fact("market")
            assert sum(market.values()) == 4 and market["nodule"] >= 1
            placed[phase].update(name for name, n in market.items() for _ in range(n))
    assert (
        set(placed[1]) == set(UPGRADE_NAMES[:4])
        and set(placed[2]) == set(UPGRADE_NAMES[:10])
        and set(placed[3]) == set(UPGRADE_NAMES[1:])
    )
    others = [placed[2][name] for name in UPGRADE_NAMES[:10] if name != "nodule"]
    assert max(others) < 1.5 * min(others)


def test_exhausted_type():
    """OP-3.7 the next lower number with copies; none down to 1: roll again (E4)."""
    position = given(
        seats=5,
        supply={"warehouse": 4, "scientists": 4, "outpost": 4, "laboratory": 2},
        market={"laboratory": 2},
    )
    s, rules = position.s, position.rules
    faces = {face: found_by(s, rules, face) for face in (1, 3, 5, 7, 8, 10)}
    assert faces == {1: -1, 3: 1, 5: 4, 7: 4, 8: -1, 10: 9}


def test_duplicates():
    """OP-3.8 more than floor(players / 2) copies: roll again, not further down (X12); no face left: the slot
    stays empty (X13)."""
    position = given(seats=5, supply={"data_library": 2, "warehouse": 2}, market={"warehouse": 2})
    assert found_by(position.s, position.rules, 3) == found_by(position.s, position.rules, 2) == -1
    short = given(seats=2, supply={"nodule": 3}).finish_turn()
    short.then(market={"nodule": 1}, log={"slots_left_empty": 1 + 0})


def test_die_rolls_are_counted():
    """OP-3.8 rolls that lead to no card are rolled again and counted."""
    position = given(
        seats=2, supply={"data_library": 1, "nodule": 1}, market={"data_library": 1}
    ).finish_turn()
    log = position.s.log.game
    assert (
        position.fact("market") == {"data_library": 1, "nodule": 1} and log.die_rolls >= log.die_rerolls + 1
    )


def test_automatic_phase():
    """OP-3.9 X10: an exhausted phase places nothing, the next turn is one phase higher; in the Basic game it
    stays."""
    for ruleset, phase in (("expert", 2), ("basic", 1)):
        position = given(supply={"outpost": 2}, options={"ruleset": ruleset}).finish_turn()
        position.then(market={}, phase=1)
        position.finish_turn().then(phase=phase, log={"auto_advances": phase - 1})


def to_victory(upgrades, factories, **more):
    """A position whose turn ends the game for the owners of these."""
    return given(upgrades=upgrades, factories=factories, **more)


def test_end_of_the_game():
    """OP-7.1 75 points at the end of a turn end the game, 74 do not; points in between do not matter."""
    for libraries, over in ((1, True), (0, False)):
        position = to_victory(
            {0: {"moon_base": 3, "outpost": 1, "data_library": libraries, "nodule": 2}},
            {0: {"titanium": 1, "water": 3}},
            population=[7],
        )
        position.finish_turn()
        assert max(position.fact("score")) == 74 + libraries
        assert (position.s.seat < 0) == over
    assert position.s.log.game.end_reason == 0


def test_the_most_points_win():
    """OP-7.2 the most points win, whoever comes first in the order."""
    position = to_victory(
        {0: {"moon_base": 4}, 1: {"moon_base": 4, "nodule": 1}}, {}, population=[4, 4]
    ).finish_turn()
    position.then(score=[80, 82], rank=[2, 1], log={"end_reason": 1, "margin": 2})


@pytest.mark.parametrize(
    ("tiebreak", "rank"), [("upgrade_cost", [2, 1]), ("shared", [1, 1]), ("hand_value", [1, 2])]
)
def test_tie_break(tiebreak, rank):
    """OP-7.3 X14: equal points: higher cost sum, or the hand, or shared; equal in all: shared."""
    position = to_victory(
        {0: {"moon_base": 4, "data_library": 1, "heavy_equipment": 1},
         1: {"moon_base": 4, "nodule": 1, "data_library": 0}},
        {1: {}}, population=[4, 4], hands=["O5", "O1"],
        options={"victory_tiebreak": tiebreak, "upgrade_cost_nodule": 50},
    )  # fmt: skip
    position.finish_turn().then(score=[82, 82], rank=rank)
    to_victory({0: {"moon_base": 4}, 1: {"moon_base": 4}}, {}, population=[4, 4]).finish_turn().then(
        rank=[1, 1]
    )


def test_turn_cap():
    """OP-7.4 after max_turns turns the game ends and the most points win; the log says why."""
    position = given(upgrades={1: {"nodule": 1}}, options={"max_turns": 20}, turn=19)
    position.finish_turn().then(turn=20).finish_turn().then(rank=[2, 1], log={"end_reason": 2, "turns": 20})
    assert (batch({"max_turns": 20}, "random*4", 20)["log"]["game"]["turns"] <= 20).all()
    assert np.bincount(batch({"max_turns": 20}, "random*4", 20)["log"]["game"]["end_reason"])[2] > 15


def test_start_is_turn_one():
    """OP-3.0 setup goes on to the first player's actions of turn 1."""
    Position(seats=3).then(turn=1, decision="main", seat=0, phase=1)
