"""Log fields become columns that can be reckoned with: wide enough, named, one per element."""

import dataclasses
from enum import IntEnum

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from simkit.engine.fields import Field, scalar
from simkit.engine.game import Log
from simkit.errors import PlayError
from simkit.games import pig
from simkit.runs import experiment, log
from simkit.runs.plan import make_plan


class Ending(IntEnum):
    """With gaps, out of order."""

    late = 9
    none = 0
    early = 4


GAME = dataclasses.replace(
    pig.game,
    log=Log(
        game=[
            scalar("small", "i1", "A small number"),
            Field("pair", "i2", (2,), "Two numbers [which]"),
            scalar("how", Ending, "How"),
        ],
        seat=[scalar("turns", "i4", "Turns"), scalar("way", Ending, "Which way")],
    ),
)
CELL = make_plan(
    experiment.parse({"question": "?", "game": "pig", "deals": 3, "lineups": ["random*2"]})
).cells[0]
DEALS, SHIFTS = np.arange(3), np.zeros(3, np.int64)


def finished_states():
    states = np.zeros(3, GAME.state_dtype)
    states["log"]["game"]["small"] = [100, -1, 0]
    states["log"]["game"]["pair"] = [[1, 2], [3, 4], [5, 6]]
    states["log"]["game"]["how"] = [0, 9, 4]
    states["log"]["seat"]["way"][:, :2] = [[0, 9], [9, 4], [4, 4]]
    return states


def test_small_whole_numbers_are_widened_so_that_reckoning_does_not_overflow():
    table = log.games_table(GAME, CELL, DEALS, SHIFTS, finished_states())
    assert table.schema.field("small").type == table.schema.field("pair_0").type == pa.int32()
    assert table["small"].to_pylist() == [100, -1, 0]


def test_a_field_with_axes_becomes_a_column_for_each_element():
    table = log.games_table(GAME, CELL, DEALS, SHIFTS, finished_states())
    assert table["pair_0"].to_pylist() == [1, 3, 5] and table["pair_1"].to_pylist() == [2, 4, 6]
    assert {"pair_0", "pair_1"} <= set(table.column_names)


def test_a_named_choice_is_written_by_name():
    assert log.games_table(GAME, CELL, DEALS, SHIFTS, finished_states())["how"].to_pylist() == [
        "none",
        "late",
        "early",
    ]
    seats = log.seats_table(GAME, CELL, DEALS, SHIFTS, finished_states())
    assert seats["way"].to_pylist() == ["none", "late", "late", "early", "early", "early"]


@pytest.mark.parametrize("number", [-1, 5, 10])
def test_a_number_without_a_name_is_refused(number):
    states = finished_states()
    states["log"]["game"]["how"][1] = number
    with pytest.raises(PlayError, match=f"Ending holds {number}"):
        log.games_table(GAME, CELL, DEALS, SHIFTS, states)


def test_winner_is_null_in_a_draw_and_its_meaning_says_what_that_does_to_a_mean():
    states = finished_states()
    states["rank"][:, :2] = [[1, 2], [2, 1], [1, 1]]  # seat 0 wins, seat 1 wins, a draw
    games = pl.from_arrow(log.games_table(GAME, CELL, DEALS, SHIFTS, states))
    won = pl.col("winner") == 0
    assert games["winner"].to_list() == [0, 1, None]
    assert games.select(won.mean()).item() == 1 / 2  # of the two games with a winner
    assert games.select(won.fill_null(False).mean()).item() == 1 / 3  # as the manual says
    assert "null in draws" in log.describe_columns(GAME, CELL)[0]["games"]["winner"]
