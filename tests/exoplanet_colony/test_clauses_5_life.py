"""EX-5 resource update and emergency level: each test is titled by its clause."""

from __future__ import annotations

import pytest

from .positions import given

QUIET = [0, 1]


def test_EX_5_1_update():
    """EX-5.1 every supply changes by its production, clipped."""
    position = given(supply=[10, 19, 3, 4], prod=[-1, 2, -5, 1], at="update", events=QUIET)
    position.then(supply=[9, 20, 0, 5], level=1)


def test_EX_5_1_all_four_at_the_same_time():
    """EX-5.1 the level is looked at after all four: one rises from 0 while another falls to 0."""
    for supply, prod, after in (
        ([0, 0, 1, 9], [1, -1, -1, -1], [1, 0, 0, 8]),
        ([1, 0, 0, 9], [-1, -1, 1, -1], [0, 0, 1, 8]),
        ([9, 1, 0, 0], [-1, -1, -1, 1], [8, 0, 0, 1]),
    ):
        position = given(supply=supply, prod=prod, at="update", events=QUIET)
        position.then(
            supply=after, level=2, over=False, log={"depletions": 1, "replenishments": 1, "max_level": 0}
        )


def test_EX_5_2_a_supply_of_0():
    """EX-5.2 stays at 0 with no further effect."""
    position = given(supply=[0, 9, 9, 9], prod=[-5, -1, 0, 0], at="update", events=QUIET)
    position.then(supply=[0, 8, 9, 9], level=1, log={"depletions": 0})
    given(supply=[0, 9, 9, 9], at="event", events=[9, 0]).then(
        supply=[0, 9, 9, 9], level=1, log={"depletions": 0}
    )


@pytest.mark.parametrize(
    ("supply", "alarms", "level"),
    [
        ([9] * 4, [], 0),
        ([0, 9, 9, 9], [], 1),
        ([9] * 4, [0], 1),
        ([0, 9, 9, 9], [0], 2),
        ([9, 0, 9, 0], [], 2),
    ],
)
def test_EX_5_3_level(supply, alarms, level):
    """EX-5.3 resources with supply 0 and Emergency tokens on the base."""
    given(supply=supply, alarms=alarms).then(level=level)


def test_EX_5_3_recomputed_after_every_change():
    """EX-5.3 by Generate, Repair, events, update."""
    position = given({0: [0]}, supply=[0, 9, 9, 9], alarms=[0], events=[41, 0], prod=[-1, 0, 0, 0])
    position.then(level=2, left=2).when("generate").then(level=1).when("repair").then(
        active=1, level=1, left=3
    )
    position.then(alarms=[0], supply=[1, 9, 9, 9], log={"max_level": 0})


def test_EX_5_4_actions_come_back_with_the_next_allowance():
    """EX-5.4 not in this turn."""
    position = given(alarms=[0], events=QUIET).then(left=3).when("repair").then(left=2, level=0)
    position.when("draw", "draw").then(active=1, left=4)


def test_EX_5_5_the_skull():
    """EX-5.5 defeat at once: in an update, in an infection, by an event, in the middle of it."""
    two = {"supply": [0, 0, 2, 9], "prod": [-1, -1, -2, -1]}
    given(**two, at="update", events=[4, 0]).then(over=True, end="skull", level=3, events_n=25, step="update")
    ill = given(
        supply=[2, 3, 0, 0], prod=[-1, -1, -1, -1], issues={0: "infection"}, at="update", events=QUIET
    )
    ill.then(over=True, end="skull", supply=[0, 1, 0, 0], level=3)
    event = given(supply=[0, 0, 3, 3], at="event", events=[52, 0]).then(over=True, end="skull", step="event")
    event.then(supply=[0, 0, 0, 3], log={"events_left": 24})
    alarm = given(supply=[0, 0, 3, 3], at="event", events=[44, 0]).then(over=True, end="skull", alarms=[0])
    alarm.then(supply=[0, 0, 3, 3], level=3)
    first = given(supply=[1, 0, 1, 0], at="event", events=[13, 0]).then(over=True, end="skull")
    first.then(supply=[0, 0, 1, 0])


def test_EX_5_5_the_skull_of_a_short_track():
    """EX-5.5 L is the level of the skull."""
    options = {"track_1": 0}
    given(options=options, at="event", events=[41, 0]).then(over=True, end="skull", level=1)
    long = {"track_3": 1}
    given(options=long, supply=[0, 0, 3, 9], at="event", events=[41, 0], prod=[-1] * 4).then(
        over=False, level=3, left=1
    )
