"""Charts along x: shares or numbers with their intervals, one line each."""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import polars as pl

from simkit.reporting.charts import tooltips
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import (
    End,
    Mark,
    Plot,
    Ticks,
    axes,
    draw_marks,
    label_ends,
    name_marks,
    shade_marks,
)
from simkit.reporting.charts.scales import around, more_or_less, percent
from simkit.reporting.charts.strokes import across, draw, ends_of, lines_of, numbered


def curve(
    paper: Paper,
    table: pl.DataFrame,
    label: str,
    unit: str = "Share of the first player",
    margin: float = 0,
    aim: str = "fair",
    base: str = "baseline",
    recommended: Sequence[float] = (),
) -> None:
    """Draw along x `share` with interval `low` to `high`, a line per `line`; `margin` of `fair` is grey.

    `tick` names each x. A dotted line labelled `base` stands where `baseline` is true; the `recommended`
    values of x are shaded. `aim`: label of the grey band.
    """
    lines, tall = list(lines_of(table)), 200.0 if paper.narrow else 290.0
    xs, fair = along(table)
    ends = ends_of(paper, lines, tall, [End(called(aim, fair, margin), xs[-1], fair[-1], "edge", True)])
    span = around([*heights(table), min(fair) - margin, max(fair) + margin], 0.06)
    marks = [*_picked(table, recommended), *(Mark(base, x) for x in _baselines(table))]
    plot = axes(
        paper,
        across(table),
        span,
        tall,
        unit,
        label,
        percent,
        _named(table),
        0.01,
        ends,
        partial(name_marks, marks=marks),
    )
    shade_marks(plot, marks)
    level(plot, xs, fair, margin)
    draw_marks(plot, marks)
    draw(plot, lines, "share", tooltips.exact, label)
    label_ends(plot, ends)


def trend(paper: Paper, table: pl.DataFrame, label: str, unit: str, base: str = "baseline") -> None:
    """Draw a number (`share`) about zero in the style of `curve`."""
    lines, tall = list(lines_of(table)), 180.0 if paper.narrow else 240.0
    ends, marks = ends_of(paper, lines, tall), [Mark(base, x) for x in _baselines(table)]
    span = around([*heights(table), 0.0])
    plot = axes(
        paper,
        across(table),
        span,
        tall,
        unit,
        label,
        more_or_less,
        _named(table),
        0,
        ends,
        partial(name_marks, marks=marks),
    )
    draw_marks(plot, marks)
    plot.paper.line([(plot.x.start, plot.y(0)), (plot.x.end, plot.y(0))], "ink", 0.9)
    draw(plot, lines, "share", tooltips.plain, label)
    label_ends(plot, ends)


def lines(paper: Paper, table: pl.DataFrame, label: str, unit: str) -> None:
    """Draw along x `share` with its interval, a line per `line`; a column `fair`, if any, is a grey line."""
    drawn, tall = list(lines_of(table)), 200.0 if paper.narrow else 270.0
    fair = table["fair"][0] if "fair" in table.columns else None
    more = [] if fair is None else [End("fair", max(table["x"]), fair, "edge", True)]
    ends = ends_of(paper, drawn, tall, more)
    span = around([*heights(table), fair], 0.06)
    plot = axes(paper, across(table), span, tall, unit, label, percent, numbered(table), 0.01, ends)
    if fair is not None:
        paper.line([(plot.x.start, plot.y(fair)), (plot.x.end, plot.y(fair))], "edge", 1.2)
    draw(plot, drawn, "share", tooltips.exact, label)
    label_ends(plot, ends)


def along(table: pl.DataFrame) -> tuple[list[float], list[float]]:
    """Return each x and its fair share, which varies where games may have no winner."""
    fair = table.group_by("x").agg(pl.col("fair").mean()).sort("x")
    return fair["x"].to_list(), fair["fair"].to_list()


def called(aim: str, fair: list[float], margin: float) -> str:
    """Return the label of the band, with its ends where it is straight."""
    low, high = (percent(fair[0] + side) for side in (-margin, margin))
    return f"{aim}: {low.removesuffix(' %')} to {high}" if margin and len(set(fair)) == 1 else aim


def level(plot: Plot, xs: list[float], fair: list[float], margin: float) -> None:
    """Draw the grey band, or a line if there is no margin, across the plot."""
    xs = [plot.x.low, *xs, plot.x.high]
    fair = [fair[0], *fair, fair[-1]]
    upper, lower = (plot.path(xs, [share + side for share in fair]) for side in (margin, -margin))
    if margin:
        plot.paper.area([*upper, *lower[::-1]], "band")
    plot.paper.line(plot.path(xs, fair), "edge", 0.9)


def _picked(table: pl.DataFrame, recommended: Sequence[float]) -> list[Mark]:
    """Return a span around each run of adjacent recommended values."""
    values = table["x"].unique().sort().to_list()
    half = min((b - a for a, b in pairwise(values)), default=1.0) / 2
    spans: list[Mark] = []
    for x in (x for x in values if x in set(recommended)):
        if spans and values[values.index(x) - 1] in recommended:
            spans[-1].to = x + half
        else:
            spans.append(Mark("recommended", x - half, x + half))
    return spans


def _baselines(table: pl.DataFrame) -> list[float]:
    return table.filter(pl.col("baseline"))["x"].unique().sort().to_list()


def heights(table: pl.DataFrame) -> list[float]:
    """Return all values and ends of intervals."""
    return [value for name in ("low", "high", "share") for value in table[name].drop_nulls()]


def _named(table: pl.DataFrame) -> Ticks:
    return list(table.unique("x").sort("x").select("x", "tick").iter_rows())
