"""A shard: a range of deals of one cell, the unit of work and of storage; played and written whole or not at all."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from simkit import catalogue, columns
from simkit.experiment import Cell, Experiment, read_files
from simkit.kernel import Player, Table
from simkit.steps import Traced, traced

STATES_BYTES = 1 << 23  # states in memory at one time
TABLES = ("seats", "games")  # in the order of writing: the games file says that the shard is done
TURNS = "turns"  # the turn trace, written before them, where it was asked for


class Shard(NamedTuple):
    """Deals first <= deal < last of a cell."""

    cell: int
    first: int
    last: int
    traced: int = 0  # how many of its deals, the first ones, are traced turn by turn

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that it has a file of, in the order of writing."""
        return (TURNS, *TABLES) if self.traced else TABLES

    @property
    def file(self) -> str:
        """File name; sorted names are in the order of the plays."""
        return f"c{self.cell:05d}-d{self.first:011d}-{self.last:011d}.parquet"


class Seating(NamedTuple):
    """All that is needed to play a cell: the memory, the players, the seed."""

    cell: Cell
    table: Table
    lineup: list[Player]
    seed: int

    def games(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Deals and rotations of the games of a range of deals."""
        turns = self.cell.rotations
        return np.repeat(np.arange(first, last, dtype=np.int64), turns), np.tile(
            np.arange(turns, dtype=np.int64), last - first
        )

    def play(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Deals, rotations and final states of a range of deals, in the order of the plays."""
        deals, shifts = self.games(first, last)
        return deals, shifts, self.table.play(self.lineup, self.seed, deals, shifts)


def seating(experiment: Experiment, cell: Cell) -> Seating:
    """Lay the table for a cell."""
    game = catalogue.game(cell.game)
    table = Table(game, game.rules(cell.options, read_files(game, experiment.files)))
    return Seating(cell, table, [catalogue.player(game, named) for named in cell.lineup], experiment.seed)


def shards(cells: list[Cell], shard_deals: list[int], looks: list[int], trace: int = 0) -> list[Shard]:
    """All shards of a run, in order; none reaches over a look (a number of deals at which a run may stop).

    The first `trace` deals of every cell are traced.
    """
    starts = [0, *looks]
    return [
        _shard(cell, first, min(first + size, look, cell.deals), trace)
        for cell, size in zip(cells, shard_deals, strict=True)
        for start, look in itertools.pairwise(starts)
        for first in range(start, min(look, cell.deals), size)
    ]


def _shard(cell: Cell, first: int, last: int, trace: int) -> Shard:
    return Shard(cell.index, first, last, max(0, min(last, trace) - first))


def missing(folder: Path, every: list[Shard]) -> list[Shard]:
    """The shards that are not on disk with all their tables."""
    there = {table: _names(folder / table) for table in (TURNS, *TABLES)}
    return [shard for shard in every if not all(shard.file in there[table] for table in shard.tables)]


def _names(folder: Path) -> set[str]:
    return {entry.name for entry in os.scandir(folder)} if folder.is_dir() else set()


def write(folder: Path, experiment: Experiment, cell: Cell, shard: Shard) -> int:
    """Play a shard and write its files; returns the number of games."""
    place = seating(experiment, cell)
    middle = shard.first + shard.traced
    parts = _write_turns(folder / TURNS / shard.file, place, shard.first, middle) if shard.traced else []
    parts += [tables(place, first, last) for first, last in _batches(place, middle, shard.last)]
    for table in TABLES:
        _write(folder / table / shard.file, pa.concat_tables(part[table] for part in parts))
    return (shard.last - shard.first) * cell.rotations


def _write_turns(path: Path, place: Seating, first: int, last: int) -> list[dict[str, pa.Table]]:
    """Play a range of deals and write their turns, which are many, part by part; returns the rows of the other tables."""
    parts = []
    path.parent.mkdir(exist_ok=True)
    with _whole(path) as unfinished, ExitStack() as closing:
        writer = None
        for deals, shifts, traced in _traced(place, first, last):
            turns = columns.turns_table(place.table.game, place.cell, deals, shifts, traced.rows)
            writer = writer or closing.enter_context(
                pq.ParquetWriter(unfinished, turns.schema, **_encoding(turns))
            )
            writer.write_table(turns)
            parts.append(tables_of(place, deals, shifts, traced.states))
    return parts


def _traced(place: Seating, first: int, last: int) -> Iterator[tuple[np.ndarray, np.ndarray, Traced]]:
    """Deals, rotations and what was traced, in the order of the plays."""
    for low, high in _batches(place, first, last):
        deals, shifts = place.games(low, high)
        for part in traced(place.table, place.lineup, place.seed, deals, shifts):
            yield deals[part.part], shifts[part.part], part


def tables(place: Seating, first: int, last: int) -> dict[str, pa.Table]:
    """The rows of a range of deals, by name of the table."""
    return tables_of(place, *place.play(first, last))


def tables_of(
    place: Seating, deals: np.ndarray, shifts: np.ndarray, states: np.ndarray
) -> dict[str, pa.Table]:
    """The rows of games that were played, by name of the table."""
    make = {"games": columns.games_table, "seats": columns.seats_table}
    return {name: make[name](place.table.game, place.cell, deals, shifts, states) for name in TABLES}


def remove_unfinished(folder: Path) -> None:
    """Delete what a killed writer left behind."""
    for table in (TURNS, *TABLES):
        for path in (folder / table).glob(".*.tmp"):
            path.unlink(missing_ok=True)


def _batches(place: Seating, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Ranges of deals small enough that their states fit in little memory."""
    size = max(1, STATES_BYTES // (place.table.game.state_dtype.itemsize * place.cell.rotations))
    for first in range(start, end, size):
        yield first, min(first + size, end)


def _write(path: Path, table: pa.Table) -> None:
    with _whole(path) as unfinished:
        pq.write_table(table, unfinished, **_encoding(table))


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A temporary name to write under, renamed at the end: the file is whole or absent."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    yield unfinished
    os.replace(unfinished, path)


def _encoding(table: pa.Table) -> dict[str, Any]:
    ids = dict.fromkeys(("play", "deal"), "DELTA_BINARY_PACKED")
    repeating = [name for name in table.column_names if name not in ids]
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": repeating,
        "column_encoding": ids,
    }
