"""Write the tables of shards.

A table is written under a temporary name and renamed when it is complete. The games table is renamed last. A
shard is done when all of its tables have a valid line in checksums.txt; any other shard is played again.
"""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from simkit.errors import PlayError
from simkit.runs.cell_player import Report, seating
from simkit.runs.experiment import Experiment
from simkit.runs.plan import Cell, Shard
from simkit.runs.storage import checksums
from simkit.runs.storage.remote import INTERIM

GROUP = 1 << 17  # rows of a row group
IDS = dict.fromkeys(("play", "deal"), "DELTA_BINARY_PACKED")
ENCODING: dict[str, Any] = {"compression": "zstd", "compression_level": 1, "write_statistics": list(IDS)}
ENCODING["write_batch_size"] = 1 << 16  # values encoded at a time; 4 % faster than the default of 1,024


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
