"""What a designer reads of the options of a game."""

from collections.abc import Callable, Collection
from typing import Any

import pytest

from simkit.engine.game import Game
from simkit.errors import UsageError


def check_labels(game: Game) -> None:
    """Every option has a label of its own, in plain words."""
    labels = [option.label for option in game.options]
    assert len(set(labels)) == len(labels)
    assert not [option.name for option in game.options if "_" in option.label]


def check_value_labels(game: Game) -> None:
    """Every choice has a label for each value, in plain words."""
    for option in game.options:
        labels = [option.value_label(name) for name in option.names]
        assert len(set(labels)) == len(labels) and not [label for label in labels if "_" in label]


def check_needs(game: Game) -> None:
    """The needed values are those of other options, and not only their defaults."""
    for option in game.options:
        for name, value in option.needs.items():
            needed = game.option(name)
            for first in value if isinstance(value, tuple | list) else [value]:
                assert needed.value(needed.number(first)) == first


def check_refused(game: Game, options: dict[str, Any]) -> None:
    """Values out of range are refused in one line that names the option."""
    with pytest.raises(UsageError) as error:
        game.rules(options)
    assert "\n" not in str(error.value) and next(iter(options)) in str(error.value)


def check_data_file(game: Game, rows: dict[str, Any], others: Collection[str] = ()) -> None:
    """Every option of the data file is one of the game's, which has but some others; choices have its names."""
    table = {name: row for name, row in rows.items() if isinstance(row, dict)}
    assert {option.name for option in game.options} == {*table, *others}
    for name, row in table.items():
        assert row["type"] != "choice" or list(game.option(name).names) == row["choices"], name


def check_row(game: Game, name: str, probe: Callable[[dict[str, Any]], Any], values: dict[Any, Any]) -> None:
    """What is looked at under the default, which stands first, and under each value of an option."""
    default = next(iter(values))
    assert game.resolve({})[name] == default
    assert probe({}) == values[default]
    for value, expected in values.items():
        assert probe({name: value}) == expected, value
