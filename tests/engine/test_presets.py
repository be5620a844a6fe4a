"""Presets: a named choice that sets other options, which explicit values override; named columns and nulls of
the log.
"""

import dataclasses
import enum

import numpy as np
import pytest

from simkit.cli.commands.compare import rule_sets
from simkit.engine.fields import Field
from simkit.engine.game import Log
from simkit.engine.options import choice
from simkit.errors import UsageError
from simkit.games.outpost import game as outpost
from simkit.games.pig import game as pig
from simkit.runs import columns, experiment


class Mode(enum.IntEnum):
    slow = 0
    fast = 1


OPTIONS = [*pig.options, choice("mode", Mode.slow, "X-1", "How fast")]
game = dataclasses.replace(pig, options=OPTIONS, presets={"mode": {"fast": {"goal": 30}}})


def test_a_preset_sets_its_options_and_explicit_values_win():
    assert game.resolve({})["goal"] == 100
    assert game.resolve({"mode": "fast"})["goal"] == 30
    assert game.resolve({"mode": "fast", "goal": 60})["goal"] == 60
    assert int(game.rules({"mode": "fast"})[0].goal) == 30


def test_a_preset_is_checked_like_any_option():
    with pytest.raises(UsageError, match="out of range"):
        dataclasses.replace(game, presets={"mode": {"fast": {"goal": 0}}}).resolve({"mode": "fast"})
    with pytest.raises(UsageError, match="unknown option"):
        dataclasses.replace(game, presets={"mode": {"fast": {"gaol": 5}}}).resolve({"mode": "fast"})
    with pytest.raises(UsageError, match="unknown value"):
        game.resolve({"mode": "quick"})


def test_rule_sets_compared_take_their_own_presets():
    """An option that only one of the sets names has in the others the value of their own preset."""
    request = rule_sets("outpost", {}, [{"ruleset": "expert"}, {"hand_capacity_base": 7}], {})
    assert request["sweep"] == {"ruleset, hand_capacity_base": [["basic", 5], ["expert", 10], ["basic", 7]]}
    fixed = rule_sets("outpost", {}, [{"hand_capacity_base": 7}], {"ruleset": "expert"})
    assert fixed["sweep"] == {"hand_capacity_base": [10, 7]} and fixed["baseline"] == {
        "hand_capacity_base": 10
    }


def test_a_baseline_takes_the_preset_in_force():
    """What [baseline] leaves out has the value of the fixed rule set, not of the default one."""
    request = {
        "question": "?", "game": "outpost", "deals": 1, "lineups": ["random*2"], "options": {"ruleset": "expert"},
        "sweep": {"hand_capacity_base": [5, 10], "mega": [True, False]}, "baseline": {"mega": False},
    }  # fmt: skip
    base = [cell for cell in experiment.cells(experiment.parse(request)) if cell.baseline]
    assert [cell.varied for cell in base] == [{"hand_capacity_base": 10, "mega": False}]


def test_every_preset_of_outpost_is_known():
    for sets in outpost.presets["ruleset"].values():
        assert set(sets) <= {o.name for o in outpost.options}
        assert sets.keys() == outpost.presets["ruleset"]["basic"].keys()


def test_the_usual_number_of_seats_is_the_fewest_unless_told():
    assert (pig.default_seats, outpost.default_seats) == (2, 4)


def test_columns_named_and_never():
    """A field with one axis may name its columns; a number that means never is null."""
    fields = [
        Field("sold", "i4", (2,), "Sold: {}", {"sold_ore": "ore", "sold_water": "water"}),
        Field("first_win", "i4", (), "Turn", never=-1),
    ]
    of = dataclasses.replace(pig, log=Log(fields), setup=pig.setup)
    states = np.zeros(2, of.state_dtype)
    states["log"]["game"]["sold"] = [[1, 2], [3, 4]]
    states["log"]["game"]["first_win"] = [5, -1]
    request = experiment.parse({"question": "?", "game": "pig", "deals": 2, "lineups": ["random*2"]})
    table = columns.games_table(of, experiment.cells(request)[0], np.arange(2), np.zeros(2, np.int64), states)
    assert table["sold_ore"].to_pylist() == [1, 3] and table["sold_water"].to_pylist() == [2, 4]
    assert table["first_win"].to_pylist() == [5, None]
    assert {"sold_ore", "first_win"} <= set(table.column_names)
    assert table.schema.field("sold_water").metadata[b"description"] == b"Sold: water"
