"""Settings that a search tried, by two measures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts import palette
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.formats import named
from simkit.reporting.charts.frame import End, Span, around, dots, finish, heading, narrow, plot_area, sample
from simkit.reporting.charts.palette import hue

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Wanted = tuple[float | None, float | None]  # ends of the wished range; None if open


@chart
def setting_dots(
    ax: Axes,
    table: pl.DataFrame,
    label: str,
    unit: str,
    wanted: tuple[Wanted, Wanted],
    forms: tuple[str, str],
) -> None:
    """Draw a dot at `x`, `y` for each row, in order: marker by `kind`, `name` (if any) at the right, `tip`.

    Intervals `x_low` to `x_high` and `y_low` to `y_high` are drawn where the table has them. The wished
    range `wanted` of x and of y is shaded; `forms` are the formats of x and of y.
    """
    kinds = palette.styles(table, "kind")
    heading(ax, unit, {kind: sample(style, line=False) for kind, style in kinds.items()})
    x, y = (_span(table, axis, ends) for axis, ends in zip("xy", wanted, strict=True))
    plot_area(ax, x, y, label, forms[1], forms[0])
    (left, right), (low, high) = (_within(ends, span) for ends, span in zip(wanted, (x, y), strict=True))
    if left < right and low < high:
        ground: dict[str, Any] = {"facecolor": hue("picked"), "edgecolor": hue("edge"), "linewidth": 0.8}
        ax.fill_between([left, right], low, high, zorder=0.5, **ground)
    for row in table.rows(named=True):
        measured = [axis for axis in "xy" if row.get(f"{axis}_low") is not None]
        intervals = {axis: (row[f"{axis}_low"], row[f"{axis}_high"]) for axis in measured}
        tip = named(row["name"] or "", row["tip"])
        dots(ax, row["x"], row["y"], [tip], kinds[row["kind"]], intervals=intervals)
    names = table.filter(pl.col("name").is_not_null()).rows(named=True)
    labels = [End(row["name"], row["x"], row["y"], palette.colour(kinds[row["kind"]])) for row in names]
    finish(ax, 220.0 if narrow(ax) else 300.0, labels)


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
