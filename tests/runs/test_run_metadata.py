"""A run keeps the words of its game and strategies: what they were called and meant, and which values are
worth a try.
"""

import dataclasses
from enum import IntEnum

import pytest

from simkit.engine.game import Words
from simkit.engine.options import choice, flag, integer
from simkit.engine.strategy import NamedChoice, Weight, strategy
from simkit.errors import UsageError
from simkit.games import pig
from simkit.runs.run_metadata import RunWords, words_of


class Start(IntEnum):
    """How a game begins; with a gap."""

    plain = 0
    handicap = 5


def refuses_ten(options, files):
    if options["head_start"] == 10:
        raise UsageError("no")
    return {}


OPTIONS = [
    choice("start", Start.plain, "X-1", "How it begins", label="beginning", values={"plain": "as ever"}),
    integer("head_start", 8, 0, 20, "X-2", "Points of seat 1", values="{} points", treats=(1,), needs={"start": "handicap"}),
    flag("second_first", False, "X-3", "Who starts", treats=(0, "daring"), needs={"start": ("plain", "handicap")}),
    integer("goal", 100, 1, 1000, "PIG-1", "Points that win"),
]  # fmt: skip
GAME = dataclasses.replace(
    pig.game,
    options=OPTIONS,
    presets={"start": {"handicap": {"goal": 50}}},
    words=Words(rules="Roll.", seats=["red"], score="pips", provenance=lambda options, files: [f"goal {options['goal']}"]),
    components=dataclasses.replace(pig.game.components, build=refuses_ten),
)  # fmt: skip


@strategy(
    GAME, label="a daring player", at=Weight(25, 1, 99, "Hold from here on"), way=NamedChoice(Start.plain, "Which way", "way to go")
)  # fmt: skip
def daring(legal):
    """Rolls on."""
    return legal[0]


@pytest.fixture
def words():
    return words_of(GAME, [daring], [{"start": "plain"}, {"start": "handicap"}], {}, {})


def test_the_words_of_the_game_are_kept_and_read_back(words):
    assert RunWords.model_validate_json(words.model_dump_json()) == words
    assert (words.title, words.seats, words.score, words.rules) == (GAME.title, ["red"], "pips", "Roll.")
    assert words.turns_of == "of all seats together" and words.provenance == ["goal 100", "goal 50"]


def test_options_have_labels_kinds_and_values(words):
    start, head_start = words.options["start"], words.options["head_start"]
    assert (start.kind, start.label, start.default) == ("choice", "beginning", "plain")
    assert start.values == {"plain": "as ever", "handicap": "handicap"}
    assert head_start.value_label(12) == "12 points" and start.value_label("plain") == "as ever"
    assert words.options["second_first"].value_label(True) == "true"
    assert (head_start.treats, head_start.needs) == ((1,), {"start": ["handicap"]})


def test_values_to_try_are_near_the_default_and_accepted_by_the_game(words):
    tries = {name: option.tries for name, option in words.options.items()}
    assert tries == {"start": [], "head_start": [6, 7, 8, 9], "second_first": [False, True], "goal": []}


def test_what_an_option_needs_is_named_where_it_is_not_in_force(words):
    assert words.unmet("head_start", {}) == {"start": "handicap"}
    assert words.unmet("head_start", {"start": "handicap"}) == {} == words.unmet("second_first", {})


def test_a_number_of_players_that_an_option_needs_is_no_option_to_set(words):
    needs = {"players": [2], "start": ["handicap"]}
    two = words.options["head_start"].model_copy(update={"needs": needs})
    other = words.model_copy(update={"options": words.options | {"head_start": two}})
    assert other.unmet("head_start", {}) == {"start": "handicap"}


def test_presets_are_in_force_unless_options_are_given(words):
    assert words.in_force({"start": "handicap"})["goal"] == 50
    assert words.in_force({"start": "handicap", "goal": 70})["goal"] == 70
    for given in ({}, {"start": "handicap"}, {"goal": 3}):
        assert words.in_force(given) == GAME.resolve(given)


def test_strategies_have_labels_and_weights(words):
    expected = words.strategies["daring"]
    assert (expected.label, expected.meaning) == ("a daring player", "Rolls on.")
    at, way = expected.weights["at"], expected.weights["way"]
    assert (at.label, at.meaning, at.usual, at.allowed) == ("at", "Hold from here on", "25", "1 to 99")
    assert (way.label, way.usual, way.allowed) == ("way to go", "plain", "plain, handicap")
