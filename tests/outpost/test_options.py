"""Options: what a designer reads of them (OP-16)."""

from __future__ import annotations

from simkit.games.outpost import game


def test_every_option_has_a_label_of_its_own():
    labels = [option.label for option in game.options]
    assert len(set(labels)) == len(labels)
    assert not [option.name for option in game.options if "_" in option.label]


def test_every_choice_has_a_label_for_each_value():
    for option in game.options:
        labels = [option.value_label(name) for name in option.names]
        assert len(set(labels)) == len(labels) and not [label for label in labels if "_" in label]


def test_what_an_option_needs_can_be_had():
    """The needed values are those of other options, and not only their defaults."""
    for option in game.options:
        for name, value in option.needs.items():
            needed = game.option(name)
            assert needed.shown(needed.number(value)) == value


def test_the_option_for_later_seats_says_whom_it_treats():
    assert {option.name: option.treats for option in game.options if option.treats} == {
        "late_seat_ore_cards": tuple(range(1, 10))
    }
