"""Whether tables can be those of a run, whatever their checksums say: run folders are handed on, and edited.

What is known beforehand is compared row by row: of which game a row is, who sat where and under which rules.
Of the rest: wins are those of the ranks, seats those of the game, counts lie within RANGES, and nothing is
null that no run leaves out.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from simkit.columns import MAY_BE_NULL, is_kind_of_log, kinds_of
from simkit.errors import UsageError, brief
from simkit.experiment import Cell
from simkit.manifest import RESTORE
from simkit.shards import TABLES, Shard

AT_ONCE = 1 << 21  # rows that are looked at together, so that memory stays flat
COUNTS = ("decisions", "turns", "turn", "choices", "most_choices", "steps", "last", "copies")
RANGES = dict.fromkeys(COUNTS, (0, 10**7)) | dict.fromkeys(("rank", "first"), (0, 100))  # of every game
OWN_METADATA = {b"description", b"PARQUET:field_id"}  # any other may make a column of another kind
Array = np.ndarray


class Tables(NamedTuple):
    """The tables of a run: its folder, all its cells, the shards that are there, what its columns mean."""

    folder: Path
    cells: list[Cell]
    shards: list[Shard]
    columns: dict[str, dict[str, str]]
    keep_going: bool

    def kinds(self, table: str) -> dict[str, pa.DataType]:
        return kinds_of(table, self.keep_going, self.cells[0].varied)

    def read(self, table: str) -> list[str]:
        """The columns that are looked at: of names only those that are known before a game is played."""
        if table not in TABLES:
            return ["play", "cell", "deal", "seat", *(name for name in self.kinds(table) if name in RANGES)]
        settled = {"strategy", *self.cells[0].varied}
        return [n for n, kind in self.kinds(table).items() if n in settled or pa.types.is_primitive(kind)]


def check(of: Tables) -> None:
    """Refuse a table that is not of this run: which file, and the column and row that cannot be."""
    rows, settled = _rows(of), _Settled(of.cells)
    for shards in _batches(of.shards, rows):
        games = _Games(shards, settled)
        read = {table: _Read(of, table, shards, rows) for table in _tables(shards)}
        _check_ends(read["games"], read["seats"], games, settled)
        for table in read.keys() - {*TABLES}:
            _check_trace(read[table], games)


def _tables(shards: list[Shard]) -> set[str]:
    return {table for shard in shards for table in shard.tables}


def _rows(of: Tables) -> dict[str, int]:
    """How many rows each file has; one of other columns, kinds or as many rows as cannot be is refused."""
    rows, schemas = dict[str, int](), dict[str, Any]()
    for shard in of.shards:
        for table, name in zip(shard.tables, shard.files, strict=True):
            try:
                found = pq.read_metadata(of.folder / name)
            except (pa.ArrowException, OSError) as error:
                raise UsageError(f"{of.folder / name}: is no table: {brief(error)}") from None
            if table not in schemas:
                schemas[table] = found.schema
                as_made = _is_as_made(of, table, found.schema.to_arrow_schema())
            wanted = shard.rows(table, of.cells)
            if not as_made or not found.schema.equals(schemas[table]) or wanted not in (None, found.num_rows):
                raise UsageError(f"{of.folder / name}: is not a table of this run; {RESTORE}")
            rows[name] = found.num_rows
    return rows


def _is_as_made(of: Tables, table: str, found: pa.Schema) -> bool:
    """Whether a table has the columns of which the manifest tells, those of every game of their kind."""
    kinds, names = of.kinds(table), list(of.columns.get(table, {}))
    own = [field.type for field in found if field.name not in kinds]
    given = all(found.field(name).type == kind for name, kind in kinds.items() if name in found.names)
    plain = all((field.metadata or {}).keys() <= OWN_METADATA for field in found)
    return found.names == names and given and plain and all(map(is_kind_of_log, own))


def _batches(shards: list[Shard], rows: dict[str, int]) -> Iterator[list[Shard]]:
    """The shards in their order, about AT_ONCE rows together."""
    some, many = list[Shard](), 0
    for shard in shards:
        some.append(shard)
        many += sum(rows[name] for name in shard.files)
        if many >= AT_ONCE:
            yield some
            some, many = [], 0
    if some:
        yield some


class _Settled:
    """What the cells settle, each an array over the cells."""

    def __init__(self, cells: list[Cell]) -> None:
        self.stride, self.team = cells[0].stride, cells[0].target is not None
        self.kept = list[pl.Series]()  # of names: their numbers last as long as somebody holds some
        self.seats = np.array([cell.seats for cell in cells], np.int32)
        self.rotations = np.array([cell.rotations for cell in cells], np.int32)
        self.first_plays = np.array([cell.first_play for cell in cells])
        self.options = {name: self._codes([cell.varied[name] for cell in cells]) for name in cells[0].varied}
        self.strategies = self._codes([label for cell in cells for label in cell.labels])
        self.begins = np.cumsum(self.seats) - self.seats  # where a cell begins in `strategies`

    def _codes(self, values: list[Any]) -> Array:
        """Values as a table holds them: names by their numbers."""
        self.kept.append(pl.Series(values, dtype=pl.Categorical if isinstance(values[0], str) else None))
        return self.kept[-1].to_physical().to_numpy()


class _Games:
    """The games of some shards in the order of their tables, each an array."""

    def __init__(self, shards: list[Shard], settled: _Settled) -> None:
        parts = [(place, *part) for place, shard in enumerate(shards) for part in shard.parts]
        place, cells, first, traced, last, _ = np.array(parts, np.int64).T
        turns = settled.rotations[cells]
        many = (last - first) * turns
        self.shard, self.cell = np.repeat(place, many), np.repeat(cells.astype(np.int32), many)
        inside = np.arange(len(self.cell)) - np.repeat(np.cumsum(many) - many, many)
        deal, turn = np.divmod(inside, np.repeat(turns, many))
        self.deal, self.rotation = deal + np.repeat(first, many), turn.astype(np.int32)
        self.traced = self.deal < np.repeat(traced, many)
        self.play = np.repeat(settled.first_plays[cells], many) + self.deal * settled.stride + self.rotation
        self.seats = np.repeat(settled.seats[cells], many)

    @property
    def key(self) -> dict[str, Array]:
        return {"play": self.play, "cell": self.cell, "deal": self.deal, "rotation": self.rotation}


class _Read:
    """The columns of a table that are looked at, of some shards."""

    def __init__(self, of: Tables, table: str, shards: list[Shard], rows: dict[str, int]) -> None:
        places = [place for place, shard in enumerate(shards) if table in shard.tables]
        self.files = [of.folder / table / shards[place].file for place in places]
        self.many = [rows[f"{table}/{shards[place].file}"] for place in places]
        self.shard = places
        names = of.read(table)
        try:
            there = pl.scan_parquet(self.files, glob=False).select(names).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            raise UsageError(f"{of.folder / table}: a file is no table: {brief(error)}") from None
        if there.height != sum(self.many):
            raise UsageError(f"{of.folder / table}: the files are not of this run; {RESTORE}")
        self.columns = {column.name: column for column in there}
        for name, column in self.columns.items():
            if name not in MAY_BE_NULL[table] and column.null_count():
                self.must(name, column.is_not_null().to_numpy())
            if name in RANGES:
                self.must(name, column.is_between(*RANGES[name]).fill_null(True).to_numpy())

    def values(self, name: str, null: int | None = None) -> Array:
        column = self.columns[name] if null is None else self.columns[name].fill_null(null)
        return column.to_physical().to_numpy()

    def must(self, name: str, right: Array) -> None:
        """Refuse the first row in which a column is not right."""
        if right.all():
            return
        row, ends = int(np.argmin(right)), np.cumsum(self.many)
        file = int(np.searchsorted(ends, row, side="right"))
        wrong = f"{name} of row {row - int(ends[file]) + self.many[file]:,} cannot be"
        raise UsageError(f"{self.files[file]}: is not a table of this run, {wrong}; {RESTORE}")

    def must_be(self, name: str, wanted: Array, null: int | None = None) -> None:
        self.must(name, self.values(name, null) == wanted)


def _check_ends(games: _Read, seats: _Read, of: _Games, settled: _Settled) -> None:
    """Of games and seats: the key, what the cells settle, wins as the ranks say."""
    options = {name: values[of.cell] for name, values in settled.options.items()}
    for name, wanted in (of.key | {"seats": of.seats} | options).items():
        games.must_be(name, wanted)
    each = of.seats if of.seats.min() < of.seats.max() else int(of.seats[0])  # one number is quicker
    for name, wanted in of.key.items():
        seats.must_be(name, np.repeat(wanted, each))
    begins = np.cumsum(of.seats, dtype=np.int32) - of.seats
    seat = np.arange(len(seats.values("seat")), dtype=np.int32) - np.repeat(begins, each)
    seats.must_be("seat", seat)
    sits = seat + np.repeat(of.rotation, each)
    sits -= np.where(sits >= np.repeat(of.seats, each), np.repeat(of.seats, each), 0)
    seats.must_be("strategy", settled.strategies[np.repeat(settled.begins[of.cell], each) + sits])
    first = seats.values("rank") == 1
    winners = np.add.reduceat(first, begins, dtype=np.int32) * (not settled.team)
    seats.must_be("share", first / np.repeat(np.maximum(winners, 1), each))
    games.must_be("draw", winners > 1)
    one = np.add.reduceat(seat * first, begins)
    games.must_be("winner", np.where(winners == 1, one, -1), null=-1)


def _check_trace(read: _Read, of: _Games) -> None:
    """Of a table of a trace: games that are traced, in their order, seats that they have, no step too few."""
    if "steps" in read.columns:
        read.must("steps", read.values("steps") >= read.values("decisions"))
    play, traced = read.values("play"), np.flatnonzero(of.traced)
    if not len(play):
        return
    shard = np.repeat(read.shard, read.many)
    begins = np.flatnonzero((np.diff(play, prepend=-1) != 0) | (np.diff(shard, prepend=-1) != 0))
    order = traced[np.argsort(of.play[traced])]
    place = np.searchsorted(of.play[order], play[begins])
    game = order[np.minimum(place, len(order) - 1)]
    right = (of.shard[game] == shard[begins]) & (np.diff(game, prepend=-1) > 0)
    many = np.diff(begins, append=len(play))
    read.must("play", np.repeat(right, many))
    for name in ("play", "cell", "deal"):
        read.must_be(name, np.repeat(of.key[name][game], many))
    seat = read.values("seat", null=0)
    read.must("seat", (seat >= 0) & (seat < np.repeat(of.seats[game], many)))
