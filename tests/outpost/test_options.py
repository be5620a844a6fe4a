"""Options: what a designer reads of them (OP-16)."""

from __future__ import annotations

from simkit.games.outpost import game


def test_the_option_for_later_seats_says_whom_it_treats():
    assert {option.name: option.treats for option in game.options if option.treats} == {
        "late_seat_ore_cards": tuple(range(1, 10))
    }
