"""Tables of games, their columns and what is counted as a decision."""

from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from simkit.engine import registry
from simkit.engine.fields import TURN_FIELDS, TURN_KEY
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
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


def check_decisions(walks: type[Walk], options: Row, seats: int) -> None:
    """What is forced is not counted."""
    game, deal = walks.game, seats
    lineup = registry.players(game, parse_lineup(f"random*{seats}"))
    trail = np.full(game.max_steps, -1, np.int64)
    table = GameTable(game, rules_of(game, options))
    end = table.play(lineup, 1, np.array([deal]), np.zeros(1, np.int64), trail)
    walk, decisions = walks(options, seats, deal), 0
    for action in trail[trail >= 0].tolist():
        decisions += len(walk.legal()) > 1
        walk.apply(action)
    assert walk.over and decisions == int(end[0].log.game.decisions)
    for name in ("rank", "score"):
        assert walk.s[name].tolist() == end[0][name].tolist()
