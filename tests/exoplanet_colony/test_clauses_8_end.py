"""EX-8 end of the game: each test is titled by its clause."""

from __future__ import annotations

import pytest

from .positions import given

QUIET = [0, 1]


def won(position, left):
    return position.then(over=True, end="self_sustaining", defeat="none", score=[1 + left] * 2, rank=[1, 1])


def test_EX_8_1_by_a_deployment():
    """EX-8.1 at once, in the middle of the actions; nothing else is executed."""
    position = given({0: [14, 7, 8], 1: [35]}, prod=[-1, 0, -2, 1]).when("deploy", "dir N").settle()
    won(position, 25).then(supply=[13] * 4, step="actions", prod=[0, 0, 0, 0], modules=[14], pile=[7, 8])


def test_EX_8_1_by_a_switch():
    """EX-8.1 on or off."""
    won(given(base="14@(0,1)", pawns={0: 1}, off=[1], prod=[-1, 0, 0, 1]).when("switch"), 25)
    won(given(base="14@(0,1)", pawns={0: 1}, prod=[1, 0, 2, -1]).when("switch"), 25)


def test_EX_8_1_by_repairs():
    """EX-8.1 Repair, Engineer, Tool Kit."""
    case = {"loss": {0: "food"}, "prod": [0, 0, -1, 0]}
    won(given(**case).when("repair"), 25)
    won(given(characters={0: "engineer"}, **case).when("ability"), 25)
    won(given({0: [29]}, events_n=3, **case).when("item"), 3)
    won(given({0: [29]}, events_n=0, left=1, **case).when("item"), 0)


@pytest.mark.parametrize(
    ("goal", "prod", "over"), [(1, 1, True), (1, 0, False), (-1, -1, True), (3, 3, True), (3, 2, False)]
)
def test_EX_8_1_option(goal, prod, over):
    """EX-8.1 all four productions at least win_production."""
    options = {"win_production": goal}
    position = given(loss={0: "water"}, prod=[prod, prod - 1, prod, prod], options=options).when("repair")
    position.then(over=over)
    if over:
        won(position, 25)


def test_EX_8_1_each_resource_counts():
    """EX-8.1 three are not enough."""
    for r in range(4):
        prod = [3, 3, 3, 3]
        prod[r] = -1
        given(prod=prod, at="update", events=QUIET).then(over=False, score=[-1, -1])


def test_EX_8_1_in_the_last_turn():
    """EX-8.1 with an empty event deck: margin 1."""
    won(given(loss={0: "water"}, prod=[0, -1, 0, 0], events_n=0, seat=1).when("repair"), 0)


def test_EX_8_2_skull():
    """EX-8.2 immediately; nobody discards any more."""
    position = given({0: [1], 1: [2, 3]}, supply=[0, 0, 9, 1], at="event", events=[51, 0])
    position.then(over=True, end="skull", defeat="depletion", score=[-8, -8], rank=[0, 0])
    mixed = given(supply=[0, 1, 9, 9], alarms=[0], prod=[-1] * 4, at="update")
    mixed.then(over=True, end="skull", defeat="mixed", score=[-4, -4])
    alarms = given(alarms=[0, 0], prod=[-5, 3, 3, 3], at="event", events=[41, 0])
    alarms.then(over=True, end="skull", defeat="emergencies", score=[-5, -5])


def test_EX_8_3_events_out():
    """EX-8.3 EX-6.2; the reason is skull if the update already brings it."""
    given(events_n=0, at="event").then(over=True, end="events_out", defeat="clock", rank=[0, 0])
    given(events_n=0, at="update", supply=[1] * 4).then(over=True, end="skull", defeat="depletion")


def test_EX_8_4_every_single_change():
    """EX-8.4 victory is looked at after every change: a repair wins at the brink; then nothing more happens."""
    position = given(loss={0: "water"}, prod=[0, -1, 0, 0], supply=[0, 9, 9, 9], alarms=[0]).when(
        "repair", "token water"
    )
    won(position, 25).then(level=2, alarms=[0], supply=[0, 9, 9, 9])
    first = given(loss={0: "water"}, prod=[0, -1, 0, 0], supply=[0, 9, 9, 9], alarms=[0]).when(
        "repair", "token emergency"
    )
    first.then(over=False, level=1)
