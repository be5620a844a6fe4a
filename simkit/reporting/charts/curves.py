"""Charts along x: shares or numbers with their intervals, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.formats import more_or_less, number, percent
from simkit.reporting.charts.frame import End, Mark, Span, around, finish, narrow, plot_area, wide, width_of
from simkit.reporting.charts.palette import hue
from simkit.reporting.charts.series import Line, band, dots, draw, first, head, lines_of

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
    lines = list(lines_of(table))
    tall, ends = _fair_area(ax, table, lines, label, unit, margin, aim)
    _ticks(ax, table)
    draw(ax, lines, label)
    finish(ax, tall, ends, [*_picked(table, recommended), *_baselines(table, base)])


@chart
def trend(ax: Axes, table: pl.DataFrame, label: str, unit: str, base: str = "baseline") -> None:
    """Draw a number (`share`) about zero in the style of `curve`."""
    lines, tall = list(lines_of(table)), 180.0 if narrow(ax) else 240.0
    ends = head(ax, unit, lines, tall, [], "share")
    plot_area(ax, _across(table), around([*_heights(table), 0.0]), label, more_or_less)
    _ticks(ax, table)
    ax.axhline(0, color=hue("ink"), linewidth=0.9)
    draw(ax, lines, label, form=formats.plain)
    finish(ax, tall, ends, _baselines(table, base))


@chart
def lines(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """Draw along x `share` with its interval, a line per `line`; a column `fair`, if any, is a grey line."""
    drawn, tall = list(lines_of(table)), 200.0 if narrow(ax) else 270.0
    fair = table["fair"].head(1).to_list() if "fair" in table.columns else []
    ends = head(
        ax, unit, drawn, tall, [End("fair", max(table["x"]), y, hue("edge"), True) for y in fair], "share"
    )
    plot_area(ax, _across(table), around([*_heights(table), *fair], 0.06), label, percent, 0.01)
    for y in fair:
        ax.axhline(y, color=hue("edge"), linewidth=1.2)
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
    between: Span | None = None,
) -> None:
    """Draw along x a line per `line` with its band, and a dot with its interval for each `measured` row.

    `fair` is a line in a grey band of `margin`, labelled `aim`. The span `between` is shaded as the fair
    value; a dotted line labelled `base` stands at `usual`.
    """
    drawn = list(lines_of(table))
    tall, ends = _fair_area(ax, table, drawn, label, unit, margin, aim)
    for line in drawn:
        curved, points = (line.rows.filter(measured=measured) for measured in (False, True))
        band(ax, line._replace(rows=curved))
        dash, marker = (palette.shape(kinds, line.style) for kinds in (palette.LINES, palette.MARKERS))
        ax.plot(curved["x"], curved["share"], color=line.colour, linestyle=dash)
        ax.vlines(points["x"], points["low"], points["high"], color=line.colour, linewidth=1)
        subjects = [formats.named(line.name, f"{first(label)} {number(x)}") for x in points["x"]]
        tips = list(map(formats.tooltip, points.iter_rows(named=True), subjects))
        dots(ax, points["x"], points["share"], tips, marker, line.colour, 5)
    marks = [Mark("fair value", *between)] if between else []
    marks += [Mark(base, usual)] if usual is not None and min(table["x"]) <= usual <= max(table["x"]) else []
    finish(ax, tall, ends, marks)


@chart
def score_line(
    ax: Axes, table: pl.DataFrame, marks: pl.DataFrame, label: str = "Turn", unit: str = "Score"
) -> None:
    """Draw along x the value y, a line per `line`; texts of `marks` (x, text) stand above their turns."""
    drawn, tall = list(lines_of(table)), 180.0 if narrow(ax) else 240.0
    ends = head(ax, unit, drawn, tall, [], "y")
    plot_area(ax, _across(table), around(table["y"]), label, number)
    draw(ax, drawn, label.lower(), "y", number)
    finish(ax, tall, ends, [Mark(text, x) for x, text in marks.select("x", "text").iter_rows()])


@chart
def skill_curve(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """Draw along x `share` with its band, a line per `line`, labelled at its end; other games are grey.

    Shares are relative to the fair share, the line at 100 %.
    """
    drawn, tall = sorted(lines_of(table), key=lambda line: not line.other), 220.0 if narrow(ax) else 290.0
    ends = head(ax, unit, drawn, tall, [], "share")
    top = max(1.05, *table["high"].drop_nulls())
    plot_area(ax, (0.0, max(table["x"])), (0.0, top), label, percent, 0.01, percent, 0.01)
    ax.axhline(1, color=hue("ink"), linewidth=1)
    draw(ax, drawn, label)
    finish(ax, tall, ends)


@chart
def histogram(ax: Axes, table: pl.DataFrame, unit: str) -> None:
    """Draw the share of games by value (`low` to `high`), an outline per `line`."""
    # Bars of one value are labelled at their middle.
    half = 0.5 if (table["high"] - table["low"]).max() == 1 else 0.0
    middles = table.with_columns(x=(pl.col("low") + pl.col("high")) / 2 - half)
    drawn, tall = (
        list(lines_of(middles.rename({"low": "start", "high": "end"}))),
        160.0 if narrow(ax) else 220.0,
    )
    ends = head(ax, "Share of games", drawn if len(drawn) > 1 else [], 0.0, [], "share")
    span = min(table["low"]) - half, max(table["high"]) - half
    plot_area(ax, span, (0, max(table["share"]) * 1.06 or 1.0), unit, percent, 0.01)
    for line in drawn:
        edges, dash = [*line.rows["start"], line.rows["end"][-1]], palette.shape(palette.LINES, line.style)
        for style in ({"fill": True, "alpha": 0.1}, {"linestyle": dash, "linewidth": 1.7}):
            ax.stairs(line.rows["share"], [edge - half for edge in edges], color=line.colour, **style)
        bars, subject = line.rows.filter(pl.col("share") > 0), formats.named(line.name, first(unit))
        tips = [_bar_tip(subject, row) for row in bars.iter_rows(named=True)]
        dots(ax, bars["x"], bars["share"], tips, "o", "none", 8)
    finish(ax, tall, ends)


def _bar_tip(subject: str, row: dict[str, Any]) -> str:
    several = row["end"] - row["start"] > 1
    values = number(row["start"]) + (f" to {number(row['end'])}" if several else "")
    return f"{subject} {values}: {formats.exact(row['share'])}"


def _fair_area(
    ax: Axes, table: pl.DataFrame, lines: Sequence[Line], label: str, unit: str, margin: float, aim: str
) -> tuple[float, list[End]]:
    """Draw the heading and the plot with a grey band about the fair share, which may vary along x."""
    fair = table.group_by("x").agg(pl.col("fair").mean()).sort("x")
    xs, shares, tall = fair["x"].to_list(), fair["fair"].to_list(), 200.0 if narrow(ax) else 290.0
    ends = f"{percent(shares[0] - margin).removesuffix(' %')} to {percent(shares[0] + margin)}"
    name = f"{aim}: {ends}" if margin and len(set(shares)) == 1 else aim
    labels = head(ax, unit, lines, tall, [End(name, xs[-1], shares[-1], hue("edge"), True)], "share")
    span = around([*_heights(table), min(shares) - margin, max(shares) + margin], 0.06)
    plot_area(ax, _across(table), span, label, percent, 0.01)
    low, high = ax.get_xlim()
    xs, shares = [low, *xs, high], [shares[0], *shares, shares[-1]]
    lower, upper = ([share + side for share in shares] for side in (-margin, margin))
    ax.fill_between(xs, lower, upper, color=hue("band"), linewidth=0, zorder=0.7)
    ax.plot(xs, shares, color=hue("edge"), linewidth=0.9, zorder=0.8)
    return tall, labels


def _across(table: pl.DataFrame) -> Span:
    return around(table["x"], room=0.025)


def _heights(table: pl.DataFrame) -> list[float]:
    """Return all values and ends of intervals."""
    return [value for name in ("low", "high", "share") for value in table[name].drop_nulls()]


def _ticks(ax: Axes, table: pl.DataFrame) -> None:
    """Put the names of the places along x, as many as there is room for."""
    named = table.filter(pl.col("tick") != "").unique("x").sort("x")
    each = max((wide(text) + 8 for text in named["tick"]), default=1.0)
    shown = named.gather_every(-(-int(named.height * each) // int(0.7 * width_of(ax))) or 1)
    ax.set_xticks(shown["x"].to_list(), shown["tick"].to_list())


def _baselines(table: pl.DataFrame, name: str) -> list[Mark]:
    """Return a mark at each x of the baseline, the first one with the name."""
    places = table.filter(pl.col("baseline"))["x"].unique().sort()
    return [Mark("" if place else name, x) for place, x in enumerate(places)]


def _picked(table: pl.DataFrame, recommended: Sequence[float]) -> list[Mark]:
    """Return a span around each run of adjacent recommended values, the first one with the name."""
    values = table["x"].unique().sort().to_list()
    half = min((b - a for a, b in pairwise(values)), default=1.0) / 2
    picked = [place for place, x in enumerate(values) if x in recommended]
    starts = [place for place in picked if place - 1 not in picked]
    ends = [place for place in picked if place + 1 not in picked]
    return [
        Mark("" if number else "recommended", values[start] - half, values[end] + half)
        for number, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]
