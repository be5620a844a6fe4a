"""Invariants (LO-17) over random games with random options; broken ones are told."""

import numpy as np
import pytest

from simkit.games.lunar_outpost import game
from simkit.verify.check import random_settings
from tests.everyday import everyday

from .positions import given
from .walk import FIGHT, RAZE, Walk, busy, copied, uniform

SHORT = {"tiles_trim": 20}
RARE = [  # options, seats, who plays
    ({}, 3, uniform), (FIGHT, 4, busy), (RAZE | SHORT, 3, busy), (RAZE | {"equal_turns": True} | SHORT, 4, busy),
    ({"unplaceable": "redraw", "tile_choice": 3, "start_choice": "random"} | SHORT, 2, busy),
    ({"starting_intel": 3, "starting_intel_extra": 2, "intel_cost": 1, "intel_limit": 5} | SHORT, 4, busy),
    (RAZE | {"siege_blocks": True, "siege_spend": False, "razed_tokens": "returned"} | SHORT, 3, busy),
    (FIGHT | {"vp_end": 7, "equal_turns": True, "domes_anywhere": False}, 2, busy),
]  # fmt: skip
SETTINGS = [
    ((FIGHT, {}, RAZE)[i % 3] | SHORT | options, 2 + i % 3, (busy, uniform)[i % 2])
    for i, options in enumerate(random_settings(game, 12, 3))
]


def check_game(options, seats, policy, deal, every=1):
    """One random game: LO-17 after every action; then it is replayed. What the numbers are is compared in
    lockstep (`test_plain_game.py`)."""
    walk, where = Walk(options, seats, deal, policy), f"{options}, {seats} seats, deal {deal}"
    assert walk.problems() == [], where
    for number, _ in enumerate(walk.steps()):
        if number % every == 0 or walk.over:
            assert walk.problems() == [], f"{walk.problems()} ({where})"
    assert len(walk.trail) < 20_000
    repeated = Walk(options, seats, deal)
    for action in walk.trail:
        repeated.apply(action)
    assert repeated.states.tobytes() == walk.states.tobytes(), where  # LO-17.15


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@pytest.mark.parametrize("number", everyday(range(len(RARE)), 2, step=3))
def test_games_under_rare_options_are_sound(number):
    """LO-17."""
    check_game(*RARE[number], number, 3 if number < 2 else 2)


@pytest.mark.proof("games.lunar_outpost", "strategies.lunar_outpost")
@pytest.mark.parametrize("number", everyday(range(12), 4))
def test_random_games_are_sound(number):
    """LO-17 with random options."""
    check_game(*SETTINGS[number], number, 4)


# Damage.


def sound():
    """Three seats in step 6 with buildings, cubes, troops, cards in hand and active; nothing wrong."""
    return given(
        "18@(2,0)/0 + 20@(0,2)/0 + 8@(2,-1)/2 + 19@(3,-1)/0", {6: "0 silo", 7: "2 barracks", 9: "1 tower"},
        slots={0: 2, 6: 1, 7: (0, 1)}, troops={2: [0, 0, 2], 8: [1, 0, 0]}, hands={0: [4, 17], 1: [30]},
        events={1: 0, 9: 2}, lost={1: {"silo": 1}}, stack=12, phase="spend", seats=3,
    )  # fmt: skip


def put(name, place, value):
    return lambda s: s[name].__setitem__(place, value)


def scalar(name, value):
    return lambda s: s.__setitem__(name, value)


DAMAGE = {
    "pile": ("LO-17.1", scalar("pile", 12)),
    "st_b": ("LO-17.1", put("st_b", 6, 2)),
    "cubes": ("LO-17.1", put("cubes", 8, 3)),
    "supply": ("LO-17.2", put("supply", (1, 3), 2)),
    "removed": ("LO-17.2", put("removed", (1, 2), 0)),
    "figures": ("LO-17.3", put("figures", 2, 4)),
    "troops": ("LO-17.3", put("troops", (8, 0), 2)),
    "hand": ("LO-17.4", put("hand", (0, 1), 16)),
    "hand_n": ("LO-17.4", put("hand_n", 0, 3)),
    "event_where": ("LO-17.4", put("event_where", 30, 0)),
    "event_deck": ("LO-17.4", put("event_deck", 0, 17)),
    "event_n": ("LO-17.4", scalar("event_n", 20)),
    "active_event": ("LO-17.4", put("active_event", 1, 4)),
    "mod": ("LO-13.1", put("mod", 0, 1)),
    "n_tiles": ("LO-17.5", scalar("n_tiles", 9)),
    "stack": ("LO-17.5", put("stack", 3, 18)),
    "stack_n": ("LO-17.5", scalar("stack_n", 11)),
    "drawn": ("LO-17.5", scalar("drawn", 18)),
    "offer": ("LO-17.5", put("offer", 0, 20)),
    "tile_out": ("LO-17.5", put("tile_out", 19, 1)),
    "q": ("LO-17.6", put("q", 9, 4)),
    "r": ("LO-17.6", put("r", 9, 46)),
    "nb": ("LO-17.6", put("nb", (9, 3), -1)),
    "edges": ("LO-17.6", put("edges", 6, 0)),
    "rot": ("LO-1.4", put("rot", 0, 1)),
    "st_t": ("LO-17.7", put("st_t", 7, 2)),
    "btype": ("LO-17.8", put("btype", 8, 0)),
    "bowner": ("LO-17.8", put("bowner", 9, -1)),
    "ext_used": ("LO-17.10", put("ext_used", 6, 2 << 4)),
    "gen_used": ("LO-17.10", put("gen_used", 0, 2)),
    "alive": ("LO-17.12", put("alive", 2, 0)),
    "n_cells": ("LO-8.7", scalar("n_cells", 5)),
    "cells": ("LO-8.7", put("cells", 0, 2)),
    "cell_q": ("LO-8.7", put("cell_q", 2, 40)),
    "cell_r": ("LO-8.7", put("cell_r", 2, 40)),
    "cell_there": ("LO-8.7", put("cell_there", 1, 63)),
    "cell_pass": ("LO-8.7", put("cell_pass", 1, 63)),
    "turn_no": ("LO-17.14", scalar("turn_no", 47)),
    "near": ("the set near", put("near", 4, 1)),
    "link": ("the set link", put("link", 4, 1)),
    "sites": ("the set sites", scalar("sites", 1)),
    "live": ("the set live", scalar("live", 1)),
    "stocked": ("the set stocked", scalar("stocked", 1)),
    "built": ("the set built", put("built", 5, 1)),
    "own": ("the set own", put("own", 1, 1)),
    "manned": ("the set manned", put("manned", 2, 1)),
}


@pytest.mark.parametrize("field", DAMAGE)
def test_damage_is_told(field):
    """A sound position is damaged in one place, and the problem is named."""
    position = sound()
    clause, damage = DAMAGE[field]
    before = copied(position.states)
    damage(position.s)
    assert [
        name for name in before.dtype.names if not np.array_equal(before[name], position.states[name])
    ] == [field]
    assert any(problem.startswith(clause) for problem in position.problems()), position.problems()


def test_unresolved_conflicts_are_told():
    """LO-17.11 after step 2: own troops beside others, an own building besieged by one seat."""
    for t, troops in ((8, [1, 1, 0]), (0, [0, 1, 0]), (6, [0, 0, 1])):
        position = sound()
        s = position.s
        s.figures[:3] -= np.array(troops) - s.troops[t, :3]
        s.troops[t, :3] = troops
        for seat in range(3):
            s.manned[seat] = sum(1 << u for u in range(int(s.n_tiles)) if s.troops[u, seat])
        assert [problem[:8] for problem in position.problems()] == ["LO-17.11"]


def test_a_seat_without_a_tile_is_told():
    """LO-17.12 a living seat controls a tile after step 2."""
    position = sound()
    s = position.s
    for t in (1, 9):
        s.supply[1, s.btype[t]] += 1
        s.built[s.btype[t]] &= ~(1 << t)
        s.btype[t] = s.bowner[t] = -1
        s.sites |= 1 << t
    s.own[1] = 0
    assert position.problems() == ["LO-17.12 seat 1 controls nothing and is not eliminated"]


def test_tokens_that_should_return_are_told():
    """LO-17.2 with `razed_tokens=returned` no token leaves the game."""
    walk = Walk({"razed_tokens": "returned"}, 2, 1).until("spend")
    walk.s.supply[0, 1] -= 1
    walk.s.removed[0, 1] += 1
    assert [problem[:7] for problem in walk.problems()] == ["LO-17.2"]


def test_tiles_apart_are_told():
    """LO-17.6 the map is connected."""
    position = sound()
    s = position.s
    t, u = 9, 8
    s.nb[t, :], s.nb[s.nb == t] = -1, -1
    s.q[t] = 20
    assert "LO-17.6 the map is not connected" in position.problems()
    assert int(s.q[u]) == 2


LOGGED = [
    "extracted", "generated", "spent", "spent_troop", "recruits", "relocations", "razed", "siege_won",
    "troops_lost_step1", "troops_end", "buildings_end", "intel_bought", "disclosed", "prevented", "hand_end",
    "vp_buildings", "event_vp_total", "eliminated", "turns", "extraction_missed", "generation_missed",
    "pile_end",
]  # fmt: skip


@pytest.mark.parametrize("name", LOGGED)
def test_damage_of_the_log_is_told(name):
    """LO-17.16, LO-21.4 at the end of a game."""
    states, rules = ended()
    s = copied(states)[0]
    assert game.problems(s, rules) == []
    s.log.game[name] += 1
    result = game.problems(s, rules)
    assert result and all(problem.startswith("LO-21.4") for problem in result), result


ENDED = []


def ended():
    """A game that is over."""
    if not ENDED:
        walk = Walk(FIGHT | SHORT, 2, 4, busy).to_the_end()
        ENDED.append((walk.states, walk.rules[0]))
    return ENDED[0]


def test_a_false_score_is_told():
    """LO-21.4 score of a living seat."""
    states, rules = ended()
    s = copied(states)[0]
    s.score[0] += 1
    assert [problem[:7] for problem in game.problems(s, rules)] == ["LO-21.4"]
