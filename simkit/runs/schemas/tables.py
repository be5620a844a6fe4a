"""Checks of a run folder's tables, which may be damaged although their checksums are valid.

The analysis relies on them: every game and seat has its row, and counts are possible. How games ended is not
checked: the checksums show whether a table is the one that was written.
"""

from collections.abc import Iterator
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from simkit.errors import UsageError, brief
from simkit.runs.columns import MAY_BE_NULL, is_kind_of_log, kinds_of
from simkit.runs.experiment import Cell
from simkit.runs.manifest import RESTORE
from simkit.runs.shards import PIECES, TABLES, TURNS, Shard

BATCH_GAMES = 1 << 20  # games checked together
KEY = ("play", "cell", "deal", "rotation")
COUNT, SEAT = (0, 10**7), (0, 100)
RANGES = {  # ranges of columns that every game has, by table
    "games": dict.fromkeys(("decisions", "turns"), COUNT) | dict.fromkeys(("winner", "first"), SEAT),
    "seats": {"rank": SEAT, "share": (0, 1)},
    TURNS: dict.fromkeys(("turn", "decisions", "choices", "most_choices", "steps"), COUNT) | {"seat": SEAT},
    PIECES: dict.fromkeys(("turn", "last", "copies"), COUNT) | {"seat": SEAT},
}
SETTLED: dict[str, Any] = dict.fromkeys(
    ("first", "end", "cell", "rotations", "seats", "play", "stride"), pl.Int64
)
SETTLED |= {"labels": pl.List(pl.Categorical)}
OWN_METADATA = {b"description", b"PARQUET:field_id"}  # other metadata may change the type of a column


def check(
    folder: Path, cells: list[Cell], shards: list[Shard], columns: dict[str, dict[str, str]], keep_going: bool
) -> None:
    """Refuse a table with another schema, with other games than the run has, or with values out of range.

    `cells` are all cells of the run, `shards` those whose tables are present, `columns` the manifest's.
    """
    for batch in _batches(shards, cells):
        for table in dict.fromkeys(table for shard in batch for table in shard.tables):
            mine = [shard for shard in batch if table in shard.tables]
            names, kinds = list(columns.get(table, {})), kinds_of(table, keep_going, cells[0].varied)
            files = [_read(folder / table / shard.file, names, kinds) for shard in mine]
            why = _fault(table, pl.DataFrame(pa.concat_tables(files)), _expected(table, mine, cells))
            if why and len(mine) == 1:
                raise _foreign(folder / table / mine[0].file, why)
            for shard in mine if why else []:  # check one by one, to name the damaged file
                check(folder, cells, [shard], columns, keep_going)


def _batches(shards: list[Shard], cells: list[Cell]) -> Iterator[list[Shard]]:
    """Yield the shards in order, about BATCH_GAMES games together: one by one takes five times longer."""
    plays = (shard.games(cells) for shard in shards)
    for _, batch in groupby(zip(accumulate(plays), shards, strict=True), lambda pair: pair[0] // BATCH_GAMES):
        yield [shard for _, shard in batch]


def _foreign(path: Path, why: str) -> UsageError:
    return UsageError(f"{path}: is not a table of this run: {why}; {RESTORE}")


def _read(path: Path, names: list[str], kinds: dict[str, pa.DataType]) -> pa.Table:
    """Read the columns `kinds` of a file; refuses a file whose columns are not exactly `names`."""
    try:
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
            if schema.names == names and kinds.keys() <= {*names} and _are_plain(schema, kinds):
                return file.read([*kinds], use_threads=False).select([*kinds])
    except (pa.ArrowException, OSError) as error:
        raise UsageError(f"{path}: is no table: {brief(error)}") from None
    raise _foreign(path, "its columns differ")


def _are_plain(fields: pa.Schema, kinds: dict[str, pa.DataType]) -> bool:
    """Return whether fields have the types `kinds`, or those of a game's log, and no foreign metadata."""
    return all(
        (field.type == kinds[field.name] if field.name in kinds else is_kind_of_log(field.type))
        and (field.metadata or {}).keys() <= OWN_METADATA
        for field in fields
    )


def _expected(table: str, shards: list[Shard], cells: list[Cell]) -> pl.DataFrame:
    """Return the columns that cells determine: one row per game or seat; for a trace, one row per game."""
    every = [part for shard in shards for part in shard.parts]
    parts = [(part.first, part.last if table in TABLES else part.traced, cells[part.cell]) for part in every]
    rows = [(first, end, cell.index, *_of_cell(cell)) for first, end, cell in parts if first < end]
    settled = pl.DataFrame(rows, SETTLED, orient="row")
    for column, values in (("deal", pl.int_ranges("first", "end")), ("rotation", pl.int_ranges("rotations"))):
        settled = settled.with_columns(values.alias(column)).explode(column)
    games = settled.with_columns(play=pl.col("play") + pl.col("deal") * pl.col("stride") + pl.col("rotation"))
    if table != "seats":
        return games.select(*KEY, "seats")
    sits = (pl.col("seat") + pl.col("rotation")) % pl.col("seats")
    seats = games.with_columns(seat=pl.int_ranges("seats")).explode("seat")
    return seats.select(*KEY, "seat", strategy=pl.col("labels").list.get(sits))


def _of_cell(cell: Cell) -> tuple[Any, ...]:
    return cell.rotations, cell.seats, cell.first_play, cell.stride, cell.labels


def _fault(table: str, rows: pl.DataFrame, expected: pl.DataFrame) -> str:
    """Return the fault of a table: its number of rows or a column with impossible values; "" if none."""
    if table in TABLES and rows.height != expected.height:
        return f"it has {rows.height:,} rows, not {expected.height:,}"
    holds = [(column.name, column.is_not_null()) for column in rows if column.name not in MAY_BE_NULL[table]]
    holds += [(name, rows[name].is_between(*ends)) for name, ends in RANGES[table].items()]
    if table in TABLES:
        holds += [(column.name, column == rows[column.name]) for column in expected]
    else:
        seats = rows.select(KEY).join(expected, on=KEY, how="left", maintain_order="left")["seats"]
        holds += [("play", seats.is_not_null()), ("seat", rows["seat"] < seats)]
    if table == "games":
        holds += [(name, rows[name] < rows["seats"]) for name in ("winner", "first")]
    if table == TURNS:
        place = rows.select(
            pl.int_range(pl.len()).over("play")
        ).to_series()  # position within its game, turn by turn
        holds += [("seat", rows["seat"] == place % seats), ("turn", rows["turn"] > 0)]
        holds += [("steps", rows["steps"] >= rows["decisions"])]
    return next((f"impossible values in column {name}" for name, valid in holds if not valid.all()), "")
