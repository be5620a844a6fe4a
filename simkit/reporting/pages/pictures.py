"""Figures of a page: which column plays which part of a chart, labelled and in consistent styles."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.charts.drawing import Chart
from simkit.reporting.document import Figure
from simkit.reporting.text.labels import labels_of

MOST_LINES = 7  # lines that can be distinguished in one figure
MOST_PICTURES = 8  # figures of one kind on a page
TEXTS = ("label", "kind", "line", "row", "column")  # parts that are texts
Parts = Mapping[str, Any]  # part of a chart -> name of its column, or an expression


def figure(
    findings: Findings,
    chart: tuple[str, Chart],
    frame: pl.DataFrame,
    alt: str,
    caption: str,
    parts: Parts,
    style_by: str = "",
    **how: Any,
) -> Figure:
    """Return the named figure of a table by a chart; `parts` are the chart's columns, `how` its options.

    `alt`: alternative text, whose beginning is the title; the data stand in a table of the page. The
    `value` drawn is the column `share`, with its interval, unless the parts say otherwise.
    `style_by`: the column that determines the style in all figures: `lineup`, `setting` or `seat`. Only
    the first MOST_LINES lines are drawn.
    """
    parts = {"value": "share", **parts} if "share" in frame.columns else parts
    columns = [_part_expression(findings, part, source).alias(part) for part, source in parts.items()]
    of_share = [] if str(parts.get("value", "share")) == "share" else ["low", "high"]
    unplayed = [part for part in (*TEXTS, *of_share) if part in frame.columns and part not in parts]
    drawn = frame.with_columns(*_style(findings, style_by)).with_columns(columns).drop(unplayed)
    if "line" in parts:
        lines = drawn["line"].unique(maintain_order=True).head(MOST_LINES)
        drawn = drawn.filter(pl.col("line").is_in(lines.to_list()))
    name, draw = chart
    return Figure(charts.picture(name, draw, drawn, **how), alt, caption, alt.partition(", with")[0])


def first_lines(lineups: int) -> str:
    """Return a note that a figure shows the first lineups only, where there are more than fit."""
    return f"The first {MOST_LINES} of {lineups} lineups." if lineups > MOST_LINES else ""


def _part_expression(findings: Findings, part: str, source: str | pl.Expr) -> pl.Expr:
    """Return the expression of a part, labelled if the part is a text."""
    if isinstance(source, pl.Expr):
        return source
    return label_column(findings, source) if part in TEXTS else pl.col(source)


def label_column(findings: Findings, column: str) -> pl.Expr:
    """Return a column as labels."""
    labels = labels_of(findings)
    label = labels.of_column(column) or (lambda value: labels.value(column, value))
    return pl.col(column).map_elements(label, return_dtype=pl.String)


def in_points(name: str) -> dict[str, pl.Expr]:
    """Return the parts of a chart for a difference of shares and its ends, in percentage points."""
    ends = {"value": name, "low": f"{name}_low", "high": f"{name}_high"}
    return {part: 100 * pl.col(column) for part, column in ends.items()}


def sure_style(sure: pl.Expr) -> pl.Expr:
    """Return the style of rows: coloured where they are beyond luck, else grey."""
    return pl.when(sure).then(0).otherwise(-2)


def _style(findings: Findings, style_by: str) -> list[pl.Expr]:
    """Return the style by a column: seats first, lineups or settings after them."""
    if style_by in ("lineup", "setting"):
        names = findings.cells[style_by].unique(maintain_order=True).to_list()
        places = {name: max(findings.cells["seats"]) + place for place, name in enumerate(names)}
        return [pl.col(style_by).replace_strict(places, default=-1, return_dtype=pl.Int64).alias("style")]
    return [pl.col("seat").cast(pl.Int64).alias("style")] if style_by == "seat" else []
