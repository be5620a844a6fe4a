"""EX-11 decision points: who decides, and the legal ids; `test_plain_game.py` compares them along whole games."""

from __future__ import annotations

import pytest

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Decision

from .positions import IDS, Position, Walk, copied, given, luck

SIX = [1, 8, 12, 15, 17, 27]
BASE = "14@(0,1) 16@(0,2)"
FLAT = [-2] * 4
MOST = {  # EX-11.2, last column
    "start_discard": 14, "main": 16, "give_partner": 4, "take_partner": 4, "give_card": 10, "take_card": 10,
    "deploy_card": 10, "deploy_slot": 29, "deploy_dir": 4, "deploy_pay": 10, "gen_card": 10, "gen_res": 4,
    "repair_token": 5, "issue": 7, "recover_card": 10, "ability_seat": 5, "ability_slot": 29, "ability_way": 2,
    "ability_card": 2, "item_card": 4, "item_seat": 5, "item_slot": 29, "item_res": 4, "item_take": 35,
    "plan_card": 2, "plan_window": 4, "plan_seat": 5, "plan_slot": 28, "plan_perm": 6, "hand_discard": 11,
    "event_discard": 10, "event_place": 29,
}  # fmt: skip


def cards(*numbers):
    return [f"card {card}" for card in numbers]


def ability(character, **more):
    hands = more.pop("hands", {0: [0, 7, 15]})
    return given(hands, more.pop("base", BASE), characters={0: character}, prod=FLAT, **more).when("ability")


# kind: a position in which it is asked, the seat that is asked (the active seat is 0), the legal ids
POINTS = {
    "start_discard": (lambda: Position({"initial_choice": 1}), 0, None),
    "main": (lambda: given({0: [30]}, BASE), 0, ["pass", "draw", "move N", "give", "item"]),
    "give_partner": (lambda: given({0: [0]}, BASE, seats=4, issues={1: "flu"}).when("give"), 0, ["seat 2", "seat 3"]),
    "take_partner": (
        lambda: given({2: [0], 3: [1], 4: [2]}, BASE, seats=5, pawns={3: 1}).when("take"), 0, ["seat 2", "seat 4"],
    ),
    "give_card": (lambda: given({0: [0, 30, 33]}).when("give"), 0, cards(0, 30, 33)),
    "take_card": (lambda: given({1: [0, 30, 33], 0: [1]}).when("take"), 0, cards(0, 30, 33)),
    "deploy_card": (lambda: given({0: [14, 7, 8, 2]}, prod=FLAT).when("deploy"), 0, cards(7, 8, 14)),
    "deploy_slot": (
        lambda: given({0: [14, 7, 8]}, "15@(0,1)", prod=FLAT, options={"deploy_anywhere": True}).when("deploy"), 0,
        ["slot 0", "slot 1"],
    ),
    "deploy_dir": (lambda: given({0: [14, 7, 8]}, "15@(1,0)", prod=FLAT).when("deploy"), 0, ["dir N", "dir S", "dir W"]),
    "deploy_pay": (
        lambda: given({0: [14, 7, 8, 33, 28]}, prod=FLAT).when("deploy", "card 14", "dir N"), 0, cards(7, 8, 33),
    ),
    "gen_card": (lambda: given({0: [0, 7, 28, 33]}, supply=[20, 9, 9, 9]).when("generate"), 0, cards(7, 33)),
    "gen_res": (
        lambda: given({0: [33]}, supply=[9, 20, 9, 9]).when("generate"), 0, ["res oxygen", "res food", "res energy"],
    ),
    "repair_token": (
        lambda: given(loss={0: "oxygen energy"}, alarms=[0], prod=[3, -2, -2, -2]).when("repair"), 0,
        ["token energy", "token emergency"],
    ),
    "issue": (
        lambda: given({0: [1, 2]}, issues={0: "flu migraine"}).when("recover"), 0, ["heal flu", "heal migraine"],
    ),
    "recover_card": (lambda: given({0: [1, 30, 33]}, issues={0: "flu"}).when("recover"), 0, cards(1, 30, 33)),
    "ability_seat": (
        lambda: ability("medic", issues={1: "flu", 2: "ankle"}, pawns={2: 1}, seats=3), 0, ["seat 1", "seat 2"],
    ),
    "ability_slot": (lambda: ability("engineer", loss={1: "food"}, alarms=[0]), 0, ["slot 0", "slot 1"]),
    "ability_way": (lambda: ability("comms_officer", hands={0: [0], 1: [7]}, pawns={1: 1}), 0, ["give", "take"]),
    "ability_card": (lambda: ability("scientist", deck=[20, 33]), 0, cards(20, 33)),
    "item_card": (
        lambda: given({0: [28, 29, 30, 31]}, alarms=[0], pile=[5]).when("item"), 0, cards(29, 30, 31),
    ),
    "item_seat": (
        lambda: given({0: [28]}, BASE, issues={0: "flu", 1: "ankle", 2: "acute"}, pawns={2: 1}, seats=3).when("item"), 0,
        ["seat 0", "seat 1"],
    ),
    "item_slot": (lambda: given({0: [29]}, BASE, loss={2: "water"}, alarms=[1]).when("item"), 0, ["slot 1", "slot 2"]),
    "item_res": (lambda: given({0: [30]}, supply=[20, 1, 20, 9]).when("item"), 0, ["res water", "res energy"]),
    "item_take": (lambda: given({0: [31]}, pile=[5, 32]).when("item"), 0, cards(5, 32)),
    "plan_card": (lambda: given({0: [32, 33, 34, 35]}, BASE).when("plan"), 0, cards(32, 33)),
    "plan_window": (
        lambda: given({2: [32, 33, 34, 35]}, BASE, seats=3, at="update"), 2, ["pass", *cards(32, 33, 34)],
    ),
    "plan_seat": (lambda: given({1: [32]}, BASE, at="start").when("card 32"), 1, ["seat 0", "seat 1"]),
    "plan_slot": (
        lambda: given({1: [32]}, BASE, at="start", pawns={1: 1}).when("card 32", "seat 1"), 1, ["slot 0", "slot 2"],
    ),
    "plan_perm": (lambda: given({1: [33]}, at="start").when("card 33"), 1, range(99, 105)),
    "hand_discard": (lambda: given({0: [0], 1: SIX}).when("give"), 1, [34 + c for c in [0, *SIX]]),
    "event_discard": (
        lambda: given({0: [1, 2], 1: [3, 29]}, at="event", events=[8, 0]).when("card 1"), 1, cards(3, 29),
    ),
    "event_place": (lambda: given(base="0@(0,1) 1@(0,2)", at="event", events=[15, 0]), 0, ["slot 1", "slot 2"]),
}  # fmt: skip


def test_every_kind_is_there():
    """EX-11.2: the kinds of the table and no others."""
    kinds = {decision.name for decision in Decision} - {"none"}
    assert kinds == set(POINTS) == set(MOST)


def test_the_id_space():
    """EX-11.1: 112 ids, at most 35 legal at once."""
    assert sorted(set(IDS.values())) == list(range(112)) and game.max_actions == 35
    assert max(MOST.values()) == 35


@pytest.mark.parametrize("kind", POINTS)
def test_decision_point(kind):
    """EX-11.2: who decides, in whose turn, the legal ids."""
    make, seat, legal = POINTS[kind]
    position = make().then(decision=kind, seat=seat, active=0)
    if legal is None:
        legal = [34 + card for card in position.named_facts()["hands"](seat)]
    position.then(legal=legal)
    assert len(position.legal()) <= MOST[kind]


def test_who_decides_is_not_always_the_active_seat():
    """EX-11.2: the receiver, the holder of a plan, those who discard; `active` does not change."""
    position = given({0: [0], 1: SIX, 2: [33]}, seats=3).when("give", "seat 1").then(seat=1, active=0)
    position.when("card 0").then(seat=2, active=0, decision="plan_window").when("card 33").then(
        seat=2, active=0
    )
    position.when("perm 210").then(seat=0, active=0, decision="main")


def test_no_luck_is_drawn_without_a_reshuffle():
    """EX-11.1: decisions draw no random numbers; only EX-4.14 does."""
    walk, before, shuffled = Walk({"ruleset": "patient"}, seats=3, deal=2), None, 0
    for _ in walk.steps():
        n = int(walk.s.log.game.reshuffles)
        if before is not None and n == shuffled:
            assert before == walk.rng.tobytes()
        before, shuffled = walk.rng.tobytes(), n
    assert luck(1, 2).dtype == walk.rng.dtype


def test_nothing_is_kept_outside_the_state():
    """A game goes on from a copy of the state at every decision."""
    walk, other = Walk({"ruleset": "patient"}, 4, 3), Walk({"ruleset": "patient"}, 4, 3)
    for _, _, _, action in walk.steps():
        other.states = copied(other.states)
        other.s = other.states[0]
        game.apply(other.s, other.rules, action, other.rng[0])
    assert other.states.tobytes() == walk.states.tobytes()
