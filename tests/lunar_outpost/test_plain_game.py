"""The rules play as a second implementation does, made from the specification alone: every legal id of every
decision, every field of the state after every action."""

from collections import Counter
from functools import cache

import pytest

from simkit.check import random_settings
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import End, Phase

from .plain_game import Plain
from .walk import FIGHT, RAZE, Walk, busy, uniform

SHORT = {"tiles_trim": 20}
CALM = {"dome_output": 2, "dome_storage": 4, "silo_storage": 4}
CARDS = {"intel_cost": 1, "intel_limit": 5, "starting_intel": 2, "starting_intel_extra": 1}
RARE = [  # options, seats, who plays
    (SHORT, 3, busy), (FIGHT | SHORT, 4, busy), (RAZE | SHORT | {"equal_turns": True}, 3, busy),
    (RAZE | {"siege_blocks": True, "siege_spend": False, "razed_tokens": "returned"} | SHORT, 4, busy),
    (CALM | CARDS | SHORT | {"relocation": False}, 2, busy), (CALM | CARDS | SHORT, 4, uniform),
    (FIGHT | CALM | SHORT | {"tile_choice": 3, "unplaceable": "redraw", "start_choice": "random"}, 3, busy),
    (FIGHT | CALM | {"vp_end": 8, "equal_turns": True, "recruit_per_barracks": 2, "tower_stack": False}, 3, busy),
    (CALM | SHORT | {"domes_anywhere": False, "extract_needs_passable": False, "start_choice": "reverse"}, 2, busy),
    (FIGHT | CALM | CARDS | SHORT | {"conflict_order": "index", "deposit_delta": 3}, 2, uniform),
    ({}, 2, uniform), (FIGHT | CALM | {"starting_intel": 3, "starting_intel_extra": 2}, 4, busy),
    (CALM | {"intel_limit": 0, "dome_cost": 2, "troop_limit": 0}, 3, busy),
]  # fmt: skip
SETTINGS = [
    ((FIGHT, CALM, RAZE | CARDS)[i % 3] | SHORT | options, 2 + i % 3, (busy, busy, uniform)[i % 3])
    for i, options in enumerate(random_settings(game, 300, 77))
]


def play_both(options, seats, policy, deal):
    """One game, played by the rules and by the second implementation; how often each phase was asked."""
    walk = Walk(options, seats, deal, policy)
    plain, phases, where = Plain(walk), Counter(), f"{options}, {seats} seats, deal {deal}"
    assert plain.differs(walk.now) == {}, where
    ids = walk.legal()
    assert plain.legal() == ids, where
    for before, action, after in walk.steps():
        phases[before.phase] += 1
        plain.apply(action, after)
        differs = plain.differs(after)
        assert not differs, f"(rules, plain) {differs} after {before.phase} {action} ({where})"
        if after.seat >= 0:
            ids, mine = walk.legal(), plain.legal()
            assert mine == ids, f"{after.phase}: rules {ids}, plain {mine} ({where})"
    assert End(int(walk.s.log.game.end_reason)).name == plain.reason, where
    return phases


@cache
def rare(number):
    return play_both(*RARE[number], number)


@pytest.mark.parametrize("number", range(len(RARE)))
def test_games_under_rare_options_are_played_alike(number):
    """LO-2 to LO-11, LO-15."""
    assert rare(number)


def test_every_kind_of_decision_is_compared():
    """LO-15 all sixteen phases occur in the games above."""
    asked = sum((rare(number) for number in range(len(RARE))), Counter())
    assert set(asked) == {phase.name for phase in Phase if phase >= 0} and min(asked.values()) > 15


@pytest.mark.parametrize("number", range(9))
def test_games_under_random_options_are_played_alike(number):
    """LO-2 to LO-11, LO-15."""
    play_both(*SETTINGS[number], number)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_many_games_are_played_alike(part):
    """LO-2 to LO-11, LO-15, with many more random options."""
    for number in range(9 + part, len(SETTINGS), 6):
        play_both(*SETTINGS[number], number)
