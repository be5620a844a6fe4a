"""Whole games in words: the same every time, and what is told agrees with the rules.

After a wanted change of rules or words: python -m tests.red_outpost.test_golden
"""

import re

import pytest

from tests.of_games import goldens

CASES = {"first": (2, {}), "full": (3, {"ruleset": "full_game", "special_location_choice": 2})}
WORKERS = "Shepherd|Farmer|Fisherman|Miner|Commissar|Bureaucrat"


def story(name):
    seats, options = CASES[name]
    return goldens.story("red_outpost", f"random*{seats}", options)


each = pytest.mark.parametrize("name", CASES)


def golden(name):
    return goldens.golden(f"red_outpost_{name}")


@each
def test_a_golden_game_is_told_as_recorded(name):
    assert story(name) == golden(name)


@each
def test_RO_3_3_turns_are_told_in_the_order_of_the_table(name):
    """RO-3.3 the seats that move, in order."""
    order = {
        "first": "01 101010 01 101010 01 10 010101 10 010101 10",
        "full": "012 120120 201 012012 120 201 012012 120 201201 012",
    }[name].replace(" ", "")
    moves = re.compile(rf"^seat (\d) (?:{WORKERS}) to the ")
    assert "".join(match[1] for line in golden(name) if (match := moves.match(line))) == order


@each
def test_RO_8_3_the_most_points_win(name):
    goldens.check_most_points_win(golden(name), CASES[name][0])
    assert any("rounds_played" in line for line in golden(name))


if __name__ == "__main__":
    for case in CASES:
        goldens.record(f"red_outpost_{case}", story(case))
