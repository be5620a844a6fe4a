"""What searches tried: gains in the order of the trials, and settings by two measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.formats import more_or_less, number, percent
from simkit.reporting.charts.frame import End, Span, around, finish, heading, narrow, plot_area, sample
from simkit.reporting.charts.palette import hue
from simkit.reporting.charts.series import dots

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
    ax.axhline(0, color=hue("ink"), linewidth=0.9)
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
    """Draw a dot at `x`, `y` for each row, in order: marker by `kind`, `name` (if any) at the right, `tip`.

    Intervals `x_low` to `x_high` and `y_low` to `y_high` are drawn where the table has them. The wished range
    of each axis is shaded; `shares`: whether x and y are fractions, shown in percent.
    """
    kinds = palette.styles(table, "kind")
    heading(ax, unit, {kind: sample(style, line=False) for kind, style in kinds.items()})
    x, y = _span(table, "x", wanted_x), _span(table, "y", wanted_y)
    (say_x, least_x), (say_y, least_y) = ((percent, 0.01) if share else (number, 0.0) for share in shares)
    plot_area(ax, x, y, label, say_y, least_y, say_x, least_x)
    (left, right), (low, high) = _within(wanted_x, x), _within(wanted_y, y)
    if left < right and low < high:
        ground: dict[str, Any] = {"facecolor": hue("picked"), "edgecolor": hue("edge"), "linewidth": 0.8}
        ax.fill_between([left, right], low, high, zorder=0.5, **ground)
    for row in table.rows(named=True):
        colour = palette.colour(kinds[row["kind"]])
        if row.get("x_low") is not None:
            ax.hlines(row["y"], row["x_low"], row["x_high"], color=colour, linewidth=1)
        if row.get("y_low") is not None:
            ax.vlines(row["x"], row["y_low"], row["y_high"], color=colour, linewidth=1)
        marker = palette.shape(palette.MARKERS, kinds[row["kind"]])
        dots(ax, [row["x"]], [row["y"]], [formats.named(row["name"] or "", row["tip"])], marker, colour, 7)
    named = table.filter(pl.col("name").is_not_null()).rows(named=True)
    ends = [End(row["name"], row["x"], row["y"], palette.colour(kinds[row["kind"]])) for row in named]
    finish(ax, 220.0 if narrow(ax) else 300.0, ends)


def _span(table: pl.DataFrame, axis: str, wanted: Wanted) -> Span:
    """Return the span of an axis: all points, and those ends of the wished range that are near them."""
    columns = [name for name in (axis, f"{axis}_low", f"{axis}_high") if name in table.columns]
    low, high = around([value for name in columns for value in table[name].drop_nulls()], room=0.0)
    near = [end for end in wanted if end is not None and 2 * low - high <= end <= 2 * high - low]
    return around([low, high, *near], room=0.06)


def _within(wanted: Wanted, span: Span) -> Span:
    """Return the part of a wished range within a span."""
    low, high = (limit if end is None else end for end, limit in zip(wanted, span, strict=True))
    return max(low, span[0]), min(high, span[1])
