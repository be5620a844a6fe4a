"""Along x: shares or numbers with their intervals, one line each."""

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
    """Along x: `share` with its interval `low` to `high`, one line per `line`; `margin` of `fair` grey.

    `tick` names each x. Where `baseline` is true a dotted line stands, called `base`; the values of x that
    are `recommended` are shaded. `aim`: what the grey band is called.
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
    """As `curve`, of a number (`share`) about zero."""
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
    """Along x: `share` with its interval, one line per `line`; a column `fair`, if any, is a grey line."""
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
    """Each x and what is fair there, which differs where nobody may win."""
    fair = table.group_by("x").agg(pl.col("fair").mean()).sort("x")
    return fair["x"].to_list(), fair["fair"].to_list()


def called(aim: str, fair: list[float], margin: float) -> str:
    """What the band is called, with its ends where it is straight."""
    low, high = (percent(fair[0] + side) for side in (-margin, margin))
    return f"{aim}: {low.removesuffix(' %')} to {high}" if margin and len(set(fair)) == 1 else aim


def level(plot: Plot, xs: list[float], fair: list[float], margin: float) -> None:
    """The grey band, or the line where there is no margin, right across the area."""
    xs = [plot.x.low, *xs, plot.x.high]
    fair = [fair[0], *fair, fair[-1]]
    upper, lower = (plot.path(xs, [one + side for one in fair]) for side in (margin, -margin))
    if margin:
        plot.paper.area([*upper, *lower[::-1]], "band")
    plot.paper.line(plot.path(xs, fair), "edge", 0.9)


def _picked(table: pl.DataFrame, recommended: Sequence[float]) -> list[Mark]:
    """A span about each run of neighbours among the values that are recommended."""
    every = table["x"].unique().sort().to_list()
    half = min((b - a for a, b in pairwise(every)), default=1.0) / 2
    spans: list[Mark] = []
    for x in (x for x in every if x in set(recommended)):
        if spans and every[every.index(x) - 1] in recommended:
            spans[-1].to = x + half
        else:
            spans.append(Mark("recommended", x - half, x + half))
    return spans


def _baselines(table: pl.DataFrame) -> list[float]:
    return table.filter(pl.col("baseline"))["x"].unique().sort().to_list()


def heights(table: pl.DataFrame) -> list[float]:
    return [value for name in ("low", "high", "share") for value in table[name].drop_nulls()]


def _named(table: pl.DataFrame) -> Ticks:
    return list(table.unique("x").sort("x").select("x", "tick").iter_rows())
