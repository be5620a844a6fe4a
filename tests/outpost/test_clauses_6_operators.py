"""OP-6 operators: the docstring of each test begins with its clause."""

from __future__ import annotations

import pytest

from .positions import given


def test_reassigned_each_turn():
    """OP-6.1 operators are placed anew each turn; new sites have none before (E6)."""
    position = given(
        factories={0: {"ore": 2, "water": 1, "titanium": 1}},
        operated={0: {"ore": 2, "water": 1}},
        upgrades={0: {"heavy_equipment": 1}},
    )
    position.then(score=[4, 3]).when(0, "end").when(1, "end").then(decision="assign", legal=[0, 1])
    position.when(0, "1", "1").then(operated={0: {"titanium": 1, "water": 1, "ore": 1}}, score=[5, 3])


ROWS = {
    "X1": (dict(space_station=1), 0, 3, 2, {}, [], dict(ore=2, space_station=0)),
    "X1 robots_man_specials": (
        dict(space_station=1),
        0,
        3,
        2,
        dict(robots_man_specials=True),
        [],
        dict(ore=2, space_station=1),
    ),
    "X2": (dict(space_station=1), 6, 0, 9, {}, [], dict(ore=5, space_station=1)),
    "X3 without": (dict(space_station=1), 5, 0, 9, {}, [0], dict(ore=5, space_station=0)),
    "X3 with": (dict(space_station=1), 5, 0, 9, {}, [1], dict(ore=4, space_station=1)),
    "X4": (dict(space_station=1), 5, 0, 4, {}, [], dict(ore=4, space_station=1)),
    "X5": (dict(robots=1), 3, 5, 9, dict(ruleset="expert"), [], dict(ore=6)),
    "X5 two cards": (dict(robots=2), 3, 5, 9, dict(ruleset="expert"), [], dict(ore=8)),
}


@pytest.mark.parametrize("name", ROWS)
def test_constraints(name):
    """OP-6.2 everything that can be used is used; only population operates specials; those above base must
    (X1 to X5)."""
    upgrades, population, robots, ore, options, choices, operated = ROWS[name]
    position = given(
        upgrades={0: upgrades},
        population=[population],
        robots=[robots],
        factories={0: {"ore": ore}, 1: {}},
        options=options,
    )
    position.when(0, "end").when(1, "end")
    for choice in choices:
        position.then(decision="assign", seat=0).when(0, str(choice))
    position.then(turn=2, operated={0: operated})


def test_idle_station_counts_nothing():
    """OP-6.2 X3: a station without operator gives no points, no cards, no cost sum."""
    position = (
        given(upgrades={0: {"space_station": 1}}, population=[5], factories={0: {"ore": 9}})
        .when(0, "end")
        .when(1, "end")
        .when(0, "0")
    )
    position.then(score=[5, 3])
    assert position.s.cards[0].tolist() == [5, 0, 0, 0, 0, 0, 0, 0, 0]


def test_order_of_choice():
    """OP-6.3 moon bases, cruisers, stations, then new chemicals, research, titanium, water, ore."""
    position = given(
        upgrades={0: {"moon_base": 1, "planetary_cruiser": 1, "space_station": 1,
                      "heavy_equipment": 1, "laboratory": 1}},
        factories={0: {"new_chemicals": 1, "research": 1, "titanium": 1, "water": 1, "ore": 9}},
        population=[5],
    )  # fmt: skip
    position.when(0, "end").when(1, "end").when(0, "1", "0", "1", "1", "0", "1", "1")
    position.then(turn=2, score=[20 + 10 + 1 + 5 + 3 + 2 + 1 + 0, 3])
    assert position.s.operated[0].tolist() == [0, 1, 1, 0, 1, 1, 0, 1]


def test_enough_operators_leave_nothing_to_choose():
    """OP-6.4 with an operator for every site nobody is asked."""
    position = given(
        upgrades={0: {"space_station": 1, "robots": 1}},
        population=[3],
        robots=[9],
        factories={0: {"ore": 5, "water": 2}},
    )
    position.when(0, "end").when(1, "end").then(
        turn=2, operated={0: {"ore": 5, "water": 2, "space_station": 1}}
    )
