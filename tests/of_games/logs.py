"""Tables of games, compared with what a second implementation counted from outside."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from simkit.engine import registry
from simkit.engine.fields import TURN_FIELDS, TURN_KEY
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.engine.stepper import ROWS, tracer, trails_for
from simkit.engine.table import GameTable
from simkit.runs import experiment, log
from simkit.runs.plan import Cell, make_plan

from .stepping import rules_of
from .walk import Walk

STANDARD_GAMES = [
    "play", "cell", "deal", "rotation", "game", "seats", "lineup", "winner", "draw", "decisions", "turns",
    "end_reason", "first",
]  # fmt: skip
STANDARD_SEATS = ["play", "cell", "deal", "rotation", "seat", "strategy", "rank", "share", "score"]
Row = dict[str, Any]


@cache
def cell_of(game: Game, seats: int) -> Cell:
    keys = {"question": "?", "game": game.name, "deals": 1, "lineups": [f"random*{seats}"]}
    return make_plan(experiment.parse(keys)).cells[0]


def tables_of(game: Game, seats: int, deals: np.ndarray, states: np.ndarray) -> tuple[pa.Table, pa.Table]:
    """The games table and the seats table of games that are over."""
    key = game, cell_of(game, seats), deals, np.zeros(len(deals), np.int64), states
    return log.games_table(*key), log.seats_table(*key)


def tables_of_walk(walk: Walk) -> tuple[pa.Table, pa.Table]:
    return tables_of(walk.game, walk.seats, np.array([walk.deal]), walk.states)


def turn_columns(game: Game, own: list[str]) -> tuple[list[str], list[str]]:
    """Columns of the trace of turns, and those that it must have: the shared ones and the game's own."""
    nothing = np.zeros(0, np.int64)
    turns = log.turns_table(game, cell_of(game, 2), nothing, nothing, np.zeros(0, game.turn_dtype))
    return turns.column_names, [*TURN_KEY, *(field.name for field in TURN_FIELDS[1:]), *own]


def check_meanings(table: pa.Table) -> None:
    """Every column has a meaning of its own, in plain words."""
    text = {field.name: field.metadata[b"description"].decode() for field in table.schema}
    assert not [name for name, meaning in text.items() if not meaning or "{" in meaning or "_" in meaning]
    assert len(set(text.values())) == len(text)


def check_counted(row: Row, counted: Row, where: object) -> None:
    """A row has what was counted."""
    wrong = {name: (row[name], n) for name, n in counted.items() if row[name] != n}
    assert not wrong, f"(in the table, counted) {wrong}: {where}"


def random_games(game: Game, options: Row, seats: int, deals: int) -> Iterator[tuple[Row, list[Row]]]:
    """Rows of the games of random players, compiled: that of the game, those of its seats."""
    player, numbers = registry.player(game, parse_lineup("random")[0]), np.arange(deals)
    states = GameTable(game, rules_of(game, options)).play(
        [player] * seats, 5, numbers, np.zeros(deals, np.int64)
    )
    games, own = (table.to_pylist() for table in tables_of(game, seats, numbers, states))
    for i, row in enumerate(games):
        yield row, own[seats * i : seats * (i + 1)]


def check_sums(
    game: Game, options: Row, seats: int, deals: int, broken: Callable[[Row, list[Row], Row], Row]
) -> None:
    """The identities hold in many games of random players."""
    for deal, (row, own) in enumerate(random_games(game, options, seats, deals)):
        wrong = broken(row, own, game.resolve(options))
        assert not wrong, f"{wrong}: {options}, {seats} seats, deal {deal}"


def check_decisions(walks: type[Walk], options: Row, seats: int) -> None:
    """What is forced is not counted."""
    game, deal = walks.game, seats
    player = registry.player(game, parse_lineup("random")[0])
    trail = np.full(game.max_steps, -1, np.int64)
    table = GameTable(game, rules_of(game, options))
    end = table.play([player] * seats, 1, np.array([deal]), np.zeros(1, np.int64), trail)
    walk, decisions = walks(options, seats, deal), 0
    for action in trail[trail >= 0].tolist():
        decisions += len(walk.legal()) > 1
        walk.apply(action)
    assert walk.over and decisions == int(end[0].log.game.decisions)
    for name in ("rank", "score"):
        assert walk.s[name].tolist() == end[0][name].tolist()


def check_trace(walk: Walk, counted: list[list[Row]]) -> None:
    """The trace has what was counted at the end of each turn, of each seat; one row at the least."""
    result = traced(walk)
    assert len(result) == max(1, len(counted)) * walk.seats
    for turn, rows in enumerate(counted):
        for seat, row in enumerate(rows):
            own = result[walk.seats * turn + seat]
            assert (own["turn"], own["seat"]) == (turn + 1, seat)
            check_counted(
                {name: int(own[name]) for name in row}, row, f"turn {turn + 1}, seat {seat}, {walk.options}"
            )


def traced(walk: Walk) -> np.ndarray:
    """The trace of a game that was played elsewhere."""
    deals, trail = np.array([walk.deal]), np.array(walk.trail, np.int64)
    trails = trails_for(GameTable(walk.game, walk.rules), walk.seats, 1, deals, trail)
    tracer(walk.game)(trails)
    return trails.rows[: trails.done[ROWS]]
