"""What can be compared: shares, scores, lengths and draws, and any column of the log by name."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import polars as pl

from simkit.analysis.table import text
from simkit.errors import UsageError, unknown
from simkit.runs.run import Run

KEYS = {"play", "cell", "deal", "rotation", "seat", "seats"}  # say which row it is, measure nothing


class Measure(NamedTuple):
    """A number for each deal: the mean of an expression over the rows of a table."""

    measure: str  # share, score, draw, turns, decisions, or what of the log was asked for
    seat: int | None  # None for the games table
    unit: str  # share, or its own
    mean: pl.Expr
    bound: float  # the largest possible difference between two rule sets, 0 if unknown

    @property
    def name(self) -> str:
        return f"{self.measure} {self.seat}"


def usual(seats: int) -> list[Measure]:
    named: list[tuple[str, int | None]]
    named = [(name, seat) for name in ("share", "score") for seat in range(seats)]
    named += [(name, None) for name in ("draw", "turns", "decisions")]
    parts = {"share": "share", "draw": "share"}
    return [_measure(name, seat, parts.get(name, name), pl.col(name), name in parts) for name, seat in named]


def lead() -> Measure:
    """The share of seat 0 less the fair share, where games that nobody wins make that less than 1 / seats."""
    mine = pl.col("seat") == 0
    ahead = (pl.col("share") * mine).sum() / mine.sum() - pl.col("share").mean()
    return Measure("fpa", 0, "share", ahead, True)


def logged(run: Run, seats: int, request: str) -> list[Measure]:
    """A column of the log: its mean, of seats one each; of COLUMN=VALUE how often it has the value."""
    column, equals, value = (part.strip() for part in request.partition("="))
    tables = {"games": run.games(), "seats": run.seats()}
    for table, rows in tables.items():
        kind = rows.collect_schema().get(column)
        if kind is not None and column not in KEYS:
            part = bool(equals) or kind == pl.Boolean
            number = text(column) == value if equals else _number(rows, column)
            places = [None] if table == "games" else range(seats)
            return [_measure(request, seat, "share" if part else column, number, part) for seat in places]
    raise _unknown(column, *(rows.collect_schema() for rows in tables.values()))


def check_column(request: str, columns: Mapping[str, Iterable[str]]) -> None:
    """Refuse a column that no table of the log would have; `known`: by table."""
    column = request.partition("=")[0].strip()
    if column in KEYS or not any(column in columns[table] for table in ("games", "seats")):
        raise _unknown(column, columns["games"], columns["seats"])


def _unknown(column: str, *tables: Iterable[str]) -> UsageError:
    names = {name for table in tables for name in table if name not in KEYS}
    return unknown("column of the log", column, names)


def _measure(name: str, seat: int | None, unit: str, value: pl.Expr, bound: float) -> Measure:
    number = value.cast(pl.Float64)
    if seat is None:
        return Measure(name, seat, unit, number.mean(), bound)
    mine = pl.col("seat") == seat
    return Measure(name, seat, unit, (number * mine).sum() / mine.sum(), bound)


def _number(rows: pl.LazyFrame, column: str) -> pl.Expr:
    kind = rows.collect_schema()[column]
    if kind.is_numeric() or kind == pl.Boolean:
        return pl.col(column)
    values = rows.select(text(column).unique()).collect(engine="streaming").to_series().sort().to_list()
    advice = f"say which to count: {column}={values[0]} (in this run: {', '.join(map(str, values))})"
    raise UsageError(f"column {column} holds names; {advice}")
