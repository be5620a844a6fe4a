"""Charts along x: shares or numbers with their intervals, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.formats import more_or_less, number, percent
from simkit.reporting.charts.frame import (
    End,
    Mark,
    around,
    finish,
    narrow,
    numbers,
    plot_area,
    shade,
    ticks,
    whole_numbers,
)
from simkit.reporting.charts.palette import hue
from simkit.reporting.charts.series import (
    baselines,
    band,
    dots,
    draw,
    first,
    head,
    heights,
    level,
    lines_of,
    stroke,
    zero,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@chart
def curve(
    ax: Axes,
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
    lines, tall = list(lines_of(table)), 200.0 if narrow(ax) else 290.0
    xs, fair = _along(table)
    ends = head(ax, unit, lines, tall, [_aim(aim, xs, fair, margin)])
    span = around([*heights(table), min(fair) - margin, max(fair) + margin], 0.06)
    plot_area(ax, around(xs, room=0.025), span, label, percent, 0.01)
    ticks(ax, list(table.unique("x").sort("x").select("x", "tick").iter_rows()))
    marks = [*_picked(table, recommended), *baselines(table, base)]
    shade(ax, marks)
    level(ax, xs, fair, margin)
    draw(ax, lines, label)
    finish(ax, tall, ends, marks)


@chart
def trend(ax: Axes, table: pl.DataFrame, label: str, unit: str, base: str = "baseline") -> None:
    """Draw a number (`share`) about zero in the style of `curve`."""
    lines, tall = list(lines_of(table)), 180.0 if narrow(ax) else 240.0
    ends = head(ax, unit, lines, tall)
    plot_area(ax, around(table["x"], room=0.025), around([*heights(table), 0.0]), label, more_or_less)
    ticks(ax, list(table.unique("x").sort("x").select("x", "tick").iter_rows()))
    zero(ax)
    draw(ax, lines, label, form=formats.plain)
    finish(ax, tall, ends, baselines(table, base))


@chart
def lines(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """Draw along x `share` with its interval, a line per `line`; a column `fair`, if any, is a grey line."""
    drawn, tall = list(lines_of(table)), 200.0 if narrow(ax) else 270.0
    fair = table["fair"][0] if "fair" in table.columns else None
    more = [] if fair is None else [End("fair", max(table["x"]), fair, hue("edge"), True)]
    ends = head(ax, unit, drawn, tall, more)
    plot_area(ax, around(table["x"], room=0.025), around([*heights(table), fair], 0.06), label, percent, 0.01)
    whole_numbers(ax)
    if fair is not None:
        ax.axhline(fair, color=hue("edge"), linewidth=1.2)
    draw(ax, drawn, label)
    finish(ax, tall, ends)


@chart
def fitted(
    ax: Axes,
    table: pl.DataFrame,
    label: str,
    unit: str,
    margin: float = 0,
    aim: str = "fair",
    base: str = "rulebook",
    usual: float | None = None,
    between: tuple[float, float] | None = None,
) -> None:
    """Draw along x a line per `line` with its band, and a dot with its interval for each `measured` row.

    `fair` is a line in a grey band of `margin`, labelled `aim`. The span `between` is shaded as the fair
    value; a dotted line labelled `base` stands at `usual`.
    """
    tall, (xs, fair) = 200.0 if narrow(ax) else 290.0, _along(table)
    drawn = list(lines_of(table))
    ends = head(ax, unit, drawn, tall, [_aim(aim, xs, fair, margin)])
    span = around([*heights(table), min(fair) - margin, max(fair) + margin], 0.06)
    plot_area(ax, around(xs, room=0.025), span, label, percent, 0.01)
    whole_numbers(ax)
    marks = [Mark("fair value", *between)] if between else []
    marks += [Mark(base, usual)] if usual is not None and xs[0] <= usual <= xs[-1] else []
    shade(ax, marks)
    level(ax, xs, fair, margin)
    for line in drawn:
        curved, points = (line.rows.filter(measured=measured) for measured in (False, True))
        if curved.height:
            band(ax, line._replace(rows=curved))
            dash = palette.shape(palette.LINES, line.style)
            ax.plot(curved["x"], curved["share"], color=line.colour, linestyle=dash)
        known = points.drop_nulls(["low", "high"])
        ax.vlines(known["x"], known["low"], known["high"], color=line.colour, linewidth=1)
        tips = [
            formats.tooltip(row, formats.named(line.name, f"{first(label)} {number(row['x'])}"))
            for row in points.iter_rows(named=True)
        ]
        marker = palette.shape(palette.MARKERS, line.style)
        dots(ax, points["x"].to_list(), points["share"].to_list(), tips, marker, line.colour, 5)
    finish(ax, tall, ends, marks)


@chart
def score_line(
    ax: Axes, table: pl.DataFrame, marks: pl.DataFrame, label: str = "Turn", unit: str = "Score"
) -> None:
    """Draw along x the value y, a line per `line`; texts of `marks` (x, text) stand above their turns."""
    drawn, tall = list(lines_of(table)), 180.0 if narrow(ax) else 240.0
    ends = head(ax, unit, drawn, tall, value="y")
    plot_area(ax, around(table["x"], room=0.025), around(table["y"]), label, number)
    whole_numbers(ax)
    for line in drawn:
        name, axis = line.name, first(label).lower()
        stroke(ax, line, "y", lambda row, name=name, axis=axis: (
            f"{name}, {axis} {number(row['x'])}: {number(row['y'])}"
        ))  # fmt: skip
    finish(ax, tall, ends, [Mark(text, x) for x, text in marks.select("x", "text").iter_rows()], "left")


@chart
def skill_curve(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """Draw along x `share` with its band, a line per `line`, labelled at its end; other games are grey.

    Shares are relative to the fair share, the line at 100 %.
    """
    drawn, tall = sorted(lines_of(table), key=lambda line: not line.other), 220.0 if narrow(ax) else 290.0
    ends = head(ax, unit, drawn, tall)
    across = 0.0, max(table["x"])
    top = max(1.05, *table["high"].drop_nulls())
    plot_area(ax, across, (0, top), label, percent, 0.01)
    numbers(ax.xaxis, across, 4 if narrow(ax) else 8, percent, 0.01)
    ax.axhline(1, color=hue("ink"), linewidth=1)
    draw(ax, drawn, label)
    finish(ax, tall, ends)


def _along(table: pl.DataFrame) -> tuple[list[float], list[float]]:
    """Return each x and its fair share, which varies where games may have no winner."""
    fair = table.group_by("x").agg(pl.col("fair").mean()).sort("x")
    return fair["x"].to_list(), fair["fair"].to_list()


def _aim(aim: str, xs: list[float], fair: list[float], margin: float) -> End:
    """Return the label of the band, with its ends where it is straight."""
    low, high = (percent(fair[0] + side) for side in (-margin, margin))
    name = f"{aim}: {low.removesuffix(' %')} to {high}" if margin and len(set(fair)) == 1 else aim
    return End(name, xs[-1], fair[-1], hue("edge"), True)


def _picked(table: pl.DataFrame, recommended: Sequence[float]) -> list[Mark]:
    """Return a span around each run of adjacent recommended values, the first one with the name."""
    values = table["x"].unique().sort().to_list()
    half = min((b - a for a, b in pairwise(values)), default=1.0) / 2
    spans: list[Mark] = []
    for place, x in enumerate(values):
        if x not in recommended:
            continue
        if spans and values[place - 1] in recommended:
            spans[-1].to = x + half
        else:
            spans.append(Mark("" if spans else "recommended", x - half, x + half))
    return spans
