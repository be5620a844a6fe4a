"""What searches tried: gains in the order of the trials, and settings by two measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.drawing import HALO, chart
from simkit.reporting.charts.formats import more_or_less, number, percent
from simkit.reporting.charts.frame import (
    SMALL,
    Span,
    around,
    finish,
    heading,
    narrow,
    numbers,
    plot_area,
    sample,
    whole_numbers,
)
from simkit.reporting.charts.palette import hue
from simkit.reporting.charts.series import dots, zero

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MEASURED, DROPPED, BEST = "on all deals", "dropped early", "best so far"
Wanted = tuple[float | None, float | None]  # ends of the wished range; None if open


@chart
def gains(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """Draw `share` with `low` to `high` at each `x`, `dropped` ones in grey, and the steps of `best`."""
    kinds = {MEASURED: sample(0, line=False), DROPPED: sample(1, line=False, colour=hue("edge"))}
    heading(ax, unit, kinds | {BEST: sample(0, dot=False, colour=palette.colour(1))})
    span = around([*table["low"], *table["high"], 0.0])
    plot_area(ax, around(table["x"], room=0.03), span, label, more_or_less)
    whole_numbers(ax)
    zero(ax)
    ax.step(table["x"], table["best"], where="post", color=palette.colour(1))
    for row in table.rows(named=True):
        kind = kinds[DROPPED if row["dropped"] else MEASURED]
        ax.vlines(row["x"], row["low"], row["high"], color=kind.get_color(), linewidth=1.2)
        tip = formats.tooltip(row, row["subject"], form=lambda gain: more_or_less(round(gain, 1)))
        dots(ax, [row["x"]], [row["share"]], [tip], kind.get_marker(), kind.get_color(), 7)
    finish(ax, 200.0 if narrow(ax) else 270.0)


@chart
def setting_dots(
    ax: Axes,
    table: pl.DataFrame,
    label: str,
    unit: str,
    wanted_x: Wanted = (None, None),
    wanted_y: Wanted = (None, None),
    shares: tuple[bool, bool] = (False, False),
) -> None:
    """Draw a dot at `x`, `y` for each row, in order: marker by `kind`, `name` (if any) beside it, `tip`.

    Intervals `x_low` to `x_high` and `y_low` to `y_high` are drawn where the table has them. The wished range
    of each axis is shaded; `shares`: whether x and y are fractions, shown in percent.
    """
    kinds, tall = palette.styles(table, "kind"), 220.0 if narrow(ax) else 300.0
    heading(ax, unit, {kind: sample(style, line=False) for kind, style in kinds.items()})
    (say_x, say_y), (least_x, least_y) = zip(*((percent, 0.01) if share else (number, 0.0) for share in shares), strict=True)
    x, y = _span(table, "x", wanted_x), _span(table, "y", wanted_y)
    plot_area(ax, x, y, label, say_y, least_y)
    numbers(ax.xaxis, x, 4 if narrow(ax) else 7, say_x, least_x)
    _shade(ax, wanted_x, wanted_y)
    for row in table.rows(named=True):
        colour = palette.colour(kinds[row["kind"]])
        if row.get("x_low") is not None:
            ax.hlines(row["y"], row["x_low"], row["x_high"], color=colour, linewidth=1)
        if row.get("y_low") is not None:
            ax.vlines(row["x"], row["y_low"], row["y_high"], color=colour, linewidth=1)
        marker = palette.shape(palette.MARKERS, kinds[row["kind"]])
        dots(ax, [row["x"]], [row["y"]], [formats.named(row["name"] or "", row["tip"])], marker, colour, 7)
    finish(ax, tall)
    _write_names(ax, table.filter(pl.col("name").is_not_null()))


def _span(table: pl.DataFrame, axis: str, wanted: Wanted) -> Span:
    """Return the span of an axis: all points, and those ends of the wished range that are near them."""
    ends = [name for name in (axis, f"{axis}_low", f"{axis}_high") if name in table.columns]
    values = [value for name in ends for value in table[name].drop_nulls()]
    low, high = around(values, room=0.0)
    near = [end for end in wanted if end is not None and low - (high - low) <= end <= high + (high - low)]
    return around([*values, *near], room=0.06)


def _shade(ax: Axes, wanted_x: Wanted, wanted_y: Wanted) -> None:
    """Shade the area in which both wishes are met."""
    left, right = _within(wanted_x, ax.get_xlim())
    low, high = _within(wanted_y, ax.get_ylim())
    if left < right and low < high:
        style = {"facecolor": hue("picked"), "edgecolor": hue("edge"), "linewidth": 0.8, "zorder": 0.5}
        ax.fill_between([left, right], low, high, **style)


def _within(wanted: Wanted, span: Span) -> Span:
    """Return the part of a wished range within a span."""
    low, high = (limit if end is None else end for end, limit in zip(wanted, span, strict=True))
    return max(low, span[0]), min(high, span[1])


def _write_names(ax: Axes, table: pl.DataFrame) -> None:
    """Write names beside dots, where they cover neither another name nor, if possible, another dot."""
    places = [(7, 0), (-7, 0), (0, 7), (0, -7), (7, 7), (-7, 7), (7, -7), (-7, -7)]
    points = ax.transData.transform([(row["x"], row["y"]) for row in table.rows(named=True)])
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    frame = ax.get_window_extent()
    for row, (x, y) in zip(table.rows(named=True), points, strict=True):
        boxes = {place: _box(x + place[0], y + place[1], row["name"], place) for place in places}
        inside = [
            place for place, box in boxes.items() if frame.x0 <= box[0] and box[2] <= frame.x1
        ]
        dx, dy = min(inside or places, key=lambda place: sum(_overlap(boxes[place], box) for box in taken))
        taken.append(boxes[dx, dy])
        ax.annotate(
            row["name"], (row["x"], row["y"]), (dx, dy), textcoords="offset points", fontsize=SMALL, gid=HALO,
            ha={1: "left", 0: "center", -1: "right"}[(dx > 0) - (dx < 0)],
            va={1: "bottom", 0: "center", -1: "top"}[(dy > 0) - (dy < 0)],
        )  # fmt: skip


Box = tuple[float, float, float, float]


def _box(x: float, y: float, text: str, side: Sequence[int]) -> Box:
    """Return the box of a text at a point, on a side of it."""
    room, tall = 0.6 * SMALL * len(text), SMALL
    left = x - room * (1 - ((side[0] > 0) - (side[0] < 0))) / 2
    low = y - tall * (1 - ((side[1] > 0) - (side[1] < 0))) / 2
    return left, low, left + room, low + tall


def _overlap(first: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    sides = [min(first[end + 2], other[end + 2]) - max(first[end], other[end]) for end in (0, 1)]
    return max(0.0, sides[0]) * max(0.0, sides[1])
