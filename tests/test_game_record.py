"""The records of a game: names that would not mean the same compiled and uncompiled are refused."""

import dataclasses

import pytest

from simkit.errors import UsageError
from simkit.fields import record, scalar
from simkit.games.pig import game
from simkit.options import integer


def test_a_field_named_as_an_attribute_of_numpys_records_is_refused():
    """Uncompiled, `rules.size` would be the number of elements of the record, not the option."""
    with pytest.raises(UsageError, match="'size' cannot be the name of an option or field"):
        record([scalar("score", "i2", "Points"), scalar("size", "i2", "Cells along a side")])


def test_an_option_named_as_an_attribute_of_numpys_records_is_refused():
    with pytest.raises(UsageError, match="'flags'"):
        dataclasses.replace(game, options=[integer("flags", 1, 0, 9, "X-1", "Flags to capture")]).rules()


def test_fields_named_twice_are_refused():
    with pytest.raises(ValueError, match="fields named twice"):
        record([scalar("score", "i2", "Points"), scalar("score", "i4", "Points again")])
