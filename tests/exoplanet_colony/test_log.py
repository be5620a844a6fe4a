"""The columns of the log (EX-19): names and kinds. `test_plain_game.py` counts each of them in lockstep."""

from functools import cache

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Defeat, End, Step
from tests.of_games.logs import STANDARD_GAMES, STANDARD_SEATS, check_decisions, tables_of_walk, turn_columns

from . import plain_counts
from .plain_counts import SEATS, TRACE
from .walk import Walk

GAMES = [name for name in plain_counts.GAMES if name not in STANDARD_GAMES]
PATIENT = {"ruleset": "patient"}


@cache
def tables():
    """The games table and the seats table of a random game."""
    return tables_of_walk(Walk({}, 3).to_the_end())


def test_columns_have_the_names_of_the_specification():
    """EX-19.1, EX-19.2: these columns in this order, and no others."""
    games, seats = tables()
    assert games.column_names == STANDARD_GAMES + GAMES
    assert sorted(seats.column_names) == sorted(STANDARD_SEATS + SEATS)
    result, wanted = turn_columns(game, TRACE[1:])
    assert result == wanted


def test_named_columns_hold_words():
    """EX-19.1 end_reason, end_step, defeat, character."""
    assert [first.name for first in End if first] == ["self_sustaining", "skull", "events_out"]
    assert [first.name for first in Step] == ["setup", "actions", "update", "event"]
    assert {first.name for first in Defeat} == {"none", "clock", "depletion", "emergencies", "mixed"}
    for name, table in (("end_reason", 0), ("end_step", 0), ("defeat", 0), ("character", 1)):
        assert {type(row[name]) for row in tables()[table].to_pylist()} == {str}


def test_nobody_wins_alone():
    """EX-9.1 a team has no winner and no draw; the first player is known."""
    row = tables()[0].to_pylist()[0]
    assert row["winner"] is None and row["draw"] is False and row["first"] == 0


def test_decisions_are_those_with_a_choice():
    """EX-11.1 what is forced is not counted."""
    for seats in (2, 3, 5):
        check_decisions(Walk, PATIENT, seats)
