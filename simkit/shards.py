"""A shard: a range of deals of one cell, the unit of work and of storage; played and written whole or not at all."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from simkit import catalogue, columns
from simkit.experiment import Cell, Experiment, read_files
from simkit.kernel import Player, Table

STATES_BYTES = 1 << 23  # states in memory at one time
TABLES = ("seats", "games")  # in the order of writing: the games file says that the shard is done


class Shard(NamedTuple):
    """Deals first <= deal < last of a cell."""

    cell: int
    first: int
    last: int

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

    def play(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Deals, rotations and final states of a range of deals, in the order of the plays."""
        turns = self.cell.rotations
        deals = np.repeat(np.arange(first, last, dtype=np.int64), turns)
        shifts = np.tile(np.arange(turns, dtype=np.int64), last - first)
        return deals, shifts, self.table.play(self.lineup, self.seed, deals, shifts)


def seating(experiment: Experiment, cell: Cell) -> Seating:
    """Lay the table for a cell."""
    game = catalogue.game(cell.game)
    table = Table(game, game.rules(cell.options, read_files(game, experiment.files)))
    return Seating(cell, table, [catalogue.player(game, named) for named in cell.lineup], experiment.seed)


def shards(cells: list[Cell], shard_deals: list[int], looks: list[int]) -> list[Shard]:
    """All shards of a run, in order; none reaches over a look (a number of deals at which a run may stop)."""
    starts = [0, *looks]
    return [
        Shard(cell.index, first, min(first + size, look, cell.deals))
        for cell, size in zip(cells, shard_deals, strict=True)
        for start, look in itertools.pairwise(starts)
        for first in range(start, min(look, cell.deals), size)
    ]


def missing(folder: Path, every: list[Shard]) -> list[Shard]:
    """The shards that are not both on disk."""
    there = [{entry.name for entry in os.scandir(folder / table)} for table in TABLES]
    return [shard for shard in every if not all(shard.file in names for names in there)]


def write(folder: Path, experiment: Experiment, cell: Cell, shard: Shard) -> int:
    """Play a shard and write its two files; returns the number of games."""
    place = seating(experiment, cell)
    parts = [tables(place, first, last) for first, last in _batches(place, shard)]
    for table in TABLES:
        _write(folder / table / shard.file, pa.concat_tables(part[table] for part in parts))
    return (shard.last - shard.first) * cell.rotations


def tables(place: Seating, first: int, last: int) -> dict[str, pa.Table]:
    """The rows of a range of deals, by name of the table."""
    return tables_of(place, *place.play(first, last))


def tables_of(place: Seating, deals: np.ndarray, shifts: np.ndarray, states: np.ndarray) -> dict[str, pa.Table]:
    """The rows of games that were played, by name of the table."""
    make = {"games": columns.games_table, "seats": columns.seats_table}
    return {name: make[name](place.table.game, place.cell, deals, shifts, states) for name in TABLES}


def remove_unfinished(folder: Path) -> None:
    """Delete what a killed writer left behind."""
    for table in TABLES:
        for path in (folder / table).glob(".*.tmp"):
            path.unlink(missing_ok=True)


def _batches(place: Seating, shard: Shard) -> Iterator[tuple[int, int]]:
    """Ranges of deals small enough that their states fit in little memory."""
    size = max(1, STATES_BYTES // (place.table.game.state_dtype.itemsize * place.cell.rotations))
    for first in range(shard.first, shard.last, size):
        yield first, min(first + size, shard.last)


def _write(path: Path, table: pa.Table) -> None:
    """Write under a temporary name, then rename: the file is whole or absent."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    ids = dict.fromkeys(("play", "deal"), "DELTA_BINARY_PACKED")
    repeating = [name for name in table.column_names if name not in ids]
    pq.write_table(table, unfinished, compression="zstd", compression_level=1, use_dictionary=repeating, column_encoding=ids)
    os.replace(unfinished, path)
