"""EX-9 results, EX-10 options: each test is titled by its clause."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from simkit.errors import UsageError
from simkit.games.exoplanet_colony import game

from .positions import Position, Walk, given, rules_of

QUIET = [0, 1]


def test_EX_9_1_all_win_or_all_lose():
    """EX-9.1 rank 1 and share 1 for all, or rank 0 and share 0."""
    assert game.team and game.seats == (2, 5)
    for seats in range(2, 6):
        win = given(loss={0: "water"}, prod=[0, -1, 0, 0], seats=seats).when("repair")
        win.then(over=True, rank=[1] * seats)
        given(events_n=0, at="event", seats=seats).then(over=True, rank=[0] * seats, score=[-8] * seats)


@pytest.mark.parametrize("left", [0, 1, 24, 25])
def test_EX_9_2_margin_of_a_victory(left):
    """EX-9.2 1 + event cards left."""
    position = given(loss={0: "water"}, prod=[3, -1, 0, 1], events_n=left, seat=1, turn=2).when("repair")
    position.then(score=[1 + left] * 2, log={"margin": 1 + left, "won": 1})


@pytest.mark.parametrize(
    ("prod", "goal", "margin"),
    [
        ([-1, 3, 3, 3], 0, -1),
        ([-5] * 4, 0, -20),
        ([-2, 1, -1, 0], 0, -3),
        ([1, 1, 0, 1], 1, -1),
        ([-5, 3, 3, 3], 2, -7),
    ],
)
def test_EX_9_2_margin_of_a_defeat(prod, goal, margin):
    """EX-9.2 minus the deficit; the same is the score while the game runs."""
    position = given(prod=prod, options={"win_production": goal}, events_n=0, seat=1).then(score=[margin] * 2)
    position.when("pass").then(over=True, score=[margin] * 2)
    assert int(position.s.log.game.final_deficit) == -margin == -int(position.s.log.game.margin)


def test_EX_9_2_the_score_of_a_running_game():
    """EX-9.2 follows every change of a production."""
    position = given({0: [14, 7, 8]}, base="16@(0,1)", loss={0: "water"}, pawns={1: 1}, seats=3)
    position.then(score=[-8] * 3).when("repair").then(score=[-7] * 3).when(
        "deploy", "card 14", "dir E"
    ).settle()
    position.then(prod=[-1, -3, 2, -3], score=[-7] * 3)
    lost = given(base="16@(0,1)", at="event", events=[18, 0]).then(score=[-8, -8], prod=[-2, -4, 0, -2])
    lost.then(log={"deficit_events": 1})


def test_EX_9_3_what_a_seat_contributes():
    """EX-9.3 columns of the seats table: turns, actions, deployments, deficit cut, supply, draws, tokens, transfers."""
    position = given({0: [14, 7, 8, 29], 1: [0]}, loss={0: "water food"}, deck=[2], events=QUIET)
    position.when("deploy", "card 14", "dir N").settle()
    position.when("item", "token water", "take", "generate", "card 0", "draw")
    own = {
        "turns": 0, "actions": 4, "deploys": 1, "deficit_cut": 1 + 2 - 1 + 1, "supply_made": 2, "draws": 1,
        "generates": 1, "tokens_fixed": 1, "takes": 1, "idle_actions": 0,
    }  # fmt: skip
    position.then(active=1, seat_log={0: own, 1: {"turns": 1, "actions": 0, "deficit_cut": 0}})
    position.to_the_end()
    assert int(position.s.log.seat[0].transfers) == 1 and int(position.s.log.seat[1].transfers) == 0


def test_EX_9_4_mixed_tables():
    """EX-9.4 all seats of a mixed table share the result."""
    for deal in range(3):
        walk = Walk(seats=4, deal=deal)
        for _ in walk.steps():
            pass
        assert len(set(walk.facts()["rank"])) == len(set(walk.facts()["score"])) == 1


def test_EX_9_5_the_value_of_a_character():
    """EX-9.5 the seats table names it; the same deals are played with another one fixed."""
    for name in ("none", "pilot"):
        position = Position({"character_0": name})
        assert position.named_facts()["characters"](0) == name
        assert int(position.s.log.seat[0].character) == int(position.s.character[0])
    plain, fixed = Position({"character_0": "none"}), Position({"character_0": "medic"})
    for fact in ("deck", "events"):
        assert plain.facts()[fact] == fixed.facts()[fact]
    assert plain.s.hand.tolist() == fixed.s.hand.tolist()


PRESETS = {
    "rulebook": {},
    "introductory": {"production_offset": 1, "supply_offset": 2},
    "patient": {
        "production_offset": 1, "supply_offset": 5,
        "track_0": 4, "track_1": 4, "track_2": 3, "track_3": 3, "track_4": 2, "track_5": 2,
    },
    "endurance": {
        "production_offset": 1, "supply_offset": 5, "win_production": 2, "normals_per_pile": 7,
        **{f"track_{i}": 4 for i in range(8)},
    },
}  # fmt: skip


@pytest.mark.parametrize("ruleset", PRESETS)
def test_EX_10_1_rulesets(ruleset):
    """EX-10.1 presets; explicit values win over them."""
    result, plain = rules_of({"ruleset": ruleset}), rules_of(PRESETS[ruleset])
    names = [name for name in result.dtype.names if name != "ruleset"]
    for name in names:
        assert np.array_equal(result[name], plain[name]), name
    own = rules_of({"ruleset": ruleset, "supply_offset": -3, "track_1": 6})[0]
    assert own.start_supply.tolist() == [10] * 4 and int(own.track[1]) == 6


def test_EX_10_1_introductory():
    """EX-10.1 in scenario 1 productions of -1 and supplies of 15."""
    Position({"ruleset": "introductory"}).then(prod=[-1] * 4, supply=[15] * 4)


@pytest.mark.parametrize(
    "options",
    [
        {"scenario": 0}, {"scenario": 5}, {"track_0": 0}, {"production_offset": 3}, {"hand_limit": 2}, {"piles": 16},
        {"draw_cards": 4}, {"transfer": "some"}, {"character_0": "captain"}, {"n_items": 5}, {"grace_turns": 11},
        {"piles": 10}, {"piles": 6, "normals_per_pile": 7}, {"piles": 8, "normals_per_pile": 5},
        {"piles": 8, "criticals_per_pile": 2}, {"piles": 6, "criticals_per_pile": 3},
        {"normals_per_pile": 0, "criticals_per_pile": 0}, {"initial_hand": 4, "hand_limit": 3},
        {"character_0": "medic", "character_1": "medic"}, {"character_1": "pilot", "character_4": "pilot"},
    ],
    ids=str,
)  # fmt: skip
def test_EX_10_2_refused(options):
    """EX-10.2 with a message of some words."""
    with pytest.raises(UsageError) as refused:
        game.rules(options, {})
    assert len(str(refused.value)) > 20


@pytest.mark.parametrize(
    "options",
    [
        {"piles": 13, "normals_per_pile": 3}, {"piles": 15, "normals_per_pile": 0}, {"piles": 5, "normals_per_pile": 7},
        {"piles": 5, "criticals_per_pile": 3}, {"normals_per_pile": 0}, {"criticals_per_pile": 0},
        {"initial_hand": 6, "hand_limit": 6}, {"initial_hand": 3, "hand_limit": 3, "late_seat_cards": 2},
        {"character_0": "none", "character_1": "none", "character_2": "any"}, {"track_1": 0, "track_2": 6},
    ],
    ids=str,
)  # fmt: skip
def test_EX_10_2_not_refused(options):
    """EX-10.2 nothing else is; a game can be played."""
    Position(options, seats=3).to_the_end().then(over=True)


def test_EX_10_3_options_act_together():
    """EX-10.3 exactly as their clauses say."""
    options = {
        "draw_cards": 2, "hand_limit": 3, "item_cost": 1, "item_supply_amount": 8, "generate_amount": 4,
        "deploy_anywhere": True, "transfer": "take", "offturn_plans": False, "update_per": "round", "track_0": 6,
    }  # fmt: skip
    position = given({0: [30, 0], 1: [33]}, deck=[2, 3, 5], options=options, events=QUIET).then(
        left=6, cannot=["give"]
    )
    position.when("item", "res water").then(supply=[13, 20, 13, 13], left=5, log={"supply_made": 7})
    position.when("generate").then(supply=[17, 20, 13, 13], left=4)
    position.when("draw").then(hands={0: [2, 3]}, left=3, log={"draws": 1}).when("take").then(
        hands={0: [2, 3, 33]}
    )
    position.when("draw").then(decision="hand_discard", sizes=[4, 0]).when("card 5")
    position.then(decision="hand_discard").passing()
    position.when("pass").then(active=1, supply=[17, 20, 13, 13], left=6)


@pytest.mark.parametrize("deal", range(6))
def test_EX_10_3_random_games(deal):
    """EX-10.3 no option breaks the invariants of another (a few settings)."""
    settings = [
        {"ruleset": "patient", "draw_cards": 3, "deploy_anywhere": True, "hand_limit": 3, "transfer": "give"},
        {
            "ruleset": "endurance",
            "recover_cards": 0,
            "item_cost": 1,
            "medic_range": "module",
            "update_per": "round",
        },
        {
            "ruleset": "patient",
            "event_per": "round",
            "loss_tokens": 6,
            "emergency_tokens": 6,
            "shutdown_tokens": 1,
        },
        {
            "ruleset": "patient",
            "initial_choice": 4,
            "initial_hand": 6,
            "start_player": -1,
            "n_items": 0,
            "hand_limit": 10,
        },
        {"ruleset": "endurance", "remove_modules": 12, "n_plans": 0, "generate_amount": 1, "health": False},
        {
            "track_1": 0,
            "supply_offset": -10,
            "offturn_plans": False,
            "criticals_per_pile": 3,
            "grace_turns": 2,
        },
    ]
    walk = Walk(settings[deal], seats=2 + deal % 4, deal=deal)
    turns = []
    for number, _ in enumerate(walk.steps()):
        assert number % 5 or not walk.problems()
        turns.append(int(walk.s.turn_no))
    assert not walk.problems() and all(a <= b for a, b in pairwise(turns))
