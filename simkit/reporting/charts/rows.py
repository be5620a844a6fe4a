"""A row per label: intervals about a share, bars from zero, stacked bars, rankings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.formats import axis_form, more_or_less, percent, written
from simkit.reporting.charts.frame import SIZE, SMALL, around, finish, heading, patch, sample, wide, width_of
from simkit.reporting.charts.labels import ROW, rows_of
from simkit.reporting.charts.palette import hue
from simkit.reporting.charts.series import dots as dots_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MORE, LESS, UNSURE = palette.colour(0), palette.colour(4), palette.colour(-2)


@chart
def forest(ax: Axes, table: pl.DataFrame, unit: str = "Share of games won", fair: str = "fair") -> None:
    """Draw each row with label, marker at `share` and interval `low` to `high`; `kind` sets the marker.

    The column `fair` is the reference line, labelled by the argument `fair`. Consecutive rows share a label.
    """
    ys = _intervals(ax, table, "share", unit, fair, "{:.0%}")
    finish(ax, ys[-1])


@chart
def dots(
    ax: Axes, table: pl.DataFrame, unit: str, margin: float = 0, aim: str = "fair", form: str = "{:.0%}"
) -> None:
    """Draw a ranking: `label`, its `note` in grey below, a dot at `value`, and its interval.

    Consecutive rows share a label, and their markers go by `kind`. `low` and `high` may be null; `fair`, the
    same in all rows, is a line labelled `aim` in a band of `margin` on both sides. Rows whose column
    `baseline` is true are bold; `style` determines colour and marker.
    """
    ys = _intervals(ax, table, "value", unit, aim, form, margin)
    _write_numbers(ax, ys, [written(value, form) for value in table["value"]], SIZE)
    finish(ax, ys[-1])


def _intervals(
    ax: Axes, table: pl.DataFrame, value: str, unit: str, aim: str, form: str, margin: float = 0
) -> list[float]:
    """Draw the rows of `forest` and `dots`; return their middles, and the height of all."""
    kinds = palette.styles(table, "kind") if "kind" in table.columns else {}
    heading(
        ax, unit, {kind: sample(style, solid=True) for kind, style in kinds.items()} if len(kinds) > 1 else {}
    )
    shares = "%" in form
    ends = [
        *table["low"],
        *table["high"],
        *table[value],
        *(table["fair"] - margin),
        *(table["fair"] + margin),
    ]
    ys = rows_of(
        ax, table, around(ends, 0.06 if shares else 0.0, 0.03), axis_form(form), 0.01 if shares else 0
    )
    ax.axvspan(
        table["fair"][0] - margin, table["fair"][0] + margin, color=hue("band"), linewidth=0, zorder=0.5
    )
    reach = [y - ROW / 2 for y in ys[:-1]], [y + ROW / 2 for y in ys[:-1]]
    ax.vlines(table["fair"], *reach, color=hue("ink"), linewidth=1, linestyle=(0, (4, 2.5)))
    ax.annotate(
        aim, (table["fair"][0], 1), (0, 2), xycoords=("data", "axes fraction"), textcoords="offset points",
        ha="center", color=hue("faint"), fontsize=SMALL,
    )  # fmt: skip
    for y, row in zip(ys, table.iter_rows(named=True), strict=False):
        style = kinds.get(row.get("kind", ""), row.get("style", 0))
        subject = formats.named(row["label"], row["kind"] if len(kinds) > 1 else "")
        tip = formats.tooltip(row, subject, value, formats.exact if shares else formats.plain)
        _interval(ax, y, row, value, palette.colour(style), palette.shape(palette.MARKERS, style), tip)
    return ys


def _interval(
    ax: Axes, y: float, row: dict[str, Any], value: str, colour: str, marker: str, tip: str
) -> None:
    """Draw a dot and its interval, as far as they are known."""
    if row["low"] is not None and row["high"] is not None:
        ax.hlines(y, row["low"], row["high"], color=colour, linewidth=1.8)
    if row[value] is not None:
        dots_at(ax, [row[value]], [y], [tip], marker, colour, 7)


@chart
def ranked(ax: Axes, table: pl.DataFrame, unit: str, dot: str = "", other: str = "") -> None:
    """Draw a row per `label`: `value` with `low` to `high`, and `other` as a pale diamond; nulls are skipped.

    `dot` and `other` name the two marks. Rows are coloured where the column `sure` is true, else grey.
    """
    samples = {dot: sample(0), other: sample(3, line=False, colour=hue("edge"))}
    heading(ax, unit, {name: drawn for name, drawn in samples.items() if name})
    span = around([*table["low"], *table["high"], *table["value"], *table["other"], 0.0], 2.0)
    ys = rows_of(ax, table, span, more_or_less, 1.0)
    ax.axvline(0, color=hue("ink"), linewidth=1)
    for y, row in zip(ys, table.iter_rows(named=True), strict=False):
        if row["other"] is not None:
            dots_at(ax, [row["other"]], [y], [f"{row['label']}, {other}"], "D", hue("edge"), 5)
        colour = UNSURE if not row["sure"] else MORE if row["value"] > 0 else LESS
        _interval(
            ax, y, row, "value", colour, "o", formats.tooltip(row, row["label"], "value", formats.plain)
        )
    finish(ax, ys[-1])


@chart
def bars(ax: Axes, table: pl.DataFrame, unit: str, form: str = "{:+.1f}") -> None:
    """Draw a bar from zero to `value` per `label`, with interval `low` to `high` where known, and its number.

    With a column `kind` the bars of a label stand under each other, one fill per kind.
    """
    kinds = palette.styles(table, "kind") if "kind" in table.columns else {"": 0}
    heading(ax, unit, {name: _fill_sample(style) for name, style in kinds.items()} if len(kinds) > 1 else {})
    labels = table["label"].unique(maintain_order=True)
    table = pl.concat([table.filter(label=label) for label in labels])
    least = 0.01 if "%" in form else 0.0
    ys = rows_of(
        ax,
        table,
        around([*table["value"], *table["low"], *table["high"], 0.0], least),
        axis_form(form),
        least,
    )
    for y, row in zip(ys, table.iter_rows(named=True), strict=False):
        kind, value = row.get("kind", ""), row["value"]
        if value is None:
            continue
        tip = formats.tooltip(row, formats.named(row["label"], kind), "value", lambda x: written(x, form))
        _bar(ax, y, 11, 0, value, row.get("style", kinds[kind]), 0, tip)
        if None not in (row["low"], row["high"]):
            ends = [[value - row["low"]], [row["high"] - value]]
            ax.errorbar(
                value, y, xerr=ends, fmt="none", ecolor=hue("ink"), elinewidth=1.4, capsize=3, capthick=1.4
            )
    _write_numbers(ax, ys, [written(value, form) for value in table["value"]], SMALL)
    ax.axvline(0, color=hue("ink"), linewidth=1)
    finish(ax, ys[-1])


@chart
def stacked(ax: Axes, table: pl.DataFrame) -> None:
    """Draw a bar per `label`, divided into `part`s by share; a higher `tone` makes a part paler."""
    table = table if "tone" in table.columns else table.with_columns(tone=pl.lit(0))
    styles, tones = palette.styles(table, "part"), dict(table.select("part", "tone").iter_rows())
    heading(ax, "Share of games", {part: _fill_sample(style, tones[part]) for part, style in styles.items()})
    labels = table.unique("label", maintain_order=True)
    ys = rows_of(ax, labels, (0.0, 1.0), percent, 0.01, tall=24.0)
    finish(ax, ys[-1])
    for label, y in zip(labels["label"], ys, strict=False):
        left, shares = 0.0, {row["part"]: row for row in table.filter(label=label).iter_rows(named=True)}
        for row in (shares[part] for part in styles if part in shares):
            part, share = row["part"], row["share"]
            _bar(ax, y, 16, left, share, styles[part], tones[part], formats.tooltip(row, f"{label}, {part}"))
            if wide(percent(share), SMALL) + 6 < share * ax.get_position().width * width_of(ax):
                ground = {"boxstyle": "round,pad=0.15", "facecolor": hue("paper"), "linewidth": 0}
                ax.text(
                    left + share / 2, y, percent(share), ha="center", va="center", fontsize=SMALL, bbox=ground
                )
            left += share


def _write_numbers(ax: Axes, ys: Sequence[float], texts: Sequence[str], size: float) -> None:
    """Write numbers at the right of the rows."""
    for y, text in zip(ys, texts, strict=False):
        ax.annotate(
            text, (1, y), (8 + max(map(wide, texts)), 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", ha="right", va="center", fontsize=size,
        )  # fmt: skip


def _bar(
    ax: Axes, y: float, tall: float, left: float, length: float, style: int, tone: int, tip: str
) -> None:
    """Draw a pale bar, so that an interval and the hatch stay visible."""
    from simkit.reporting.charts.svg import add_tips

    for paint, text in zip(_paints(style, tone), (tip, ""), strict=False):
        (bar,) = ax.barh(y, length, tall, left, **paint)
        add_tips(bar, [text])


def _paints(style: int, tone: int) -> list[dict[str, Any]]:
    """Return the properties of the pale ground and of the hatch of a bar, if it has one."""
    colour, hatch = palette.colour(style), palette.shape(palette.HATCHES, style)
    strength = 0.6 * palette.TONES[tone % len(palette.TONES)]
    pale = {"facecolor": (colour, strength), "edgecolor": colour, "linewidth": 0.8}
    lines = {"facecolor": "none", "edgecolor": hue("ink"), "linewidth": 0, "hatch": hatch}
    return [pale, lines] if hatch else [pale]


def _fill_sample(style: int, tone: int = 0) -> Any:
    return tuple(patch(paint.pop("facecolor"), None, **paint) for paint in _paints(style, tone))
