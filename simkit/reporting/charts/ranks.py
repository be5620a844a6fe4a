"""Ranked differences: a dot with its interval about zero, and a paler mark for another estimate."""

from typing import Any

import polars as pl

from simkit.reporting.charts import palette, tooltips
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import key, titled
from simkit.reporting.charts.rowframe import Axis, rows_of, runs_of
from simkit.reporting.charts.scales import around, more_or_less

MORE, LESS, UNSURE = palette.colour(0), palette.colour(4), palette.colour(-2)


def ranked(paper: Paper, table: pl.DataFrame, unit: str, dot: str = "", other: str = "") -> None:
    """Draw a row per `label`: `value` with `low` to `high`, and `other` as a pale diamond; nulls are skipped.

    `dot` and `other` name the two marks. Rows are coloured where the column `sure` is true, else grey.
    """
    titled(paper, unit)
    key(paper, list(filter(None, (dot, other))), lambda x, y, name: _sample(paper, x, y, name == dot))
    span = around([*table["low"], *table["high"], *table["value"], *table["other"], 0.0], 2.0)
    rows = rows_of(paper, runs_of(table["label"].to_list()), Axis(span, more_or_less, 1.0))
    rows.upright(paper, 0, "ink", 1)
    for middle, row in zip(rows.middles, table.iter_rows(named=True), strict=True):
        if row["other"] is not None:
            paper.dot(rows.x(row["other"]), middle, "D", "edge", f"{row['label']}, {other}", 2.6)
        if row["value"] is not None:
            colour, tip = _colour(row), tooltips.tooltip(row, row["label"], "value", tooltips.plain)
            if row["low"] is not None:
                paper.line([(rows.x(row["low"]), middle), (rows.x(row["high"]), middle)], colour, 1.8)
            paper.dot(rows.x(row["value"]), middle, "o", colour, tip, 3.6)


def _colour(row: dict[str, Any]) -> str:
    if not row["sure"]:
        return UNSURE
    return MORE if row["value"] > 0 else LESS


def _sample(paper: Paper, x: float, y: float, dot: bool) -> None:
    if dot:
        paper.line([(x, y), (x + 22, y)], MORE, 1.8)
    paper.dot(x + 11, y, "o" if dot else "D", MORE if dot else "edge", radius=3.6 if dot else 2.6)
