"""Distributions: scores by turn with the middle half of games, frequencies of values."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from simkit.reporting.charts import tooltips
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import Plot, Ticks, axes, key, label_ends
from simkit.reporting.charts.scales import around, nice, number, percent
from simkit.reporting.charts.strokes import (
    LINES,
    Line,
    across,
    band,
    ends_of,
    first,
    lines_of,
    numbered,
    sample,
    stroke,
)


def fan(paper: Paper, table: pl.DataFrame, label: str = "Turn", unit: str = "Score") -> None:
    """Draw along x the median p50 per `line` in the band p25 to p75, and p5 and p95 of up to two lines."""
    drawn, tall = list(lines_of(table)), 200.0 if paper.narrow else 270.0
    outer = len(drawn) <= 2  # more lines would be hard to distinguish
    values = [value for name in (("p5", "p95") if outer else ("p25", "p75")) for value in table[name]]
    ends = ends_of(paper, drawn, tall, value="p50")
    legend = "line: median; band: middle half of games"
    legend += "; thin lines: 5 % and 95 % of games" if outer else ""
    title = f"{unit} ({legend})"
    plot = axes(paper, across(table), around(values), tall, title, label, number, numbered(table), 0, ends)
    for line in drawn:
        band(plot, line, "p25", "p75", 0.2)
        for edge in ("p5", "p95") if outer else ():
            points = plot.path(line.rows["x"].to_list(), line.rows[edge].to_list())
            paper.line(points, line.colour, 0.7, line.dash)
    for line in drawn:
        stroke(plot, line, "p50", partial(_median, f"{line.name}, {first(label)}"))
    label_ends(plot, ends)


def _median(subject: str, row: Mapping[str, Any]) -> str:
    low, middle, high = (tooltips.plain(row[name]) for name in ("p25", "p50", "p75"))
    return f"{subject} {number(row['x'])}: median {middle}, middle half {low} to {high}"


def histogram(paper: Paper, table: pl.DataFrame, unit: str) -> None:
    """Draw the share of games by value (`low` to `high`), an outline per `line`."""
    drawn, tall = list(lines_of(table, "low")), 160.0 if paper.narrow else 220.0
    if len(drawn) > 1:
        key(paper, [line.name for line in drawn], sample(paper, drawn, dots=False))
    top = max(table["share"]) * 1.06 or 1.0
    span = min(table["low"]), max(table["high"])
    # Bars of one value are labelled at their middle.
    half = 0.5 if (table["high"] - table["low"]).max() == 1 else 0.0
    ticks: Ticks = [(x + half, number(x)) for x in nice(span[0], span[1] - 2 * half, 12, 1)]
    plot = axes(paper, span, (0, top), tall, "Share of games", unit, percent, ticks, 0.01)
    for line in drawn:
        _steps(plot, line, unit)


def _steps(plot: Plot, line: Line, unit: str) -> None:
    """Draw the outline of the bars of a line, with a pale fill."""
    points = [plot.at(line.rows["low"][0], 0)]
    for row in line.rows.iter_rows(named=True):
        points += [plot.at(row["low"], row["share"]), plot.at(row["high"], row["share"])]
    points.append(plot.at(line.rows["high"][-1], 0))
    plot.paper.area(points, line.colour, 0.1)
    plot.paper.line(points, line.colour, LINES, line.dash)
    for row in line.rows.iter_rows(named=True):
        x, y = plot.at((row["low"] + row["high"]) / 2, row["share"])
        span = (
            number(row["low"])
            if row["high"] - row["low"] <= 1
            else f"{number(row['low'])} to {number(row['high'])}"
        )
        plot.paper.dot(
            x, y, tip=f"{tooltips.named(line.name, f'{first(unit)} {span}')}: {tooltips.exact(row['share'])}"
        )
