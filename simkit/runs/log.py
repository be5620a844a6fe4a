"""The Parquet tables of a run: games and seats from final states, turns and pieces from a trace.

A table is written under a temporary name and renamed when it is complete. The games table is renamed last. A
shard is done when all of its tables have a valid line in checksums.txt; any other shard is played again.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from simkit import system
from simkit.engine.fields import FAULT, MEANINGS, PIECE_FIELDS, TURN_FIELDS, Field
from simkit.engine.game import SIDE, SIDE_SEATS, Game
from simkit.engine.table import ENDED, FailedGame
from simkit.errors import PlayError, UsageError
from simkit.runs import table_files
from simkit.runs.plan import Cell, Shard
from simkit.runs.storage import checksums
from simkit.runs.storage.remote import INTERIM

Array = np.ndarray
Column = tuple[str, Any, str]  # name, NumPy or Arrow array or Partly, meaning
Texts = dict[str, dict[str, str]]  # table -> column -> text
HEAD = 3  # fields of the log written before the column `first`: decisions, turns, end_reason


class Partly(NamedTuple):
    """Values of a column with nulls; `missing` marks the rows that have none."""

    values: Array
    missing: Array


def games_table(
    game: Game, cell: Cell, deals: Array, shifts: Array, states: Array, failed: list[FailedGame] | None = None
) -> pa.Table:
    """Return the `games` table, one row per game; `failed` is None unless the run keeps going."""
    n, first, log = len(states), states["rank"][:, : cell.seats] == 1, _copy_part(states, "log", "game")
    winners = np.zeros(n) if game.team else first.sum(axis=1)
    sharing = _winning_sides(game, states, first).sum(axis=1) if game.rival_sides else winners
    broken = None if failed is None else _failed_mask(n, failed)
    return _table(
        *_key(cell, deals, shifts),
        _column("game", _repeated(game.name, n)),
        _column("seats", np.full(n, cell.seats, np.int32)),
        *((name, _repeated(value, n), _meaning(game, name)) for name, value in cell.varied.items()),
        _column("lineup", _repeated(", ".join(cell.labels), n)),
        _column("winner", Partly(first.argmax(axis=1).astype(np.int32), winners != 1)),
        _column("draw", sharing > 1),
        *_log_columns(game.game_fields[:HEAD], log, broken),
        _column("first", states["first"].astype(np.int32)),
        *_log_columns(game.game_fields[HEAD:], log, broken),
        *([] if failed is None else _fault_columns(n, failed)),
    )


def _failed_mask(n: int, failed: list[FailedGame]) -> Array:
    """Return a mask of the games that failed, bool[n]."""
    return np.isin(np.arange(n), [failure.game for failure in failed])


def _fault_columns(n: int, failed: list[FailedGame]) -> Iterator[Column]:
    faults: list[FailedGame | None] = [None] * n
    for failure in failed:
        faults[failure.game] = failure
    seats = [fault.seat if fault and fault.seat >= 0 else None for fault in faults]
    yield _column("fault_seat", pl.Series(seats, dtype=pl.Int32).to_arrow())
    texts = {"fault": [fault and fault.message for fault in faults]}
    texts["fault_line"] = [(fault and fault.line) or None for fault in faults]
    for name, values in texts.items():
        yield _column(name, pl.Series(values, dtype=pl.String).to_arrow().cast(pa.string()))


def _meaning(game: Game, name: str) -> str:
    """Return the meaning of an option that the run varies, or of a table that it takes from files."""
    return table_files.meaning(name) if table_files.is_file(name) else game.option(name).full_meaning


def shares(game: Game, states: Array, seats: int) -> Array:
    """Return the share of the win by game and seat; where sides win together, that of its side.

    The seats, or sides, that win share the win equally.
    """
    won: Array = states["rank"][:, :seats] == 1
    winning, side = won, np.broadcast_to(np.arange(seats), won.shape)
    if game.rival_sides:
        winning, side = _winning_sides(game, states, won), _sides(states, seats)
    elif game.team:
        winning, side = won[:, :1], np.zeros_like(side)
    share: Array = winning / np.maximum(winning.sum(axis=1, keepdims=True), 1)
    return np.take_along_axis(share, side, axis=1)


def _sides(states: Array, seats: int) -> Array:
    """Return the index of the side of each seat by game."""
    return np.asarray(states["log"]["seat"][SIDE][:, :seats], np.int64)


def _winning_sides(game: Game, states: Array, won: Array) -> Array:
    """Return by game and side whether any of its seats won."""
    side = _sides(states, won.shape[1])
    return np.stack([(won & (side == member)).any(axis=1) for member in game.rival_sides], axis=1)


def _side_seats(game: Game, states: Array, seats: int) -> Iterator[Column]:
    """Yield the number of seats on the side of each seat, where sides play against each other."""
    if game.rival_sides:
        side = _sides(states, seats)
        size = (side[:, :, np.newaxis] == side[:, np.newaxis, :]).sum(axis=2)
        yield _column(SIDE_SEATS, size.ravel().astype(np.int32))


def seats_table(
    game: Game, cell: Cell, deals: Array, shifts: Array, states: Array, failed: list[FailedGame] | None = None
) -> pa.Table:
    """Return the `seats` table, one row per seat of each game; `failed` as in `games_table`."""
    broken = None if failed is None else np.repeat(_failed_mask(len(states), failed), cell.seats)
    n, seats, ranks = len(states), cell.seats, states["rank"][:, : cell.seats]
    share = shares(game, states, seats)
    labels = list(dict.fromkeys(cell.labels))
    lineup_codes = np.array([labels.index(label) for label in cell.labels], np.int32)
    players = lineup_codes[(np.arange(seats) + shifts[:, np.newaxis]) % seats]
    return _table(
        *_key(cell, np.repeat(deals, seats), np.repeat(shifts, seats)),
        _column("seat", np.tile(np.arange(seats, dtype=np.int32), n)),
        _column("strategy", _dictionary_array(players.ravel(), labels)),
        _column("rank", ranks.ravel().astype(np.int32)),
        _column("share", share.ravel()),
        *_side_seats(game, states, seats),
        _column("score", states["score"][:, :seats].ravel()),
        *_log_columns(game.log.seat, _copy_part(states, "log", "seat")[:, :seats].ravel(), broken),
    )


def turns_table(game: Game, cell: Cell, deals: Array, shifts: Array, rows: Array) -> pa.Table:
    """Return the `turns` table, one row per turn and seat of each traced game.

    `rows["game"]` holds the place of each row's game in `deals` and `shifts`.
    """
    key = _key(cell, deals[rows["game"]], shifts[rows["game"]])
    return _table(*key, *_log_columns([*TURN_FIELDS[1:], *game.log.trace], rows))


def pieces_table(
    game: Game, cell: Cell, deals: Array, shifts: Array, events: Array, labels: list[str]
) -> pa.Table:
    """Return the `pieces` table: the fate of each labelled piece in each traced game."""
    key = _key(cell, deals[events["game"]], shifts[events["game"]])
    places = {label: place for place, label in enumerate(dict.fromkeys(labels))}
    codes = np.array([places[label] for label in labels], np.int32)[events["piece"]]
    piece, *others = PIECE_FIELDS[1:]
    labelled = piece.name, _dictionary_array(codes, list(places)), piece.meaning
    return _table(*key, labelled, *_log_columns(others, events))


def describe_columns(game: Game, cell: Cell, keep_going: bool = False) -> tuple[Texts, Texts]:
    """Return the meaning and the Arrow type of every column, by table, in the order of the columns."""
    no_games, states, turns = (np.zeros(0, kind) for kind in (np.int64, game.state_dtype, game.turn_dtype))
    played = (game, cell, no_games, no_games)
    failed = list[FailedGame]() if keep_going else None
    tables = {"games": games_table(*played, states, failed), "seats": seats_table(*played, states, failed)}
    tables["turns"] = turns_table(*played, turns)
    if game.pieces:
        tables["pieces"] = pieces_table(*played, np.zeros(0, game.piece_dtype), [])
    meanings, types = Texts(), Texts()
    for name, table in tables.items():
        meanings[name] = {field.name: field.metadata[b"description"].decode() for field in table.schema}
        types[name] = {field.name: str(field.type) for field in table.schema}
    return meanings, types


def check_number(game: Game, name: str) -> None:
    """Refuse a column of the games table that holds names where a number is needed."""
    named = {field.name for field in game.game_fields if isinstance(field.kind, type)}
    if name in named | {"game", "lineup", "winner"}:
        raise UsageError(f"column {name} of the games table holds names; a number is needed")


def _key(cell: Cell, deals: Array, shifts: Array) -> Iterator[Column]:
    yield _column("play", cell.play_of(deals, shifts))
    yield _column("cell", np.full(len(deals), cell.index, np.int32))
    yield _column("deal", deals)
    yield _column("rotation", shifts.astype(np.int32))


def _copy_part(states: Array, *path: str) -> Any:
    """Copy one part of each state into contiguous memory, which makes cutting its columns faster."""
    kind: Any = states.dtype
    offset = 0
    for name in path:
        kind, start = kind.fields[name][:2]
        offset += start
    raw = states.view(np.uint8).reshape(len(states), states.dtype.itemsize)
    part = np.ascontiguousarray(raw[:, offset : offset + kind.itemsize])
    return part.view(kind.base).reshape(len(states), *kind.shape)


def _log_columns(fields: list[Field], log: Any, broken: Array | None = None) -> Iterator[Column]:
    """Yield the columns of log fields; a field with axes yields one per element: its name, or name_0, ...

    `broken` marks the rows of games that failed, in a run that keeps going.
    """
    for field in fields:
        for name, meaning, index in _parts(field):
            values = log[field.name][(..., *index)]
            yield (
                name,
                _enumeration_names(field, values, broken)
                if isinstance(field.kind, type)
                else _wide(field, values),
                meaning,
            )


def _parts(field: Field) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    for name, index in zip(field.column_names, np.ndindex(*field.shape), strict=True):
        yield name, field.meaning.format(field.columns[name]) if field.columns else field.meaning, index


def _wide(field: Field, values: Array) -> Any:
    """Return small integers as 32 bits, so that arithmetic on a column does not overflow."""
    small = values.dtype.kind in "iu" and values.dtype.itemsize < 4
    wide = values.astype(np.int32) if small else np.ascontiguousarray(values)
    return wide if field.never is None else Partly(wide, values == field.never)


def _enumeration_names(field: Field, values: Array, broken: Array | None) -> Any:
    """Return the names of an enumeration field; games that failed have an end reason of their own."""
    members = sorted(field.kind)
    names, numbers = [member.name for member in members], np.array([int(member) for member in members])
    codes = np.minimum(np.searchsorted(numbers, values), len(members) - 1).astype(np.int32)
    wrong = numbers[codes] != values
    if broken is not None:
        wrong &= ~broken  # a field not yet set when the game failed takes the nearest name
        if field.name == "end_reason":
            codes[broken], names = len(names), [*names, ENDED]
    if wrong.any():
        kind = field.kind.__name__
        raise PlayError(f"a log field of kind {kind} holds {values[wrong][0]}, which is none of its names")
    return _dictionary_array(codes, names)


def _repeated(value: str | int | bool, n: int) -> Any:
    if isinstance(value, str):
        return _dictionary_array(np.zeros(n, np.int32), [value])
    return np.full(n, value, np.bool_ if isinstance(value, bool) else np.int32)


def _column(name: str, values: Any) -> Column:
    return name, values, MEANINGS[name]


def _table(*columns: Column) -> pa.Table:
    arrays, fields = list[pa.Array](), list[pa.Field]()
    for name, values, text in columns:
        arrays.append(values if isinstance(values, pa.Array) else _arrow(values))
        may_be_null = isinstance(values, Partly) or name in FAULT  # columns without nulls are written faster
        kind, words = arrays[-1].type, {"description": text}
        fields.append(pa.field(name, kind, nullable=may_be_null, metadata=words))
    return pa.table(arrays, schema=pa.schema(fields))


def _dictionary_array(codes: Array, names: list[str]) -> pa.Array:
    """Return names as a dictionary array, from their positions in a list."""
    texts = pl.Series(names, dtype=pl.String).to_arrow().cast(pa.string())
    return pa.DictionaryArray.from_arrays(_arrow(codes), texts)


def _arrow(column: Array | Partly) -> pa.Array:
    """Return a column as an Arrow array that shares its memory.

    `pa.array` would import pandas first, which takes 0.3 s in each process.
    """
    values, missing = column if isinstance(column, Partly) else (column, None)
    validity = None if missing is None else _bits(~missing)
    memory = _bits(values) if values.dtype == np.bool_ else pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [validity, memory])


def _bits(truths: Array) -> pa.Buffer:
    return pa.py_buffer(np.packbits(truths, bitorder="little"))


GROUP = 1 << 17  # rows of a row group
IDS = dict.fromkeys(("play", "deal"), "DELTA_BINARY_PACKED")
ENCODING: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "write_statistics": list(IDS)}
ENCODING["write_batch_size"] = 1 << 16  # values encoded at a time; 4 % faster than the default of 1,024


def write_tables(folder: Path, shard: Shard, rows: dict[str, pa.Table]) -> dict[str, str]:
    """Write the tables of a shard whose games were played elsewhere; return their digests by file name."""
    digests = dict[str, str]()
    for name, table in zip(shard.files, shard.tables, strict=True):
        with TableWriter(folder / name) as file:
            file.add(rows[table])
        digests[name] = file.digest
    return digests


def copy(folder: Path, shard: Shard, interim: list[Shard]) -> dict[str, str]:
    """Write a shard whose games lie in interim shards; return the digests of its tables by file name."""
    cells = {part.cell for part in shard.parts}
    ends = min(part.first for part in shard.parts), max(part.last for part in shard.parts)
    sources = [source for source in interim if source.holds(cells, *ends)]
    rows = {table: _join_rows(folder, table, shard, sources) for table in shard.tables}
    return write_tables(folder, shard, rows)


def _join_rows(folder: Path, table: str, shard: Shard, sources: list[Shard]) -> pa.Table:
    """Return the rows of a shard from the tables of other shards, whose deals of each cell ascend."""
    paths = [folder / source.path(table) for source in sources if table in source.tables]
    rows = pa.concat_tables([pq.ParquetFile(path).read() for path in paths]).unify_dictionaries()
    parts = list[pa.Table]()
    for part in shard.parts:
        inside = pc.and_(pc.less_equal(part.first, rows["deal"]), pc.less(rows["deal"], part.last))
        parts.append(rows.filter(pc.and_(pc.equal(rows["cell"], part.cell), inside)))
    return pa.concat_tables(parts)


def keep(path: Path, content: bytes) -> None:
    """Write a table that another machine played; it has a temporary name until it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = _unfinished(path)
    unfinished.write_bytes(content)
    system.replace(unfinished, path)


def _unfinished(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def remove_unfinished(folder: Path) -> None:
    """Remove the temporary files and progress files of writers that were killed."""
    for path in (*folder.glob("*/.*.tmp"), *folder.glob(f"{INTERIM}/*/.*.tmp"), *folder.glob(".progress*")):
        system.remove(path)


def _column_encodings(schema: pa.Schema) -> dict[str, Any]:
    """Return the encodings of columns; for integers, byte stream split: twice as fast as a dictionary."""
    whole = [field.name for field in schema if pa.types.is_integer(field.type)]
    named = [field.name for field in schema if pa.types.is_dictionary(field.type)]
    return {"use_dictionary": named, "column_encoding": dict.fromkeys(whole, "BYTE_STREAM_SPLIT") | IDS}


def _with_names_in_use(table: pa.Table) -> pa.Table:
    """Return a table whose dictionaries list the names as the rows use them: equal rows give equal bytes."""
    for place, column in enumerate(table.columns):
        if pa.types.is_dictionary(column.type) and len(column):
            (coded,) = column.chunks
            names = coded.unique().dictionary_decode()
            codes = pc.index_in(coded.dictionary, value_set=names).take(coded.indices)
            own = pa.DictionaryArray.from_arrays(codes, names)
            table = table.set_column(place, table.schema.field(place), own)
    return table


class TableWriter:
    """A table on disk in row groups of GROUP rows; it has a temporary name until it is complete."""

    def __init__(self, path: Path) -> None:
        self.path, self.unfinished = path, _unfinished(path)
        self.waiting, self.rows = list[pa.Table](), 0
        self.writer: Any = None
        self.digest = ""  # SHA-256 of the complete file

    def add(self, table: pa.Table) -> None:
        self.waiting.append(table)
        self.rows += table.num_rows
        while self.rows >= GROUP:
            self._put(GROUP)

    def _put(self, rows: int) -> None:
        table = pa.concat_tables(self.waiting).unify_dictionaries().combine_chunks()
        if self.writer is None:
            self.writer = pq.ParquetWriter(
                self.unfinished, table.schema, **ENCODING, **_column_encodings(table.schema)
            )
        self.writer.write_table(_with_names_in_use(table.slice(0, rows)))
        self.waiting, self.rows = [table.slice(rows)], self.rows - rows

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        if not failed and (self.rows or self.writer is None):  # a table without rows also gets a file
            self._put(self.rows)
        if self.writer is not None:
            self.writer.close()
            if failed:
                self.unfinished.unlink()
                return
            self.digest = checksums.digest(self.unfinished)
            system.replace(self.unfinished, self.path)
