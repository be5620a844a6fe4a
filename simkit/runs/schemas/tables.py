"""Check of the tables of a run folder whose checksums are valid.

A table belongs to the run if it has the columns and types that the manifest records, the number of rows that
the experiment gives, and shares from 0 to 1. Parquet files state all of it in their last bytes, so no rows
are read.
"""

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from polars.exceptions import PanicException, PolarsError

from simkit.errors import UsageError, brief
from simkit.runs.manifest import RESTORE
from simkit.runs.plan import TABLES, Cell, Shard
from simkit.runs.schemas.manifest import Manifest

SHARES = "impossible values in column share"


def check(folder: Path, manifest: Manifest, shards: list[Shard]) -> None:
    """Refuse a table with other columns or rows than the run has; `shards` are those that are present."""
    for shard in shards:
        rows = _rows(shard, manifest.cells)
        for table in shard.tables:
            path = folder / shard.path(table)
            types, count, shares = _read(path)
            if list(types.items()) != list(manifest.types.get(table, {}).items()):
                raise _foreign(path, "its columns differ")
            if count != rows.get(table, count):
                raise _foreign(path, f"it has {count:,} rows, not {rows[table]:,}")
            if not all(0 <= share <= 1 for share in shares):
                raise _foreign(path, SHARES)


def check_contents(folder: Path, shards: list[Shard]) -> None:
    """Refuse the first table that Polars cannot read, or whose rows are not those of its deals."""
    for shard, table in ((each, name) for each in shards for name in each.tables):
        path = folder / table / shard.file
        try:
            rows = pl.read_parquet(path, glob=False)
        except (PolarsError, PanicException) as error:
            raise UsageError(f"{path}: is no table: {brief(error)}; {RESTORE}") from None
        deals = {(part.cell, deal) for part in shard.parts for deal in range(part.first, part.last)}
        if table in TABLES and deals != set(rows.select("cell", "deal").iter_rows()):
            raise _foreign(path, "its rows are those of other deals")
        if table == "seats" and not rows["share"].is_between(0, 1).all():
            raise _foreign(path, SHARES)


def _read(path: Path) -> tuple[dict[str, str], int, list[float]]:
    """Return the types of a table's columns, its number of rows, and the extremes of its shares."""
    try:
        with pq.ParquetFile(path) as file:
            types = {field.name: str(field.type) for field in file.schema_arrow}
            groups = [file.metadata.row_group(number).to_dict() for number in range(file.num_row_groups)]
            columns = [column for group in groups for column in group["columns"]]
            ends = [column["statistics"] for column in columns if column["path_in_schema"] == "share"]
            shares = [end[name] for end in ends if end and end["has_min_max"] for name in ("min", "max")]
            return types, file.metadata.num_rows, shares
    except (pa.ArrowException, OSError) as error:
        raise UsageError(f"{path}: is no table: {brief(error)}; {RESTORE}") from None


def _rows(shard: Shard, cells: list[Cell]) -> dict[str, int]:
    """Return the numbers of rows that are known before the games: one per game, and one per seat of each."""
    games = {part: (part.last - part.first) * cells[part.cell].rotations for part in shard.parts}
    seats = sum(count * cells[part.cell].seats for part, count in games.items())
    return dict(zip(TABLES, (seats, sum(games.values())), strict=True))


def _foreign(path: Path, why: str) -> UsageError:
    return UsageError(f"{path}: is not a table of this run: {why}; {RESTORE}")
