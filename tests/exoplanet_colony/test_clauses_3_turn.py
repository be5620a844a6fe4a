"""EX-3 structure of a turn: each test is titled by its clause."""

from __future__ import annotations

import pytest

from .positions import Position, given

QUIET = [0, 1]
PLANS = [32, 33, 34, 35]


@pytest.mark.parametrize(("seats", "start"), [(2, 0), (3, 1), (5, 4)])
def test_EX_3_1_turns_run_clockwise(seats, start):
    """EX-3.1 seat + 1."""
    position = Position({"start_player": start, "characters": "none"}, seats=seats)
    for turn in range(1, 7):
        position.then(turn=turn, active=(start + turn - 1) % seats).end_turn()


def test_EX_3_2_steps_of_a_turn():
    """EX-3.2 window start, actions, window update, update, event with its window, in this order."""
    position = given({0: PLANS}, "16@(0,1)", at="start", events=[11, 0])
    position.then(
        decision="plan_window", step="actions", left=0, events_n=25, legal=["pass", "card 32", "card 33"]
    )
    position.when("pass").then(decision="main", left=4).when("pass")
    position.then(decision="plan_window", step="update", supply=[13] * 4)
    position.then(legal=["pass", "card 32", "card 33", "card 34"]).when("pass")
    position.then(decision="plan_window", step="event", supply=[11, 10, 13, 11], events_n=24)
    position.then(legal=["pass", "card 35"]).when("pass").then(supply=[11, 10, 11, 11], active=1, turn=2)


def test_EX_3_2_update_and_event_in_every_turn():
    """EX-3.2 of every player."""
    position = given(events=[0, 1, 2], seats=3)
    for n in (1, 2, 3):
        position.end_turn().then(events_n=25 - n)
    position.then(supply=[9, 7, 7, 7], active=0)


@pytest.mark.parametrize(
    ("issues", "allowances"),
    [
        ("", [4, 3, 2]),
        ("insomnia", [3, 2, 1]),
        ("acute", [2, 1, 1]),
        ("insomnia acute", [1, 1, 1]),
        ("flu", [4, 3, 2]),
    ],
)
def test_EX_3_3_allowance(issues, allowances):
    """EX-3.3 by level, less for Insomnia and Acute Illness, at least 1; of the active player only."""
    for level, left in enumerate(allowances):
        given(alarms=[0] * level, issues={0: issues}, at="start").then(left=left)
    given(issues={1: "insomnia acute"}, at="start", events=QUIET).then(left=4).end_turn().then(
        active=1, left=1
    )


def test_EX_3_3_computed_after_the_start_window():
    """EX-3.3 once, and fixed whatever happens to the level."""
    position = given({0: [33]}, at="start", seat=0, alarms=[0]).then(left=0, decision="plan_window")
    position.when("card 33", "perm 012").then(left=3, decision="main")
    position.when("repair").then(level=0, left=2)
    fixed = given({0: [0]}, supply=[0, 5, 5, 5]).then(left=3).when("generate").then(level=0, left=2)
    fixed.when("draw").then(left=1)


def test_EX_3_4_stop_at_any_time():
    """EX-3.4 at once or later; unused actions are lost."""
    given(events=QUIET).when("pass").then(active=1, left=4, log={"idle_actions": 4, "actions": 0})
    later = given(events=QUIET).when("draw", "pass").then(active=1, left=4)
    later.then(log={"idle_actions": 3, "actions": 1})
    given({0: [34]}).when("draw", "pass").then(decision="plan_window", step="update", left=0)


def test_EX_3_4_items_and_plans_after_the_last_action():
    """EX-3.4 they cost no action; the step ends by PASS or when PASS is the only legal choice."""
    position = given({0: [30, 33]}, deck=[1], left=1, events=QUIET).when("draw")
    position.then(active=0, decision="main", left=0, legal=["pass", "item", "plan"])
    position.when("item", "res water").then(supply=[13, 17, 13, 13], left=0, legal=["pass", "plan"])
    position.when("plan", "perm 012").then(active=1, left=4, supply=[11, 15, 11, 11])
    position.then(log={"idle_actions": 0, "actions": 1})
    stop = given({0: [30]}, deck=[1], left=1, events=QUIET).when("draw").then(decision="main").when("pass")
    stop.then(hands={0: [1, 30]}, active=1)


def test_EX_3_4_only_pass_is_legal():
    """EX-3.4 with actions left too; nobody is asked."""
    position = given({1: [35]}, deck_n=0, pile_n=0, issues={1: "flu"}, events=QUIET)
    position.then(decision="plan_window", step="event", supply=[11] * 4, decided=[], log={"idle_actions": 4})


def test_EX_3_4_the_price_is_taken_off_at_the_end():
    """EX-3.4 sub-decisions see the actions left before."""
    position = given({0: [0, 7]}, left=2).when("generate").then(decision="gen_card", left=2)
    position.when("card 0").then(left=1)
    ankle = given({1: [32]}, "16@(0,1)", issues={0: "ankle"}, left=3).when("move N")
    ankle.then(decision="plan_window", seat=1, left=1)


def test_EX_3_5_no_undo():
    """EX-3.5 no id takes an action back: what is not offered below is not there."""
    position = given({0: [0, 7]}).when("generate").then(legal=["card 0", "card 7"])
    position.when("card 0").then(cannot=["repair", "switch", "recover", "ability", "item", "plan", "take"])


@pytest.mark.parametrize(("start", "last"), [(0, 2), (1, 0), (2, 1)])
def test_EX_3_6_once_a_round(start, last):
    """EX-3.6 update and its window, event only in the turn of the seat before the start player."""
    options = {"update_per": "round", "event_per": "round", "start_player": start}
    for seat in range(3):
        position = given({seat: [34]}, seats=3, seat=seat, options=options, events=[2, 0])
        position.when("pass")
        if seat == last:
            position.then(decision="plan_window", seat=seat, step="update").when("pass")
            position.then(supply=[13, 11, 11, 11], events_n=24)
        else:
            position.then(supply=[13] * 4, events_n=25, active=(seat + 1) % 3)


def test_EX_3_6_one_of_them_once_a_round():
    """EX-3.6 the options do not touch each other."""
    update = {"options": {"update_per": "round"}, "events": [2, 0]}
    given(**update).when("pass").then(supply=[15, 13, 13, 13], events_n=24)
    event = {"options": {"event_per": "round"}, "events": [2, 0]}
    given({0: [35]}, **event).when("pass").then(supply=[11] * 4, events_n=25, active=1)


def test_EX_3_6_grace():
    """EX-3.6 no event in turns 1..n, the update takes place."""
    position = given(options={"grace_turns": 3}, seats=2, events=QUIET)
    for turn in (2, 3, 4):
        position.end_turn().then(turn=turn, events_n=25, supply=[13 - 2 * (turn - 1)] * 4)
    position.end_turn().then(turn=5, events_n=24)


def test_EX_3_6_infection_and_rounds():
    """EX-3.6 Infection acts only in an update in the ill player's own turn."""
    ill = {"options": {"update_per": "round"}, "seats": 2, "events": QUIET}
    given(seat=0, issues={0: "infection"}, **ill).when("pass").then(supply=[13] * 4)
    given(seat=1, issues={0: "infection"}, **ill).when("pass").then(supply=[11] * 4)
    given(seat=1, issues={1: "infection"}, **ill).when("pass").then(supply=[10, 10, 11, 11])
