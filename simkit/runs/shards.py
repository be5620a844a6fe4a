"""Shards, the units of work and of storage: plays of some cells, cut by numbers of rows, never by a clock.

A table is written under a temporary name and renamed when it is complete. The games table is renamed last. A
shard is done when all of its tables have a valid line in checksums.txt; any other shard is played again.

A run with sequential stopping is played in interim shards, which end at the interim analyses. When all cells
have stopped, their rows are copied into the shards of a run without analyses of the same deals.
"""

import itertools
import math
import os
from collections.abc import Container, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple, Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from simkit.engine.game import Game
from simkit.engine.strategy import Strategy
from simkit.errors import PlayError
from simkit.runs.cell_player import Report, seating
from simkit.runs.experiment import Cell, Experiment
from simkit.runs.storage import checksums
from simkit.runs.storage.remote import INTERIM

TABLES = ("seats", "games")  # in the order of writing: the games file completes the shard
TURNS, PIECES = "turns", "pieces"  # the trace, written before the others, if the run has one
QUICK, SLOW = 2_500, 60  # spread of shards, without and with strategies that search
MOST_ROWS, MOST_BYTES = 100_000, 1 << 24
GROUP = 1 << 17  # rows of a row group
IDS = dict.fromkeys(("play", "deal"), "DELTA_BINARY_PACKED")
ENCODING: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "write_statistics": list(IDS)}
ENCODING["write_batch_size"] = 1 << 16  # values encoded at a time; 4 % faster than the default of 1,024


class Layout(NamedTuple):
    """Size of shards: about sqrt(spread × rows) rows of the seats table, at most `most`."""

    spread: int
    most: int

    def size(self, rows: int) -> int:
        """Return the number of rows of a shard, for a table of `rows` rows."""
        return max(1, min(self.most, math.isqrt(self.spread * rows)))


def usual_layout(game: Game, strategies: Iterable[Strategy]) -> Layout:
    """Return the default layout of a game: searching strategies and wide logs have more, smaller shards."""
    log = game.state_dtype["log"]
    widest = log["game"].itemsize // game.seats[0] + log["seat"].base.itemsize
    spread = SLOW if any(strategy.searches for strategy in strategies) else QUICK
    return Layout(spread, min(MOST_ROWS, max(1, MOST_BYTES // widest)))


class Part(NamedTuple):
    """Deals first <= deal < last of a cell; those below `traced` are traced turn by turn."""

    cell: int
    first: int
    traced: int
    last: int
    play: int  # play id of the first game


class Shard(NamedTuple):
    """Parts of cells, in the order of cells and deals."""

    parts: tuple[Part, ...]
    pieces: bool = False  # whether the trace has a table of pieces
    interim: bool = False  # whether it is replaced by other shards when all cells have stopped

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the shard's tables, in the order of writing."""
        if not any(part.traced > part.first for part in self.parts):
            return TABLES
        return (PIECES, TURNS, *TABLES) if self.pieces else (TURNS, *TABLES)

    @property
    def files(self) -> list[str]:
        """The paths of the shard's tables within the run folder, in the order of writing."""
        return [self.path(table) for table in self.tables]

    def path(self, table: str) -> str:
        """Return the path of a table within the run folder."""
        return f"{INTERIM}/{table}/{self.file}" if self.interim else f"{table}/{self.file}"

    @property
    def file(self) -> str:
        """The file name of the shard's tables: the play id of its first game."""
        return f"{self.parts[0].play:014d}.parquet"

    def holds(self, cells: set[int], low: float, high: float) -> bool:
        """Return whether the shard holds deals low <= deal < high of some of the cells."""
        return any(part.cell in cells and part.last > low and part.first < high for part in self.parts)

    def games(self, cells: list[Cell]) -> int:
        """Return the number of games in the shard; `cells` are all cells of the run."""
        return sum((part.last - part.first) * cells[part.cell].rotations for part in self.parts)


def shards(
    cells: list[Cell], layout: Layout, analyses: list[int], trace: int, pieces: bool = False
) -> list[Shard]:
    """Return all shards of a run; no shard crosses one of the analyses, at which cells may stop."""
    spans = itertools.pairwise([0, *analyses])
    return [shard for span in spans for shard in between_analyses(cells, layout, *span, trace, pieces)]


def between_analyses(
    cells: list[Cell], layout: Layout, low: int, high: int, trace: int, pieces: bool = False
) -> list[Shard]:
    """Return the shards of deals low <= deal < high, by cell; deals below `trace` are traced."""
    going = [cell for cell in cells if cell.deals > low]
    rows = [(min(high, cell.deals) - low) * cell.rotations * cell.seats for cell in going]
    size = layout.size(sum(rows))
    packs, room = list[list[Part]](), 0  # rows that still fit into the last pack
    for cell, count in zip(going, rows, strict=True):
        parts = _cut(cell, low, min(high, cell.deals), -(-count // size), trace)
        if count <= room:
            packs[-1] += parts
        else:
            packs += [[part] for part in parts]
            room = size
        room -= count
    return [Shard(tuple(pack), pieces) for pack in packs]


def _cut(cell: Cell, low: int, high: int, count: int, trace: int) -> list[Part]:
    """Cut deals low <= deal < high of a cell into `count` parts, or one per deal if it has fewer."""
    count = min(count, high - low)
    cuts = itertools.pairwise(low + (high - low) * i // count for i in range(count + 1))
    spans = [(first, max(first, min(last, trace)), last) for first, last in cuts]
    return [Part(cell.index, *span, cell.play_of(span[0])) for span in spans]


def missing(present: Container[str], every: Sequence[Shard]) -> list[Shard]:
    """Return the shards that have a table which is not in `present`."""
    return [shard for shard in every if not all(name in present for name in shard.files)]


def write(
    folder: Path, experiment: Experiment, cells: list[Cell], shard: Shard, report: Report
) -> dict[str, str]:
    """Play a shard and write its tables; return their digests by file name.

    `cells` are those of the shard's parts; `report` is called with the number of games just played.
    """
    with ExitStack() as closing:  # opened in reverse order, so that the games table is closed last
        paths = {table: folder / shard.path(table) for table in reversed(shard.tables)}
        files = {table: closing.enter_context(_File(path)) for table, path in paths.items()}
        for part, cell in zip(shard.parts, cells, strict=True):
            place = seating(experiment, cell)
            try:
                for table, rows in place.tables(part.first, part.traced, part.last, report):
                    files[table].add(rows)
            except PlayError as fault:
                if fault.deal is not None:
                    fault.play = cell.play_of(fault.deal, fault.rotation)
                raise
    return {name: files[table].digest for name, table in zip(shard.files, shard.tables, strict=True)}


def write_tables(folder: Path, shard: Shard, rows: dict[str, pa.Table]) -> dict[str, str]:
    """Write the tables of a shard whose games were played elsewhere; return their digests by file name."""
    digests = dict[str, str]()
    for name, table in zip(shard.files, shard.tables, strict=True):
        with _File(folder / name) as file:
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
    os.replace(unfinished, path)


def _unfinished(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def remove_unfinished(folder: Path) -> None:
    """Remove the temporary files and progress files of writers that were killed."""
    for path in (*folder.glob("*/.*.tmp"), *folder.glob(f"{INTERIM}/*/.*.tmp"), *folder.glob(".progress*")):
        path.unlink(missing_ok=True)


def _encoded(schema: pa.Schema) -> dict[str, Any]:
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


class _File:
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
                self.unfinished, table.schema, **ENCODING, **_encoded(table.schema)
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
            os.replace(self.unfinished, self.path)
