"""The records of a game: names that would not mean the same compiled and uncompiled; labels; defaults."""

import dataclasses
import enum

import numpy as np
import pytest

from simkit.engine.fields import Field, counters, record, scalar
from simkit.engine.game import Components, Game, Log
from simkit.engine.options import choice, flag, integer
from simkit.engine.rule_helpers import end, next_seat, rank_by_score
from simkit.errors import UsageError
from simkit.games.pig import game
from simkit.questions.fair.result import Point
from simkit.questions.playtests import columns_of
from simkit.runs import experiment, log
from simkit.runs.plan import make_plan

(CELL,) = make_plan(
    experiment.parse({"question": "?", "game": "pig", "deals": 1, "lineups": "random*2"})
).cells


def test_a_field_named_as_an_attribute_of_numpys_records_is_refused():
    """Uncompiled, `rules.size` would be the number of elements of the record, not the option."""
    with pytest.raises(UsageError, match="'size' cannot be the name of an option or field"):
        record([scalar("score", "i2", "Points"), scalar("size", "i2", "Cells along a side")])


def test_an_option_named_as_an_attribute_of_numpys_records_is_refused():
    with pytest.raises(UsageError, match="'flags'.*rename it"):
        dataclasses.replace(game, options=[integer("flags", 1, 0, 9, "X-1", "Flags to capture")])


def test_fields_named_twice_are_refused():
    with pytest.raises(UsageError, match="fields or options named twice: score; rename one of them"):
        record([scalar("score", "i2", "Points"), scalar("score", "i4", "Points again")])


TABLES = log.describe_columns(game, CELL, keep_going=True)[0]  # table -> columns
LOGS = {"games": "game", "seats": "seat", "turns": "trace"}
COLUMNS = {
    "games": TABLES["games"],
    "seats": [name for name in TABLES["seats"] if name not in {own.name for own in game.log.seat}],
    "sheet of playtests": [
        name for name in columns_of(game) if name not in {own.name for own in game.options}
    ],
    "measured point": Point.model_fields,
    "number of players": ["players", "seats"],
}


@pytest.mark.parametrize("table", COLUMNS)
def test_options_named_like_a_column_of_results_are_refused(table):
    """Wherever options and results are columns of one table, one would be read as the other."""
    for name in COLUMNS[table]:
        with pytest.raises(
            UsageError, match=f"^pig: rename the option '{name}'|^'{name}' cannot be the name"
        ):
            dataclasses.replace(game, options=[integer(name, 1, 0, 9, "X-1", "Nothing"), *game.options])


@pytest.mark.parametrize("table", LOGS)
def test_log_fields_named_like_a_column_of_their_table_are_refused(table):
    logged = [
        name
        for part in (game.log.game, game.log.seat, game.log.trace)
        for own in part
        for name in own.column_names
    ]
    for name in set(TABLES[table]) - {*logged, "busts_0"}:
        log = dataclasses.replace(game.log, note=print, **{LOGS[table]: [scalar(name, "i4", "Nothing")]})
        with pytest.raises(
            UsageError, match=f"^pig: rename the field of the (log|trace).* '{name}'|^'{name}'"
        ):
            dataclasses.replace(game, log=log)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"log": Log([Field("a", "i2", (2,), "A"), scalar("a_1", "i2", "B")])},
            "rename the field of the log 'a_1'",
        ),
        ({"log": Log(counters(goal="Goals"))}, "rename the option 'goal'"),
        ({"streams": ["nature/die", "deal/die"]}, "fields or options named twice: die"),
        ({"streams": ["choice/0"]}, "stream 'choice/0' must be called deal/NAME or nature/NAME"),
        ({"components": Components([scalar("goal", "i2", "Goals")])}, "fields or options named twice: goal"),
        ({"state": [scalar("rank", "i2", "Rank")]}, "fields or options named twice: rank"),
    ],
)
def test_names_that_clash_within_a_game_are_refused_when_it_is_loaded(changes, message):
    with pytest.raises(UsageError, match=message):
        dataclasses.replace(game, **changes)


@pytest.mark.parametrize("end", [32_767, 32_768, -32_769, 2**31 - 1, -(2**31)])
def test_an_option_beyond_16_bits_is_stored_as_it_is(end):
    bank = integer("bank", 0, min(end, 0), max(end, 0), "X-1", "Points in the bank")
    rules = dataclasses.replace(game, options=[*game.options, bank]).rules({"bank": end, "goal": 1000})[0]
    assert (rules.bank, rules.goal) == (end, 1000)
    assert bank.storage == ("i2" if end == 32_767 else "i4")


@pytest.mark.parametrize(
    ("default", "low", "high"), [(0, 0, 2**31), (0, -(2**31) - 1, 0), (5, 0, 4), (0, 3, 1)]
)
def test_an_option_with_a_range_that_cannot_be_is_refused_where_it_is_defined(default, low, high):
    with pytest.raises(
        ValueError, match=f"option bank has the range {low} to {high}, default {default}: it must"
    ):
        integer("bank", default, low, high, "X-1", "Points in the bank")


class Rule(enum.IntEnum):
    """How hands arise."""

    keep_exact = 0
    deal_count = 1


@pytest.mark.parametrize(
    "option, value, message",
    [
        (integer("keep", 12, 0, 48, "X-1", "Cards kept"), 16, "16"),
        (integer("keep", 12, 0, 48, "X-1", "Cards kept", values="keep {}"), 16, "keep 16"),
        (flag("mega", False, "X-2", "Mega-cards"), True, "true"),
        (
            flag("mega", False, "X-2", "Mega-cards", values={"true": "with mega-cards"}),
            True,
            "with mega-cards",
        ),
        (choice("rule", Rule.keep_exact, "X-3", "Hands"), "deal_count", "deal count"),
        (
            choice("rule", Rule.keep_exact, "X-3", "Hands", values={"deal_count": "deal some"}),
            "deal_count",
            "deal some",
        ),
    ],
)
def test_the_label_of_a_value(option, value, message):
    assert option.value_label(value) == message


def test_an_option_without_a_label_has_its_name_in_words():
    assert integer("hand_limit", 7, 2, 10, "X-1", "Most cards").label == "hand limit"
    assert (
        integer("hand_limit", 7, 2, 10, "X-1", "Most cards", label="cards in hand").label == "cards in hand"
    )


def test_a_number_that_stands_for_something_is_named() -> None:
    """The manual gave this very example, and it was refused."""
    rounds = integer("rounds", 0, 0, 12, "X-1", "Rounds", values={"0": "7, as printed"})
    assert (rounds.value_label(0), rounds.value_label(3)) == ("7, as printed", "3")
    limit = integer("limit", -1, -1, 9, "X-1", "Most cards", values={"-1": "no limit", "{}": "{} cards"})
    assert (limit.value_label(-1), limit.value_label(3)) == ("no limit", "3 cards")
    with pytest.raises(ValueError, match="has a label for '13', which is none of its values: 0 to 12"):
        integer("rounds", 0, 0, 12, "X-1", "Rounds", values={"13": "many"})


def test_a_label_for_a_value_that_an_option_does_not_have_is_refused():
    with pytest.raises(ValueError, match="has a label for 'draft', which is none of its values"):
        choice("rule", Rule.keep_exact, "X-3", "Hands", values={"draft": "pick in turn"})


def test_an_open_game_needs_no_sight_words_or_invariants_of_its_own():
    bare = Game("bare", "Bare", (2, 3), game.end_reasons, [], [], 1, game.setup, game.legal, game.apply)
    s, view = np.zeros(1, bare.state_dtype)[0], np.zeros(1, bare.state_dtype)[0]
    s.seats, s.score[:] = 3, (4, 9, 4)
    s.log.game.turns = 7
    rules = bare.rules()[0]
    bare.observe(s, rules, 0, view)
    assert list(view.score) == [4, 9, 4] and view.log.game.turns == 0
    assert bare.problems(s, rules) == [] and bare.show(s, rules) == "seat 0: 4  seat 1: 9  seat 2: 4"
    assert bare.describe(s, rules, 3, s) == "plays 3"


def test_ranks_by_score_share_ties_and_the_game_is_over():
    s = np.zeros(1, game.state_dtype)[0]
    s.seats, s.seat = 4, 3
    s.score[:4] = (4, 9, 4, 1)
    assert next_seat(s) == 0
    rank_by_score(s)
    end(s, game.end_reasons.goal)
    assert list(s.rank[:4]) == [2, 1, 2, 4] and s.seat == -1 and s.log.game.end_reason == 1
