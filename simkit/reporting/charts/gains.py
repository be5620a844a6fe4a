"""Gains of the candidates of a search in the order of their trials, with the best so far."""

import polars as pl

from simkit.reporting.charts import palette, tooltips
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import axes, key
from simkit.reporting.charts.scales import around, more_or_less
from simkit.reporting.charts.strokes import numbered

MEASURED, DROPPED, BEST = "on all deals", "dropped early", "best so far"


def gains(paper: Paper, table: pl.DataFrame, label: str, unit: str) -> None:
    """Draw `share` with `low` to `high` at each `x`, `dropped` ones in grey, and the steps of `best`."""
    colours = {MEASURED: palette.colour(0), DROPPED: "edge", BEST: palette.colour(1)}
    marker = {MEASURED: palette.shape(palette.MARKERS, 0), DROPPED: palette.shape(palette.MARKERS, 1)}

    def sample(x: float, y: float, name: str) -> None:
        if name == BEST:
            paper.line([(x, y), (x + 22, y)], colours[name], 1.7)
        else:
            paper.dot(x + 11, y, marker[name], colours[name], "", 3.6)

    key(paper, list(colours), sample)
    across, span = around(table["x"], room=0.03), around([*table["low"], *table["high"], 0.0])
    tall = 200.0 if paper.narrow else 270.0
    plot = axes(paper, across, span, tall, unit, label, more_or_less, numbered(table))
    paper.line([(plot.x.start, plot.y(0)), (plot.x.end, plot.y(0))], "ink", 0.9)
    for row in table.rows(named=True):
        kind = DROPPED if row["dropped"] else MEASURED
        x, y = plot.at(row["x"], row["share"])
        paper.line([(x, plot.y(row["low"])), (x, plot.y(row["high"]))], colours[kind], 1.2)
        tip = tooltips.tooltip(row, row["subject"], form=more_or_less_points)
        paper.dot(x, y, marker[kind], colours[kind], tip, 3.6)
    for before, after in zip(table.rows(named=True), table[1:].rows(named=True), strict=False):
        ends = (before["x"], before["best"]), (after["x"], before["best"]), (after["x"], after["best"])
        paper.line([plot.at(*end) for end in ends], colours[BEST], 1.7)


def more_or_less_points(gain: float) -> str:
    """Return a gain in percentage points.

    >>> more_or_less_points(1.234), more_or_less_points(-0.5)
    ('+1.2', '−0.5')
    """
    return more_or_less(round(gain, 1))
