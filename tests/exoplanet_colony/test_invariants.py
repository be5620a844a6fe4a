"""Invariants (EX-12.4) over random games with random options; broken ones are told."""

import pytest

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import MOST_LEGAL
from simkit.verify.check import random_settings
from tests.everyday import everyday

from .positions import given
from .walk import MODULES, Walk

PATIENT, ENDURANCE = {"ruleset": "patient"}, {"ruleset": "endurance"}
SETTINGS = random_settings(game, 6, 4)
FAST = [
    {}, PATIENT, ENDURANCE, {"scenario": 4}, PATIENT | {"deploy_anywhere": True, "draw_cards": 3},
    ENDURANCE | {"criticals_per_pile": 3, "loss_tokens": 6, "emergency_tokens": 6},
    PATIENT | {"update_per": "round", "event_per": "round", "grace_turns": 10, "supply_offset": 6},
    ENDURANCE | {"initial_hand": 6, "initial_choice": 4, "hand_limit": 10, "late_seat_cards": 2},
    ENDURANCE | {"shutdown_tokens": 6, "recover_cards": 0, "item_cost": 1, "transfer": "none"},
    *SETTINGS,
]  # fmt: skip


def check_game(options, seats, deal):
    """One random game: EX-12.4 after every third action. What the numbers are is compared in lockstep
    (`test_plain_game.py`)."""
    walk = Walk(options, seats, deal)
    for _ in walk.steps():
        text = walk.problems() if walk.over or len(walk.trail) % 3 == 0 else []
        assert text == [], f"{text} ({options}, {seats} seats, deal {deal})"
    assert len(walk.trail) <= (3_000 if not options else game.max_steps)  # .6


@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony")
@pytest.mark.parametrize("number", everyday(range(len(FAST)), 6))
def test_random_games_are_sound(number):
    """EX-12.4."""
    check_game(FAST[number], 2 + number % 4, number)


def test_no_more_than_so_many_legal_ids():
    """EX-11.1 at most 35 at once: the 3D Printer with all other cards on the discard pile."""
    position = given({0: [31]}, pile=[card for card in range(36) if card != 31], deck_n=0).when("item")
    assert position.decision == "item_take" and len(position.legal()) == MOST_LEGAL == 35


def test_the_largest_base():
    """EX-12.1 29 slots in a row: no set of slots is too small for it."""
    base = " ".join(f"{card}@(0,{card + 1})" for card in range(28))
    position = given({0: [32]}, base, prod=[0, 0, 0, -1], pawns={0: 28}, alarms=[28], loss={27: "food"})
    position.then(can=["repair", "switch", "move S"], cannot=["move N"])
    position.when("switch").then(off=[28]).when("switch").then(off=[])
    position.when("plan", "seat 0", "slot 0").then(pawns={0: 0})
    there = given({0: [32]}, base, prod=[0, 0, 0, -1], characters={0: "pilot"}).when("ability", "slot 28")
    there.then(pawns={0: 28}, cells=[(0, y) for y in range(29)])
    assert position.problems() == [] and len(MODULES) == 28


# What is broken is told.


def sound():
    """Something of everything, nothing wrong."""
    return given(
        {0: [0, 28], 1: [14, 33]}, "16@(0,1) 21@(0,2) 7@(1,0)", pile=[5, 6], loss={1: "water food", 2: "energy"},
        alarms=[3], off=[3], pawns={1: 2}, characters={0: "medic", 1: "pilot"}, issues={0: "flu", 1: "ankle"},
        events_n=20, known_events=2,
    )  # fmt: skip


def put(name, *place):
    """Another number at a place of a field."""
    *index, value = place
    return lambda s: s.__setitem__(name, value) if not index else s[name].__setitem__(tuple(index), value)


def swap_seen(s):
    s.seen = int(s.seen) & (int(s.seen) - 1)


DAMAGE = [  # the clause, what is damaged
    ("EX-12.4.1", put("deck_n", 5)), ("EX-12.4.1", put("deck", 0, 5)), ("EX-12.4.1", put("hand", 0, 1)),
    ("EX-12.4.1", put("discard", 1, 14)), ("EX-12.4.1", put("discard", 7, 14)), ("EX-12.4.1", put("removed", 2)),
    ("EX-12.4.1", put("hand", 3, 1)), ("EX-12.4.1", put("got", 0, 9)), ("EX-12.4.1", swap_seen),
    ("EX-12.4.1", put("events", 0, 45)), ("EX-12.4.2", put("loss_left", 2, 3)),
    ("EX-12.4.2", put("emerg_left", 3)), ("EX-12.4.2", put("shut_left", 0)),
    ("EX-12.4.2", put("slot_loss", 2, 3, 2)), ("EX-12.4.3", put("production", 0, -1)),
    ("EX-12.4.3", put("off", 0)), ("EX-12.4.4", put("supply", 1, 21)), ("EX-12.4.4", put("supply", 1, -1)),
    ("EX-12.4.4", put("supply", 1, 0)), ("EX-12.4.4", put("level", 0)), ("EX-12.4.5", put("pawn", 1, 4)),
    ("EX-12.4.5", put("slot_y", 2, 1)), ("EX-12.4.5", put("slot_y", 3, 29)),
    ("EX-12.4.5", put("slot_nb", 3, 3, -1)), ("EX-6.2", put("turn_no", 27)), ("EX-12.4.7", put("actions_left", 7)),
    ("EX-12.3", put("events_known", 21)), ("EX-2.6", put("character", 1, 1)), ("EX-7.2", put("issues", 1, 3)),
    ("EX-9.2", put("score", 0, 3)), ("EX-2.4", put("slot_card", 0, 4)), ("EX-4.5", put("slot_nb", 0, 0, 2)),
    ("EX-6.1", put("event", 53)), ("", put("alarmed", 1)), ("", put("near", 0, 2)), ("", put("damaged", 1, 4)),
    ("", put("coloured", 0, 2)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(DAMAGE)))
def test_damage_is_told(number):
    """A sound position is damaged in one place, and the problem is named."""
    clause, damage = DAMAGE[number]
    position = sound()
    assert position.problems() == []
    damage(position.s)
    assert any(problem.startswith(clause) for problem in position.problems()), position.problems()


def test_hands_above_the_limit_are_told():
    """EX-12.4.5 at MAIN decisions, with a migraine as well."""
    position = given({0: [0, 1, 2, 3, 4, 5]})
    assert position.problems() == []
    card = int(position.s.deck[position.s.deck_n - 1])
    position.s.hand[0] = int(position.s.hand[0]) | 1 << card
    position.s.deck_n -= 1
    position.s.deck[position.s.deck_n] = -1
    assert position.problems() == ["EX-12.4.5 a hand is above its limit"]


def test_games_that_go_on_are_told():
    """EX-12.4.4 a running game at the skull, and with the goal reached."""
    for field, value in (("supply", 0), ("production", 0)):
        position = given()
        position.s[field][:] = value
        assert any("EX-12.4.4 the game goes on" in problem for problem in position.problems())


LOGGED = [
    "actions", "idle_actions", "draws", "gives", "takes", "deploys", "deficit_cut", "generates", "supply_made",
    "moves", "repairs", "recovers", "abilities", "items", "plans", "limit_discards", "event_discards",
    "sick_turns",
]  # fmt: skip


@pytest.mark.parametrize("name", LOGGED)
def test_sums_that_do_not_agree_are_told(name):
    """EX-12.4.10."""
    position = sound()
    position.s.log.seat[1][name] += 1
    assert any(problem.startswith("EX-12.4.10") for problem in position.problems())


@pytest.mark.parametrize(
    ("name", "clause"),
    [("deficit_events", "EX-12.4.10"), ("loss_placed", "EX-12.4.2"), ("idle_actions", "EX-12.4.7")],
)
def test_counts_that_do_not_agree_are_told(name, clause):
    position = sound()
    position.s.log.game[name] += 9
    assert any(problem.startswith(clause) for problem in position.problems())


@pytest.mark.parametrize(
    ("name", "value", "clause"),
    [
        ("margin", 5, "EX-12.4.8"), ("won", 1, "EX-12.4.8"), ("end_reason", 1, "EX-12.4.8"),
        ("rank", 1, "EX-9.1"), ("score", 0, "EX-9.1"), ("allowance", 99, "EX-12.4.7"),
    ],
)  # fmt: skip
def test_results_that_do_not_agree_are_told(name, value, clause):
    """EX-12.4.7, .8 at the end of a game that was lost."""
    walk = Walk({}, 3, 2).to_the_end()
    assert walk.problems() == [] and walk.now.step > 1
    if name in ("rank", "score"):
        walk.s[name][1] = value
    else:
        walk.s.log.game[name] = value
    assert any(problem.startswith(clause) for problem in walk.problems()), walk.problems()
