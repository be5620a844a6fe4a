"""Check of the tables of a run folder, of which the checksums say that they are as they were written.

A table is one of this run if it has the columns and types that the manifest records, and the number of rows
that the experiment gives. Parquet files state both in their last bytes, so that no rows are read.
"""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from simkit.errors import UsageError, brief
from simkit.runs.experiment import Cell
from simkit.runs.manifest import RESTORE
from simkit.runs.schemas.manifest import Manifest
from simkit.runs.shards import TABLES, Shard


def check(folder: Path, manifest: Manifest, shards: list[Shard]) -> None:
    """Refuse a table with other columns or rows than the run has; `shards` are those that are present."""
    for shard in shards:
        rows = _rows(shard, manifest.cells)
        for table in shard.tables:
            path = folder / table / shard.file
            types, count = _read(path)
            if list(types.items()) != list(manifest.types.get(table, {}).items()):
                raise _foreign(path, "its columns differ")
            if count != rows.get(table, count):
                raise _foreign(path, f"it has {count:,} rows, not {rows[table]:,}")


def _read(path: Path) -> tuple[dict[str, str], int]:
    """Return the types of a table's columns, and its number of rows."""
    try:
        with pq.ParquetFile(path) as file:
            types = {field.name: str(field.type) for field in file.schema_arrow}
            return types, file.metadata.num_rows
    except (pa.ArrowException, OSError) as error:
        raise UsageError(f"{path}: is no table: {brief(error)}; {RESTORE}") from None


def _rows(shard: Shard, cells: list[Cell]) -> dict[str, int]:
    """Return the numbers of rows that are known before the games: one per game, and one per seat of each."""
    games = {part: (part.last - part.first) * cells[part.cell].rotations for part in shard.parts}
    seats = sum(count * cells[part.cell].seats for part, count in games.items())
    return dict(zip(TABLES, (seats, sum(games.values())), strict=True))


def _foreign(path: Path, why: str) -> UsageError:
    return UsageError(f"{path}: is not a table of this run: {why}; {RESTORE}")
