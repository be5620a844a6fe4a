"""How often each seat wins."""

from __future__ import annotations

import polars as pl

from reports.sections.common import PERCENT, SHARE, N, drawn_cells, front, inches, where_drawn
from simkit import charts
from simkit.report import Figure, Section, Show, table
from simkit.runlog import Run


def seat_section(run: Run, seats: pl.DataFrame) -> Section:
    """Share of each seat with the fair line."""
    shown = drawn_cells(run, seats, seats)
    label = pl.when(pl.col("seat") == 0).then(pl.col("lineup")).otherwise(pl.lit(""))
    drawn = shown.with_columns(label.alias("label"), _seat_name().alias("kind"))
    drawing = charts.picture("seats", charts.forest, drawn, height=inches(drawn, drawn["kind"].n_unique()))
    columns = front(seats, run) | {"seat": Show("seat")} | SHARE | {"fair": Show("fair", PERCENT)} | N
    alt = "Share of the games won by each seat, with its 95 % interval and the fair share; numbers in the table"
    figure = Figure(drawing, alt, where_drawn(run))
    text = "How often each seat wins. The dashed line is the share every seat would have in a fair game; the bars are 95 % intervals."
    return Section("Seats", [text], [figure], [table(seats, columns, "Share of each seat")])


def _seat_name() -> pl.Expr:
    return pl.format("seat {}{}", pl.col("seat"), pl.when(pl.col("seat") == 0).then(pl.lit(" (first)")).otherwise(pl.lit("")))
