"""Measures for comparisons: shares, scores, lengths and draws, and any column of the log by name."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import polars as pl

from simkit.analysis.table import text
from simkit.errors import UsageError, unknown
from simkit.runs.folder import Run

KEYS = {"play", "cell", "deal", "rotation", "seat", "seats"}  # columns that identify a row, not measures


class Measure(NamedTuple):
    """A number per deal: the mean of an expression over the rows of a table."""

    measure: str  # share, score, draw, turns, decisions, or the request for a log column
    seat: int | None  # None for the games table
    unit: str  # "share", or the name of the measure
    mean: pl.Expr
    bound: float  # the largest possible difference between two rule sets, 0 if unknown

    @property
    def name(self) -> str:
        """Measure and seat, as a column name."""
        return f"{self.measure} {self.seat}"


def usual(seats: int) -> list[Measure]:
    """Return the standard measures: share and score of each seat, draws, turns and decisions."""
    places = [(name, seat) for name in ("share", "score") for seat in range(seats)]
    rows = [*places, *((name, None) for name in ("draw", "turns", "decisions"))]
    parts = {"share": "share", "draw": "share"}
    return [
        _make_measure(name, seat, parts.get(name, name), pl.col(name), name in parts) for name, seat in rows
    ]


def lead() -> Measure:
    """Return the measure for the share of seat 0 less the fair share, the mean share over all seats."""
    in_seat = pl.col("seat") == 0
    ahead = (pl.col("share") * in_seat).sum() / in_seat.sum() - pl.col("share").mean()
    return Measure("fpa", 0, "share", ahead, True)


def logged(run: Run, seats: int, request: str) -> list[Measure]:
    """Return the measures of a log column: its mean, for each seat where seats differ.

    request: COLUMN, or COLUMN=VALUE for how often the column has the value. Raises UsageError for an unknown
    column, and for names without a value.
    """
    column, equals, value = (part.strip() for part in request.partition("="))
    tables = {"games": run.games(), "seats": run.seats()}
    for table, rows in tables.items():
        kind = rows.collect_schema().get(column)
        if kind is not None and column not in KEYS:
            part = bool(equals) or kind == pl.Boolean
            number = text(column) == value if equals else _number(rows, column)
            places = [None] if table == "games" else range(seats)
            return [
                _make_measure(request, seat, "share" if part else column, number, part) for seat in places
            ]
    raise _unknown(column, tables["games"].collect_schema(), tables["seats"].collect_schema())


def check_column(request: str, columns: Mapping[str, Iterable[str]]) -> None:
    """Raise UsageError if no table of the log would have the requested column; columns: by table."""
    column = request.partition("=")[0].strip()
    if column in KEYS or not any(column in columns[table] for table in ("games", "seats")):
        raise _unknown(column, columns["games"], columns["seats"])


def _unknown(column: str, *tables: Iterable[str]) -> UsageError:
    return unknown("column of the log", column, set().union(*tables) - KEYS)


def _make_measure(name: str, seat: int | None, unit: str, value: pl.Expr, bound: float) -> Measure:
    number = value.cast(pl.Float64)
    if seat is None:
        return Measure(name, seat, unit, number.mean(), bound)
    in_seat = pl.col("seat") == seat
    return Measure(name, seat, unit, (number * in_seat).sum() / in_seat.sum(), bound)


def _number(rows: pl.LazyFrame, column: str) -> pl.Expr:
    kind = rows.collect_schema()[column]
    if kind.is_numeric() or kind == pl.Boolean:
        return pl.col(column)
    values = rows.select(text(column).unique()).collect(engine="streaming").to_series().sort().to_list()
    advice = f"say which to count: {column}={values[0]} (in this run: {', '.join(map(str, values))})"
    raise UsageError(f"column {column} holds names; {advice}")
