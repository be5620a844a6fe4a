"""Options: what a designer reads of them (OP-16)."""

from __future__ import annotations

from simkit.games.outpost import game
from tests.of_games.options import check_labels, check_needs, check_value_labels


def test_every_option_has_a_label_of_its_own():
    check_labels(game)


def test_every_choice_has_a_label_for_each_value():
    check_value_labels(game)


def test_what_an_option_needs_can_be_had():
    check_needs(game)


def test_the_option_for_later_seats_says_whom_it_treats():
    assert {option.name: option.treats for option in game.options if option.treats} == {
        "late_seat_ore_cards": tuple(range(1, 10))
    }
