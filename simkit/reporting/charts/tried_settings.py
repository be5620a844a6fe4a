"""Tried settings by two measures, with the front and the settings that were checked."""

import polars as pl

from simkit.reporting.charts import palette, tooltips
from simkit.reporting.charts.letters import SMALL
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import Plot, axes, key
from simkit.reporting.charts.scales import around, nice, number, percent

Wanted = tuple[float | None, float | None]  # ends of the wished range; None if open


def setting_dots(
    paper: Paper,
    table: pl.DataFrame,
    label: str,
    unit: str,
    wanted_x: Wanted = (None, None),
    wanted_y: Wanted = (None, None),
    shares: tuple[bool, bool] = (False, False),
) -> None:
    """Draw a dot at `x`, `y` for each row, in order: marker by `kind`, `name` (if any) beside it, `tip`.

    The wished range of each axis is shaded; `shares`: whether x and y are fractions, shown in percent.
    """
    kinds = palette.styles(table, "kind")
    key(paper, list(kinds), lambda x, y, name: _dot(paper, x + 11, y, kinds[name]))
    say_x, say_y = (percent if share else number for share in shares)
    span_x, span_y = (
        around([*table[name], *ends], room=0.06) for name, ends in (("x", wanted_x), ("y", wanted_y))
    )
    tall = 220.0 if paper.narrow else 300.0
    steps = nice(*span_x, 5 if paper.narrow else 8, 0.01 if shares[0] else 0.0)
    ticks = [(x, say_x(x)) for x in steps]
    plot = axes(paper, span_x, span_y, tall, unit, label, say_y, ticks, 0.01 if shares[1] else 0.0)
    _shade(plot, wanted_x, wanted_y)
    for row in table.rows(named=True):
        x, y = plot.at(row["x"], row["y"])
        tip = tooltips.named(row["name"] or "", row["tip"])
        _dot(paper, x, y, kinds[row["kind"]], tip)
        if row["name"]:
            side = "end" if x > (plot.x.start + plot.x.end) / 2 else "start"
            paper.middle(x + (-7 if side == "end" else 7), y, row["name"], side, size=SMALL, halo=True)


def _dot(paper: Paper, x: float, y: float, style: int, tip: str = "") -> None:
    paper.dot(x, y, palette.shape(palette.MARKERS, style), palette.colour(style), tip, 3.6)


def _shade(plot: Plot, wanted_x: Wanted, wanted_y: Wanted) -> None:
    """Shade the area in which both wishes are met."""
    left, right = _ends(wanted_x, plot.x.low, plot.x.high)
    low, high = _ends(wanted_y, plot.y.low, plot.y.high)
    if left < right and low < high:
        plot.paper.field((plot.x(left), plot.y(high), plot.x(right), plot.y(low)), "picked", stroke="edge")


def _ends(wanted: Wanted, low: float, high: float) -> tuple[float, float]:
    return (low if wanted[0] is None else max(low, wanted[0])), (
        high if wanted[1] is None else min(high, wanted[1])
    )
