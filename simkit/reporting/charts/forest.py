"""Dots with their intervals: a row per label about a fair share or zero, or settings by two measures."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts import frame, palette
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.formats import SHARE, named, tooltip, with_interval
from simkit.reporting.charts.frame import End, Span
from simkit.reporting.charts.palette import hue
from simkit.reporting.document.tables import written

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, GAP = 14.0, 5.0  # height of a row and distance of labels, in points
Wanted = tuple[float | None, float | None]  # ends of the wished range; None if open


@chart
def forest(
    ax: Axes,
    table: pl.DataFrame,
    unit: str = "Share of games won",
    form: str = SHARE,
    aim: str = "fair",
    margin: float = 0,
) -> None:
    """Draw each row with its label, a marker at `value`, interval `low` to `high`, and the numbers.

    Rows of one label stand together; `kind` sets the marker. The column `fair` is a line labelled `aim` in a
    grey band of `margin` on both sides; without `aim`, and for numbers with a sign, the line is at zero.
    """
    kinds = palette.styles(table, "kind") if "kind" in table.columns else {}
    key = {kind: frame.sample(style, line=False) for kind, style in kinds.items()} if len(kinds) > 1 else {}
    frame.heading(ax, unit, key)
    aimed = aim and "+" not in form and "fair" in table.columns
    fair = pl.col("fair") if aimed else pl.lit(0.0)
    table = table.with_columns(pl.coalesce(end, "value").alias(end) for end in ("low", "high"))
    table = pl.concat(table.with_columns(fair=fair).partition_by("label", maintain_order=True))
    values = [*table["low"], *table["high"], *table["value"]]
    values += [share + side for side in (-margin, margin) for share in table["fair"]]
    frame.numbers(ax, "x", frame.around(values, 0.06 if "%" in form else 0.0, 0.04), form)
    ys, tall = _place_rows(ax, table["label"].to_list())
    ax.barh(ys, 2 * margin, ROW + GAP, table["fair"] - margin, color=hue("band"), zorder=0.5)
    reach = [y - ROW / 2 for y in ys], [y + ROW / 2 for y in ys]
    ax.vlines(table["fair"], *reach, color=hue("ink"), linewidth=1, linestyle=(0, (4, 2.5)))
    if aimed and table["fair"].n_unique() == 1:
        ax.annotate(
            aim, (table["fair"][0], 1), (0, 2), xycoords=("data", "axes fraction"),
            textcoords="offset points", ha="center", color=hue("faint"),
        )  # fmt: skip
    for y, row in zip(ys, table.iter_rows(named=True), strict=True):
        kind = row.get("kind") or ""
        tip = tooltip(row, named(row["label"].split("\n")[0], kind if len(kinds) > 1 else ""), form)
        if row["value"] is not None:
            style, interval = row.get("style", kinds.get(kind, 0)), (row["low"], row["high"])
            frame.dots(ax, row["value"], y, [tip], style, intervals={"x": interval})
    _write_numbers(ax, ys, table, form)
    frame.finish(ax, tall)


def _place_rows(ax: Axes, labels: list[str]) -> tuple[list[float], float]:
    """Write the labels; return the middle of each row from the top and the height of all, in points."""
    room, top = frame.width_of(ax) * (0.38 if frame.narrow(ax) else 0.36), GAP / 2
    ys, middles, texts = list[float](), list[float](), list[str]()
    for label, rows in groupby(labels):
        text, count = frame.wrapped(label, room), len(list(rows))
        block = max(ROW * count, frame.high(text)) + GAP
        ys += [top + block / 2 + ROW * (place - (count - 1) / 2) for place in range(count)]
        middles.append(top + block / 2)
        texts.append(text)
        top += block
    ax.set_ylim(top, 0)
    ax.set_yticks(middles, texts, color=hue("ink"), multialignment="left")
    ax.grid(visible=False, axis="y")
    return ys, top


def _write_numbers(ax: Axes, ys: list[float], table: pl.DataFrame, form: str) -> None:
    """Write the numbers at the right of the rows, on a desk with their intervals."""
    rows = table.rows(named=True)
    texts = [written(row["value"], form) if frame.narrow(ax) else with_interval(row, form) for row in rows]
    for y, text in zip(ys, texts, strict=True):
        ax.annotate(
            text, (1, y), (8 + max(map(frame.wide, texts)), 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", ha="right", va="center",
        )  # fmt: skip


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
    frame.heading(ax, unit, {kind: frame.sample(style, line=False) for kind, style in kinds.items()})
    x, y = (_span(table, axis, ends) for axis, ends in zip("xy", wanted, strict=True))
    frame.plot_area(ax, x, y, label, forms[1], forms[0])
    (left, right), (low, high) = (_within(ends, span) for ends, span in zip(wanted, (x, y), strict=True))
    if left < right and low < high:
        ground: dict[str, Any] = {"facecolor": hue("picked"), "edgecolor": hue("edge"), "linewidth": 0.8}
        ax.fill_between([left, right], low, high, zorder=0.5, **ground)
    for row in table.rows(named=True):
        measured = [axis for axis in "xy" if row.get(f"{axis}_low") is not None]
        intervals = {axis: (row[f"{axis}_low"], row[f"{axis}_high"]) for axis in measured}
        tip = named(row["name"] or "", row["tip"])
        frame.dots(ax, row["x"], row["y"], [tip], kinds[row["kind"]], intervals=intervals)
    names = table.filter(pl.col("name").is_not_null()).rows(named=True)
    labels = [End(row["name"], row["x"], row["y"], palette.colour(kinds[row["kind"]])) for row in names]
    frame.finish(ax, 220.0 if frame.narrow(ax) else 300.0, labels)


def _span(table: pl.DataFrame, axis: str, wanted: Wanted) -> Span:
    """Return the span of an axis: all points, and those ends of the wished range that are near them."""
    columns = [name for name in (axis, f"{axis}_low", f"{axis}_high") if name in table.columns]
    low, high = frame.around([value for name in columns for value in table[name].drop_nulls()], room=0.0)
    near = [end for end in wanted if end is not None and 2 * low - high <= end <= 2 * high - low]
    return frame.around([low, high, *near], room=0.06)


def _within(wanted: Wanted, span: Span) -> Span:
    """Return the part of a wished range within a span."""
    low, high = (limit if end is None else end for end, limit in zip(wanted, span, strict=True))
    return max(low, span[0]), min(high, span[1])
