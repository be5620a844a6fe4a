"""Final states become two tables, games and seats, a trace two more, turns and pieces; columns cut whole."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from simkit import ownfiles
from simkit.errors import PlayError, UsageError
from simkit.experiment import Cell
from simkit.fields import Field
from simkit.game import PIECE_FIELDS, TURN_FIELDS, Game

Array = np.ndarray
Column = tuple[str, Any, str]  # name, Arrow array, meaning
HEAD = 3  # fields of the log before the seat that moves first: decisions, turns, end_reason

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
    "share": "Share of the win: 1/k for a win shared by k seats, 1 for all of a team that wins, else 0",
    "score": "Final score, points",
}


def games_table(game: Game, cell: Cell, deals: Array, shifts: Array, states: Array) -> pa.Table:
    n, first, log = len(states), states["rank"][:, : cell.seats] == 1, _packed(states, "log", "game")
    winners = np.zeros(n) if game.team else first.sum(axis=1)
    return _table(
        *_key(cell, deals, shifts),
        _column("game", _repeated(game.name, n)),
        _column("seats", np.full(n, cell.seats, np.int32)),
        *((name, _repeated(value, n), _meaning(game, name)) for name, value in cell.varied.items()),
        _column("lineup", _repeated(", ".join(cell.labels), n)),
        _column("winner", pa.array(first.argmax(axis=1).astype(np.int32), mask=winners != 1)),
        _column("draw", winners > 1),
        *_log_columns(game.game_fields[:HEAD], log),
        _column("first", states["first"].astype(np.int32)),
        *_log_columns(game.game_fields[HEAD:], log),
    )


def _meaning(game: Game, name: str) -> str:
    """What an option means that a run varies, or a table that it takes from files."""
    if ownfiles.is_file(name):
        return ownfiles.meaning(name)
    option = game.option(name)
    return f"{option.meaning} ({option.clause})"


def seats_table(game: Game, cell: Cell, deals: Array, shifts: Array, states: Array) -> pa.Table:
    n, seats, ranks = len(states), cell.seats, states["rank"][:, : cell.seats]
    winners = np.ones(n) if game.team else np.maximum((ranks == 1).sum(axis=1), 1)
    share = (ranks == 1) / winners[:, np.newaxis]
    labels = list(dict.fromkeys(cell.labels))
    sitting = np.array([labels.index(label) for label in cell.labels], np.int32)
    who = sitting[(np.arange(seats) + shifts[:, np.newaxis]) % seats]
    return _table(
        *_key(cell, np.repeat(deals, seats), np.repeat(shifts, seats)),
        _column("seat", np.tile(np.arange(seats, dtype=np.int32), n)),
        _column("strategy", pa.DictionaryArray.from_arrays(who.ravel(), labels)),
        _column("rank", ranks.ravel().astype(np.int32)),
        _column("share", share.ravel()),
        _column("score", states["score"][:, :seats].ravel()),
        *_log_columns(game.log.seat, _packed(states, "log", "seat")[:, :seats].ravel()),
    )


def turns_table(game: Game, cell: Cell, deals: Array, shifts: Array, rows: Array) -> pa.Table:
    """One row per turn and seat of each traced game; `rows` say which game of the batch they are of."""
    key = _key(cell, deals[rows["game"]], shifts[rows["game"]])
    return _table(*key, *_log_columns([*TURN_FIELDS[1:], *game.log.trace], rows))


def pieces_table(
    game: Game, cell: Cell, deals: Array, shifts: Array, events: Array, labels: list[str]
) -> pa.Table:
    """What became of the pieces of each traced game, by their labels."""
    key = _key(cell, deals[events["game"]], shifts[events["game"]])
    places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    codes = np.array([places[label] for label in labels], np.int32)[events["piece"]]
    of, *others = PIECE_FIELDS[1:]
    called = pa.DictionaryArray.from_arrays(codes, pa.array(list(places), pa.string()))
    return _table(*key, (of.name, called, of.meaning), *_log_columns(others, events))


def described(game: Game, cell: Cell) -> dict[str, dict[str, str]]:
    """What the columns of each table mean, in their order; refuses to vary an option with the name of one."""
    none, states, turns = (np.zeros(0, kind) for kind in (np.int64, game.state_dtype, game.turn_dtype))
    played = (game, cell, none, none)
    tables = {"games": games_table(*played, states), "seats": seats_table(*played, states)}
    tables["turns"] = turns_table(*played, turns)
    if game.pieces:
        tables["pieces"] = pieces_table(*played, np.zeros(0, game.piece_dtype), [])
    for name in cell.varied:
        if tables["games"].column_names.count(name) > 1:
            why = "the games table has another column of that name"
            raise UsageError(f"option {name} cannot be varied: {why}")
    return {
        name: {f.name: f.metadata[b"description"].decode() for f in tables[name].schema} for name in tables
    }


def _key(cell: Cell, deals: Array, shifts: Array) -> Iterator[Column]:
    yield _column("play", cell.first_play + deals * cell.rotations + shifts)
    yield _column("cell", np.full(len(deals), cell.index, np.int32))
    yield _column("deal", deals)
    yield _column("rotation", shifts.astype(np.int32))


def _packed(states: Array, *path: str) -> Any:
    """One part of each state, copied together, so that its columns are cut from little memory."""
    kind: Any = states.dtype
    offset = 0
    for name in path:
        kind, start = kind.fields[name][:2]
        offset += start
    raw = states.view(np.uint8).reshape(len(states), states.dtype.itemsize)
    part = np.ascontiguousarray(raw[:, offset : offset + kind.itemsize])
    return part.view(kind.base).reshape(len(states), *kind.shape)


def _log_columns(fields: list[Field], log: Any) -> Iterator[Column]:
    """The columns of log fields; one with axes has a column per element, named by it or name_0, name_1 ..."""
    for field in fields:
        cells = _named if isinstance(field.kind, type) else _wide
        for name, meaning, index in _parts(field):
            yield name, cells(field, log[field.name][(..., *index)]), meaning


def _parts(field: Field) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    if field.columns:
        for i, (name, words) in enumerate(field.columns.items()):
            yield name, field.meaning.format(words), (i,)
        return
    for index in np.ndindex(*field.shape):
        yield "_".join([field.name, *map(str, index)]), field.meaning, index


def _wide(field: Field, values: Array) -> Any:
    """Small whole numbers as 32 bits, so that arithmetic on a column does not overflow."""
    small = values.dtype.kind in "iu" and values.dtype.itemsize < 4
    wide = values.astype(np.int32) if small else np.ascontiguousarray(values)
    return wide if field.never is None else pa.array(wide, mask=values == field.never)


def _named(field: Field, values: Array) -> Any:
    members = sorted(field.kind)
    numbers = np.array([int(member) for member in members])
    codes = np.minimum(np.searchsorted(numbers, values), len(members) - 1).astype(np.int32)
    strange = values[numbers[codes] != values]
    if strange.size:
        kind = field.kind.__name__
        raise PlayError(f"a log field of kind {kind} holds {strange[0]}, which is none of its names")
    return pa.DictionaryArray.from_arrays(codes, [member.name for member in members])


def _repeated(value: str | int | bool, n: int) -> Any:
    if isinstance(value, str):
        return pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), [value])
    return np.full(n, value, np.bool_ if isinstance(value, bool) else np.int32)


def _column(name: str, values: Any) -> Column:
    return name, values, MEANINGS[name]


def _table(*columns: Column) -> pa.Table:
    arrays, fields = list[pa.Array](), list[pa.Field]()
    for name, values, text in columns:
        arrays.append(values if isinstance(values, pa.Array) else pa.array(values))
        fields.append(pa.field(name, arrays[-1].type, metadata={"description": text}))
    return pa.table(arrays, schema=pa.schema(fields))
