"""What a field declares about its numbers, and what is refused when a game loads."""

from dataclasses import replace

import pytest

from simkit.engine.elements import flatten
from simkit.engine.fields import CATEGORY, NUMBER, Field, category, place, scalar
from simkit.engine.registry import game
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.verify.check.walking import Walk


def test_axes_are_the_names_in_brackets_at_the_end_of_the_meaning():
    field = Field("hand", "i1", (2, 5), "Cards held [seat, slot]")
    assert (field.axes, field.words) == (["seat", "slot"], "Cards held")
    assert Field("hand", "i1", (2, 5), "Cards [all] held").axes == []


def test_an_enum_is_a_category_without_a_word():
    decision = next(field for field in game("outpost_seven").fields if field.name == "decision")
    assert (decision.value, decision.content) == (NUMBER, category("Decision"))
    assert scalar("turn", "i2", "Turns").content == NUMBER
    assert scalar("goods", "i1", "Goods", CATEGORY).content == CATEGORY


REFUSED = [
    (Field("hand", "i1", (2, 5), "Cards [seat]"), "field 'hand' of the state has 2 axes; its meaning names"),
    (
        Field("hand", "i1", (5,), "Cards [slot]", unordered="seat"),
        r"no axis \[seat\], which unordered=... names",
    ),
    (scalar("at", "i1", "Place", place("row")), "places in 'row', which is no array of the state"),
    (scalar("at", "i1", "Place", place("seats")), "places in 'seats', which is no array of the state"),
]


@pytest.mark.parametrize(("field", "message"), REFUSED)
def test_a_game_with_a_field_that_does_not_fit_is_refused(field, message):
    with pytest.raises(UsageError, match=f"tic_tac_toe: .*{message}"):
        replace(game("tic_tac_toe"), state=[*game("tic_tac_toe").state, field])


FLAT = [
    ("tic_tac_toe", 2, "0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"),
    ("high_card", 2, "0 2 0 0 0 0 0 0 0 0 0 0 -1 -1 -1"),
    ("pig", 2, "0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"),
]


@pytest.mark.parametrize(("name", "seats", "numbers"), FLAT)
def test_a_flat_state_has_its_numbers_without_the_log(name, seats, numbers):
    walk = Walk(GameTable(game(name), game(name).rules()))
    next(iter(walk.positions(1, seats)))
    view = walk.view(walk.states, 0)
    assert flatten(game(name), view)[0].tolist() == [float(number) for number in numbers.split()]
