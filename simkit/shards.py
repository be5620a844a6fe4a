"""A shard, the unit of work and of storage: plays of some cells, cut by numbers of rows, never a clock."""

import itertools
import math
import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, Self

import pyarrow as pa
import pyarrow.parquet as pq

from simkit.experiment import Cell, Experiment, read_files
from simkit.game import Game
from simkit.seating import Told, seating
from simkit.strategy import Strategy

TABLES = ("seats", "games")  # in the order of writing: the games file says that the shard is done
TURNS, PIECES = "turns", "pieces"  # the trace, written before them, where it was asked for
QUICK, SLOW = 2_500, 250  # spread of shards, where nobody thinks long and where somebody does
MOST_ROWS, MOST_BYTES = 100_000, 1 << 24
GROUP = 1 << 17  # rows that a file keeps together
IDS = dict.fromkeys(("play", "deal"), "DELTA_BINARY_PACKED")
ENCODING: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "column_encoding": IDS}


class Layout(NamedTuple):
    """How large shards are: about sqrt(spread x rows) rows of the seats table, at most `most`."""

    spread: int
    most: int

    def size(self, rows: int) -> int:
        return max(1, min(self.most, math.isqrt(self.spread * rows)))


def usual_layout(game: Game, strategies: Iterable[Strategy]) -> Layout:
    """The layout of the runs of a game: slow strategies have more and smaller shards, wide logs too."""
    log = game.state_dtype["log"]
    widest = log["game"].itemsize // game.seats[0] + log["seat"].base.itemsize
    spread = SLOW if any(one.tries for one in strategies) else QUICK
    return Layout(spread, min(MOST_ROWS, max(1, MOST_BYTES // widest)))


class Part(NamedTuple):
    """Deals first <= deal < last of a cell; up to `traced` they are traced turn by turn."""

    cell: int
    first: int
    traced: int
    last: int
    play: int  # the first one


class Shard(NamedTuple):
    """Parts of cells, in the order of their plays."""

    parts: tuple[Part, ...]
    pieces: bool = False  # the trace tells of the pieces of the game, too

    @property
    def tables(self) -> tuple[str, ...]:
        if not any(part.traced > part.first for part in self.parts):
            return TABLES
        return (PIECES, TURNS, *TABLES) if self.pieces else (TURNS, *TABLES)

    @property
    def file(self) -> str:
        """File name: the first play, so that sorted names are in the order of the plays."""
        return f"{self.parts[0].play:014d}.parquet"

    def holds(self, cells: set[int], low: float, high: float) -> bool:
        """Whether it holds deals low <= deal < high of some of the cells."""
        return any(part.cell in cells and part.last > low and part.first < high for part in self.parts)

    def games(self, cells: list[Cell]) -> int:
        """How many games it holds; `cells` are all cells of the run."""
        return sum((part.last - part.first) * cells[part.cell].rotations for part in self.parts)


def shards(
    cells: list[Cell], layout: Layout, looks: list[int], trace: int, pieces: bool = False
) -> list[Shard]:
    """All shards of a run, look by look (a look: a number of deals at which cells may stop)."""
    spans = itertools.pairwise([0, *looks])
    return [shard for span in spans for shard in between_looks(cells, layout, *span, trace, pieces)]


def between_looks(
    cells: list[Cell], layout: Layout, low: int, high: int, trace: int, pieces: bool = False
) -> list[Shard]:
    """Shards of deals low <= deal < high, ordered by plays; the first `trace` deals of a cell are traced."""
    going = [cell for cell in cells if cell.deals > low]
    rows = [(min(high, cell.deals) - low) * cell.rotations * cell.seats for cell in going]
    size = layout.size(sum(rows))
    packs, room = list[list[Part]](), 0  # room in the last pack
    for cell, many in zip(going, rows, strict=True):
        parts = _cut(cell, low, min(high, cell.deals), -(-many // size), trace)
        if many <= room:
            packs[-1] += parts
        else:
            packs += [[part] for part in parts]
            room = size
        room -= many
    return [Shard(tuple(pack), pieces) for pack in packs]


def _cut(cell: Cell, low: int, high: int, pieces: int, trace: int) -> list[Part]:
    """Deals low <= deal < high of a cell in so many parts, or as many as it has deals."""
    pieces = min(pieces, high - low)
    cuts = itertools.pairwise(low + (high - low) * i // pieces for i in range(pieces + 1))
    spans = [(first, max(first, min(last, trace)), last) for first, last in cuts]
    return [Part(cell.index, *span, cell.first_play + span[0] * cell.rotations) for span in spans]


def missing(folder: Path, every: list[Shard]) -> list[Shard]:
    """The shards that are not on disk with all their tables."""
    there = {(path.parent.name, path.name) for path in folder.glob("*/*.parquet")}
    return [shard for shard in every if not {(table, shard.file) for table in shard.tables} <= there]


def write(folder: Path, experiment: Experiment, cells: list[Cell], shard: Shard, told: Told) -> None:
    """Play a shard and write its files; `cells` are those of its parts."""
    own = {str(experiment.files_of(cell.varied)): read_files(experiment, cell.varied) for cell in cells}
    with ExitStack() as closing:  # closes the files in the order of writing
        paths = {table: folder / table / shard.file for table in reversed(shard.tables)}
        files = {table: closing.enter_context(_File(path)) for table, path in paths.items()}
        for part, cell in zip(shard.parts, cells, strict=True):
            place = seating(experiment, cell, own[str(experiment.files_of(cell.varied))])
            for table, rows in place.tables(part.first, part.traced, part.last, told):
                files[table].add(rows)


def remove_unfinished(folder: Path) -> None:
    for path in folder.glob("*/.*.tmp"):
        path.unlink(missing_ok=True)


class _File:
    """A table on disk, GROUP rows together however they come; it has another name until it is whole."""

    def __init__(self, path: Path) -> None:
        self.path, self.unfinished = path, path.with_name(f".{path.name}.{os.getpid()}.tmp")
        self.waiting, self.rows = list[pa.Table](), 0
        self.writer: Any = None

    def add(self, table: pa.Table) -> None:
        self.waiting.append(table)
        self.rows += table.num_rows
        while self.rows >= GROUP:
            self._put(GROUP)

    def _put(self, rows: int) -> None:
        table = pa.concat_tables(self.waiting).unify_dictionaries().combine_chunks()
        if self.writer is None:
            how = ENCODING | {"use_dictionary": [name for name in table.column_names if name not in IDS]}
            self.writer = pq.ParquetWriter(self.unfinished, table.schema, **how)
        self.writer.write_table(table.slice(0, rows))
        self.waiting, self.rows = [table.slice(rows)], self.rows - rows

    def __enter__(self) -> Self:
        self.path.parent.mkdir(exist_ok=True)
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        if not failed and (self.rows or self.writer is None):  # a table without rows is a file, too
            self._put(self.rows)
        if self.writer is not None:
            self.writer.close()
            os.replace(self.unfinished, self.path) if not failed else self.unfinished.unlink()
