"""What can be compared: shares, scores, lengths and draws, and any column of the log by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from simkit.analysis.table import text
from simkit.errors import UsageError, unknown

if TYPE_CHECKING:
    from simkit.runlog import Run

KEYS = {"play", "cell", "deal", "rotation", "seat", "seats"}  # say which row it is, measure nothing


class Measure(NamedTuple):
    """A number for each deal: the mean of an expression over the rows of a table."""

    table: str  # games or seats
    mean: pl.Expr
    bound: float = 0.0  # the largest possible difference between two rule sets, 0 if unknown


def usual(seats: int) -> dict[str, Measure]:
    """Name -> measure: share and score of each seat, draws, turns, decisions."""
    share = {f"share of seat {s}": Measure("seats", _of_seat(pl.col("share"), s), 1.0) for s in range(seats)}
    score = {f"score of seat {s}": Measure("seats", _of_seat(pl.col("score"), s)) for s in range(seats)}
    length = {name: Measure("games", pl.col(name).cast(pl.Float64).mean()) for name in ("turns", "decisions")}
    return (
        share
        | score
        | {"drawn games": Measure("games", pl.col("draw").cast(pl.Float64).mean(), 1.0)}
        | length
    )


def logged(run: Run, seats: int, asked: str) -> dict[str, Measure]:
    """Name -> measure for a column of the log: its mean; of a seats column one per seat; COLUMN=VALUE counts how often it has a value."""
    column, equals, value = (part.strip() for part in asked.partition("="))
    for table, frame in (("games", run.games()), ("seats", run.seats())):
        kinds = frame.collect_schema()
        if column in kinds and column not in KEYS:
            expression, bound = _value(run, table, column, kinds[column], value if equals else None)
            if table == "games":
                return {asked: Measure(table, expression.mean(), bound)}
            return {
                f"{asked} of seat {s}": Measure(table, _of_seat(expression, s), bound) for s in range(seats)
            }
    known = {
        name for frame in (run.games(), run.seats()) for name in frame.collect_schema() if name not in KEYS
    }
    raise unknown("column of the log", column, known)


def _value(run: Run, table: str, column: str, kind: pl.DataType, value: str | None) -> tuple[pl.Expr, float]:
    """The number that a row gives, and the largest possible difference."""
    if value is not None:
        return (text(column) == value).cast(pl.Float64), 1.0
    if kind == pl.Boolean:
        return pl.col(column).cast(pl.Float64), 1.0
    if not kind.is_numeric():
        frame = run.games() if table == "games" else run.seats()
        names = frame.select(text(column).unique()).collect(engine="streaming").to_series().sort().to_list()
        raise UsageError(
            f"column {column} holds names; say which to count: {column}={names[0]} (in this run: {', '.join(map(str, names))})"
        )
    return pl.col(column).cast(pl.Float64), 0.0


def _of_seat(expression: pl.Expr, seat: int) -> pl.Expr:
    return expression.filter(pl.col("seat") == seat).mean()
