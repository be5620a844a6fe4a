"""The final states of a batch of games become two tables: one row per game, one row per seat of each game.

The turn trace, where one was asked for, becomes a third: one row per turn and seat of each traced game.
Columns are cut out of the arrays whole; there is no Python per row.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from simkit.errors import PlayError
from simkit.experiment import Cell
from simkit.fields import Field, scalar
from simkit.game import TURN_FIELDS, Game

Column = tuple[str, Any, str]  # name, Arrow array, meaning

MEANINGS = {
    "play": "Play id: `simkit replay RUN PLAY` plays this game again",
    "cell": "Cell of the experiment",
    "deal": "Deal: number of the luck of the game",
    "rotation": "Rotation: seat i is played by strategy (i + rotation) of the lineup",
    "game": "Name of the rules",
    "seats": "Number of seats",
    "lineup": "Strategies by seat in rotation 0",
    "winner": "Seat of the only winner, null if there is none",
    "draw": "Whether two seats or more share the first rank",
    "seat": "Seat, 0-based in the order of play",
    "strategy": "Strategy of the seat",
    "first": "Seat that moves first",
    "rank": "Final rank, 1 = winner, ties share it, 0 = lost to the game",
    "share": "Share of the win: 1/k for a win shared by k seats, else 0",
    "score": "Final score, points",
}


def games_table(
    game: Game, cell: Cell, deals: np.ndarray, shifts: np.ndarray, states: np.ndarray
) -> pa.Table:
    """One row per game."""
    return _table([*_key(game, cell, deals, shifts), *_game_columns(game, cell, states)])


def seats_table(
    game: Game, cell: Cell, deals: np.ndarray, shifts: np.ndarray, states: np.ndarray
) -> pa.Table:
    """One row per seat of each game."""
    seats = cell.seats
    key = _key(game, cell, np.repeat(deals, seats), np.repeat(shifts, seats))
    return _table([*key, *_seat_columns(game, cell, shifts, states)])


def turns_table(game: Game, cell: Cell, deals: np.ndarray, shifts: np.ndarray, rows: np.ndarray) -> pa.Table:
    """One row per turn and seat of each game that was traced; `rows` say which game of the batch they are of."""
    of = rows["game"]
    return _table([*_key(game, cell, deals[of], shifts[of]), *_turn_columns(game, rows)])


def meanings(game: Game, cell: Cell) -> dict[str, dict[str, str]]:
    """What the columns of each table mean, by table and column, in the order of the columns."""
    none, states = np.zeros(0, np.int64), np.zeros(0, game.state_dtype)
    empty = {
        "games": games_table(game, cell, none, none, states),
        "seats": seats_table(game, cell, none, none, states),
        "turns": turns_table(game, cell, none, none, np.zeros(0, game.turn_dtype)),
    }
    return {
        name: {field.name: field.metadata[b"description"].decode() for field in table.schema}
        for name, table in empty.items()
    }


def game_names(game: Game) -> list[str]:
    """The fixed columns of the games table: no option that an experiment varies may have one of these names."""
    fixed = ["play", "cell", "deal", "rotation", "game", "seats", "lineup", "winner", "draw", "first"]
    return fixed + [name for f in game.game_fields for name, _, _ in _parts(f)]


def _key(game: Game, cell: Cell, deals: np.ndarray, shifts: np.ndarray) -> Iterator[Column]:
    yield _column("play", cell.first_play + deals * cell.rotations + shifts)
    yield _column("cell", np.full(len(deals), cell.index, np.int32))
    yield _column("deal", deals)
    yield _column("rotation", shifts.astype(np.int32))


def _game_columns(game: Game, cell: Cell, states: np.ndarray) -> Iterator[Column]:
    n, ranks = len(states), _ranks(cell, states)
    winners = (ranks == 1).sum(axis=1)
    yield _column("game", _repeated(game.name, n))
    yield _column("seats", np.full(n, cell.seats, np.int32))
    for name, value in cell.varied.items():
        option = game.option(name)
        yield (
            name,
            _repeated(value, n) if isinstance(value, str) else _same(value, n),
            f"{option.meaning} ({option.clause})",
        )
    yield _column("lineup", _repeated(", ".join(cell.labels), n))
    yield _column("winner", pa.array((ranks == 1).argmax(axis=1).astype(np.int32), mask=winners != 1))
    yield _column("draw", winners > 1)
    log, known = _packed(states, "log", "game"), {f.name: f for f in game.game_fields}
    for name in ("decisions", "turns", "end_reason"):
        yield from _log_columns(known.pop(name), log)
    yield _column("first", states["first"].astype(np.int32))
    for one in known.values():
        yield from _log_columns(one, log)


def _seat_columns(game: Game, cell: Cell, shifts: np.ndarray, states: np.ndarray) -> Iterator[Column]:
    n, seats, ranks = len(states), cell.seats, _ranks(cell, states)
    winners = (ranks == 1).sum(axis=1)
    share = (ranks == 1) / np.maximum(winners, 1)[:, np.newaxis]
    labels = list(dict.fromkeys(cell.labels))
    sitting = np.array([labels.index(label) for label in cell.labels], np.int32)
    who = sitting[(np.arange(seats) + shifts[:, np.newaxis]) % seats]
    yield _column("seat", np.tile(np.arange(seats, dtype=np.int32), n))
    yield _column("strategy", pa.DictionaryArray.from_arrays(who.ravel(), labels))
    yield _column("rank", ranks.ravel().astype(np.int32))
    yield _column("share", share.ravel())
    yield _column("score", states["score"][:, :seats].ravel())
    log = _packed(states, "log", "seat")[:, :seats].ravel()
    for one in game.seat_fields:
        yield from _log_columns(one, log)


def _turn_columns(game: Game, rows: np.ndarray) -> Iterator[Column]:
    for name, kind, meaning in TURN_FIELDS[1:]:
        yield from _log_columns(scalar(name, kind, meaning), rows)
    for one in game.log.trace:
        yield from _log_columns(one, rows)


def _ranks(cell: Cell, states: np.ndarray) -> np.ndarray:
    ranks: np.ndarray = states["rank"][:, : cell.seats]
    return ranks


def _packed(states: np.ndarray, *path: str) -> np.ndarray:
    """One part of each state, copied together, so that its columns are cut from little memory."""
    kind, offset = states.dtype, 0
    for name in path:
        assert kind.fields is not None, "a path leads through records"
        kind, start = kind.fields[name][:2]
        offset += start
    raw = states.view(np.uint8).reshape(len(states), states.dtype.itemsize)
    part = np.ascontiguousarray(raw[:, offset : offset + kind.itemsize])
    if kind.subdtype is None:
        return part.view(kind).reshape(len(states))
    return part.view(kind.base).reshape(len(states), *kind.shape)


def _log_columns(one: Field, log: np.ndarray) -> Iterator[Column]:
    """The column of a log field; a field with axes becomes one column per element, as it names them, or name_0, name_1 ..."""
    for name, meaning, index in _parts(one):
        column: Any = log[one.name]
        values = column[(..., *index)]
        yield name, _cells(one, values), meaning


def _parts(one: Field) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Name, meaning and index of each column of a field."""
    if one.columns:
        for i, (name, words) in enumerate(one.columns.items()):
            yield name, one.meaning.format(words), (i,)
        return
    for index in np.ndindex(*one.shape):
        yield "_".join([one.name, *map(str, index)]), one.meaning, index


def _cells(one: Field, values: np.ndarray) -> Any:
    if isinstance(one.kind, type):
        return _named(one.kind, values)
    if one.never is None:
        return _wide(values)
    return pa.array(_wide(values), mask=values == one.never)


def _wide(values: np.ndarray) -> np.ndarray:
    """Small whole numbers as 32 bits, so that arithmetic on a column does not overflow."""
    small = values.dtype.kind in "iu" and values.dtype.itemsize < 4
    return values.astype(np.int32) if small else np.ascontiguousarray(values)


def _named(kind: Any, values: np.ndarray) -> Any:
    """The numbers of an IntEnum as its names."""
    members = sorted(kind)
    numbers = np.array([int(m) for m in members])
    codes = np.minimum(np.searchsorted(numbers, values), len(members) - 1).astype(np.int32)
    strange = values[numbers[codes] != values]
    if strange.size:
        raise PlayError(f"a log field of kind {kind.__name__} holds {strange[0]}, which is none of its names")
    return pa.DictionaryArray.from_arrays(codes, [m.name for m in members])


def _repeated(text: str, n: int) -> Any:
    return pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), [text])


def _same(value: int | bool, n: int) -> np.ndarray:
    return np.full(n, value, np.bool_ if isinstance(value, bool) else np.int32)


def _column(name: str, values: Any) -> Column:
    return name, values, MEANINGS[name]


def _table(columns: list[Column]) -> pa.Table:
    arrays = [values if isinstance(values, pa.Array) else pa.array(values) for _, values, _ in columns]
    fields = [
        pa.field(name, array.type, metadata={"description": text})
        for (name, _, text), array in zip(columns, arrays, strict=True)
    ]
    return pa.table(arrays, schema=pa.schema(fields))
