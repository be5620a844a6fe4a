"""Fitted curves: measured points, fitted lines, and where the lines meet the fair share."""

from functools import partial

import polars as pl

from simkit.reporting.charts import tooltips
from simkit.reporting.charts.letters import SMALL
from simkit.reporting.charts.line_charts import along, called, heights, level
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import (
    End,
    Mark,
    Plot,
    axes,
    draw_marks,
    label_ends,
    name_marks,
    shade_marks,
)
from simkit.reporting.charts.scales import around, number, percent
from simkit.reporting.charts.strokes import LINES, Line, across, band, ends_of, first, lines_of, numbered

DOT = 0.3 * SMALL


def fitted(
    paper: Paper,
    table: pl.DataFrame,
    label: str,
    unit: str,
    margin: float = 0,
    aim: str = "fair",
    base: str = "rulebook",
    usual: float | None = None,
    between: tuple[float, float] | None = None,
) -> None:
    """Draw along x a line per `line` with its band, and a dot for each `measured` row.

    `fair` is a line in a grey band of `margin`, labelled `aim`. The span `between` is shaded as the fair
    value; a dotted line labelled `base` stands at `usual`.
    """
    curves, points = (_lines(table, measured) for measured in (False, True))
    tall, (places, fair) = 200.0 if paper.narrow else 290.0, along(table)
    ends = ends_of(
        paper,
        list(lines_of(table)),
        tall,
        [End(called(aim, fair, margin), places[-1], fair[-1], "edge", True)],
    )
    span = around([*heights(table), min(fair) - margin, max(fair) + margin], 0.06)
    marks = [Mark("fair value", *between)] if between else []
    marks += [Mark(base, usual)] if usual is not None and places[0] <= usual <= places[-1] else []
    names = partial(name_marks, marks=marks)
    plot = axes(paper, across(table), span, tall, unit, label, percent, numbered(table), 0.01, ends, names)
    shade_marks(plot, marks)
    level(plot, places, fair, margin)
    draw_marks(plot, marks)
    for line in curves:
        band(plot, line, "low", "high", 0.16)
        xs, shares = (line.rows[name].to_list() for name in ("x", "share"))
        paper.line(plot.path(xs, shares), line.colour, LINES, line.dash)
    for line in points:
        _dots(plot, line, first(label))
    label_ends(plot, ends)


def _lines(table: pl.DataFrame, measured: bool) -> list[Line]:
    lines = (line._replace(rows=line.rows.filter(measured=measured)) for line in lines_of(table))
    return [line for line in lines if line.rows.height]


def _dots(plot: Plot, line: Line, label: str) -> None:
    for row in line.rows.rows(named=True):
        tip = tooltips.tooltip(row, tooltips.named(line.name, f"{label} {number(row['x'])}"))
        plot.paper.dot(*plot.at(row["x"], row["share"]), line.marker, line.colour, tip, DOT)
