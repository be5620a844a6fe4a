"""A row per label: intervals about a share, bars from zero, stacked bars, rankings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.drawing import HALO, chart
from simkit.reporting.charts.formats import axis_form, more_or_less, percent, written
from simkit.reporting.charts.frame import SMALL, around, band_sample, finish, heading, narrow, sample, wide, width_of
from simkit.reporting.charts.labels import Label, labels_of, rows_of
from simkit.reporting.charts.palette import hue
from simkit.reporting.charts.series import INTERVAL, dots as dots_at

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MORE, LESS, UNSURE = palette.colour(0), palette.colour(4), palette.colour(-2)


@chart
def forest(ax: Axes, table: pl.DataFrame, unit: str = "Share of games won", fair: str = "fair") -> None:
    """Draw each row with label, marker at `share` and interval `low` to `high`; `kind` sets the marker.

    The column `fair` is the reference line, labelled by the argument `fair`. Consecutive rows share a label.
    """
    kinds = palette.styles(table, "kind")
    heading(ax, unit, _key(kinds))
    span = around([*table["low"], *table["high"], *table["share"], *table["fair"]], 0.06, 0.03)
    rows = rows_of(ax, labels_of(table["label"].to_list()), span, percent, 0.01)
    steps = [(end, share) for y, share in zip(rows.middles, table["fair"]) for end in (y - 8.5, y + 8.5)]
    ax.plot([x for _, x in steps], [y for y, _ in steps], color=hue("ink"), linewidth=1, linestyle=(0, (4, 2.5)))
    _name_line(ax, fair, table["fair"][0])
    for y, row in zip(rows.middles, table.iter_rows(named=True), strict=True):
        subject = formats.named(row["label"], row["kind"] if len(kinds) > 1 else "")
        _interval(ax, y, row, kinds[row["kind"]], formats.tooltip(row, subject))
    finish(ax, rows.tall)


def _interval(ax: Axes, y: float, row: dict[str, Any], style: int, tip: str, value: str = "share") -> None:
    colour = palette.colour(style)
    if row["low"] is not None and row["high"] is not None:
        ax.hlines(y, row["low"], row["high"], color=colour, linewidth=1.8)
    if row[value] is not None:
        dots_at(ax, [row[value]], [y], [tip], palette.shape(palette.MARKERS, style), colour, 7)


def _key(kinds: dict[str, int]) -> dict[str, Any]:
    """Return samples of dots on their intervals, where there are several kinds."""
    if len(kinds) < 2:
        return {}
    from matplotlib.lines import Line2D

    return {
        kind: Line2D([], [], color=palette.colour(style), marker=palette.shape(palette.MARKERS, style))
        for kind, style in kinds.items()
    }


def _name_line(ax: Axes, name: str, x: float) -> None:
    """Write the name of a vertical line above the rows."""
    ax.annotate(
        name, (x, 1), (0, 2), xycoords=("data", "axes fraction"), textcoords="offset points",
        ha="center", va="bottom", color=hue("faint"), fontsize=SMALL,
    )  # fmt: skip


@chart
def bars(ax: Axes, table: pl.DataFrame, unit: str, form: str = "{:+.1f}") -> None:
    """Draw a bar from zero to `value` per `label`, with interval `low` to `high` where known, and its number.

    With a column `kind` the bars of a label stand under each other, one fill per kind.
    """
    kinds = palette.styles(table, "kind") if "kind" in table.columns else {"": 0}
    heading(ax, unit, {name: _fill_sample(style, 0) for name, style in kinds.items()} if len(kinds) > 1 else {})
    labels = table["label"].unique(maintain_order=True).to_list()
    ordered = pl.concat([table.filter(pl.col("label") == label) for label in labels])
    span = around([*table["value"], *table["low"], *table["high"], 0.0], 0.02 if "%" in form else 0.0)
    rows = rows_of(ax, labels_of(ordered["label"].to_list()), span, axis_form(form), 0.01 if "%" in form else 0)
    for y, row in zip(rows.middles, ordered.iter_rows(named=True), strict=True):
        kind, value = row.get("kind", ""), row["value"]
        tip = formats.tooltip(row, formats.named(row["label"], kind), "value", lambda x: written(x, form))
        if value is not None:
            _bar(ax, y, 11, 0, value, row.get("style", kinds[kind]), 0, tip)
        if None not in (value, row["low"], row["high"]):
            spread = [[value - row["low"]], [row["high"] - value]]
            ax.errorbar([value], [y], xerr=spread, fmt="none", ecolor=hue("ink"), elinewidth=1.4, capsize=3, capthick=1.4)
    _write_numbers(ax, rows.middles, [written(value, form) for value in ordered["value"]])
    ax.axvline(0, color=hue("ink"), linewidth=1)
    finish(ax, rows.tall)


def _write_numbers(ax: Axes, ys: Sequence[float], texts: Sequence[str], size: float = SMALL) -> None:
    """Write numbers at the right of the rows."""
    for y, text in zip(ys, texts, strict=True):
        places = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points"}
        ax.annotate(text, (1, y), (8 + max(map(wide, texts)), 0), ha="right", va="center", fontsize=size, **places)


def _bar(ax: Axes, y: float, tall: float, left: float, wide: float, style: int, tone: int, tip: str) -> None:
    """Draw a pale bar, so that an interval and the hatch stay visible."""
    from simkit.reporting.charts.svg import add_tips

    pale, hatched = _paints(style, tone)
    (bar,) = ax.barh([y], [wide], tall, left, **pale)
    add_tips([bar], [tip])
    if hatched["hatch"]:
        ax.barh([y], [wide], tall, left, **hatched)


def _paints(style: int, tone: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the properties of the pale ground and of the hatch of a bar."""
    from matplotlib.colors import to_rgba

    colour, strength = palette.colour(style), 0.6 * palette.TONES[tone % len(palette.TONES)]
    pale = {"facecolor": to_rgba(colour, strength), "edgecolor": colour, "linewidth": 0.8}
    hatch = palette.shape(palette.HATCHES, style)
    return pale, {"facecolor": "none", "edgecolor": hue("ink"), "linewidth": 0, "hatch": hatch}


def _fill_sample(style: int, tone: int) -> Any:
    from matplotlib.patches import Patch

    pale, hatched = _paints(style, tone)
    return (Patch(**pale), Patch(**hatched)) if hatched["hatch"] else Patch(**pale)


@chart
def stacked(ax: Axes, table: pl.DataFrame) -> None:
    """Draw a bar per `label`, divided into `part`s by share; a higher `tone` makes a part paler."""
    tones = dict(table.select("part", tone="tone" if "tone" in table.columns else pl.lit(0)).iter_rows())
    fills = {part: (style, tones[part]) for part, style in palette.styles(table, "part").items()}
    heading(ax, "Share of games", {part: _fill_sample(*fill) for part, fill in fills.items()})
    labels = table["label"].unique(maintain_order=True).to_list()
    rows = rows_of(ax, labels_of(labels), (0.0, 1.0), percent, 0.01, tall=24.0)
    finish(ax, rows.tall)
    room = ax.get_position().width * width_of(ax)
    for label, y in zip(labels, rows.middles, strict=True):
        shares, left = {row["part"]: row for row in table.filter(label=label).iter_rows(named=True)}, 0.0
        for part in (name for name in fills if name in shares):
            row, text = shares[part], percent(shares[part]["share"])
            _bar(ax, y, 16, left, row["share"], *fills[part], formats.tooltip(row, formats.named(label, part)))
            if wide(text, SMALL) + 6 < row["share"] * room:
                ax.text(left + row["share"] / 2, y, text, ha="center", va="center", fontsize=SMALL, gid=HALO)
            left += row["share"]


@chart
def dots(
    ax: Axes, table: pl.DataFrame, unit: str, margin: float = 0, aim: str = "fair", form: str = "{:.0%}"
) -> None:
    """Draw a ranking: `label`, its `note` in grey below, a dot at `value`, and its interval.

    Consecutive rows share a label, and their markers go by `kind`. `low` and `high` may be null; `fair`, the
    same in all rows, is a line labelled `aim` in a band of `margin` on both sides. Rows whose column
    `baseline` is true are bold; `style` determines colour and marker.
    """
    kinds = palette.styles(table, "kind") if "kind" in table.columns else {}
    heading(ax, unit, _key(kinds))
    fair, shares = table["fair"][0], "%" in form
    ends = [*table["low"], *table["high"], *table["value"], fair - margin, fair + margin]
    span = around(ends, 0.04 if shares else 0.0, 0.03)
    notes = {row["label"]: row for row in reversed(list(table.iter_rows(named=True)))}
    labels = [
        Label(run.text, run.rows, notes[run.text].get("note") or "", bool(notes[run.text].get("baseline")))
        for run in labels_of(table["label"].to_list())
    ]
    rows = rows_of(ax, labels, span, axis_form(form.replace("+", "")), 0.01 if shares else 0)
    if margin:
        ax.axvspan(fair - margin, fair + margin, color=hue("band"), linewidth=0, zorder=0.5)
    ax.axvline(fair, color=hue("edge"), linewidth=1)
    _name_line(ax, aim, fair)
    say = formats.exact if shares else formats.plain
    for y, row in zip(rows.middles, table.iter_rows(named=True), strict=True):
        tip = formats.tooltip(row, formats.named(row["label"], row["kind"] if len(kinds) > 1 else ""), "value", say)
        _interval(ax, y, row, kinds[row["kind"]] if kinds else row.get("style", 0), tip, "value")
    _write_numbers(ax, rows.middles, [written(value, form) for value in table["value"]], 9.5)
    finish(ax, rows.tall)


@chart
def ranked(ax: Axes, table: pl.DataFrame, unit: str, dot: str = "", other: str = "") -> None:
    """Draw a row per `label`: `value` with `low` to `high`, and `other` as a pale diamond; nulls are skipped.

    `dot` and `other` name the two marks. Rows are coloured where the column `sure` is true, else grey.
    """
    samples = {dot: sample(0), other: sample(3, line=False, colour=hue("edge"))}
    heading(ax, unit, {name: drawn for name, drawn in samples.items() if name})
    span = around([*table["low"], *table["high"], *table["value"], *table["other"], 0.0], 2.0)
    rows = rows_of(ax, labels_of(table["label"].to_list()), span, more_or_less, 1.0)
    ax.axvline(0, color=hue("ink"), linewidth=1)
    for y, row in zip(rows.middles, table.iter_rows(named=True), strict=True):
        if row["other"] is not None:
            dots_at(ax, [row["other"]], [y], [f"{row['label']}, {other}"], "D", hue("edge"), 5)
        if row["value"] is None:
            continue
        colour = UNSURE if not row["sure"] else MORE if row["value"] > 0 else LESS
        if row["low"] is not None:
            ax.hlines(y, row["low"], row["high"], color=colour, linewidth=1.8)
        dots_at(ax, [row["value"]], [y], [formats.tooltip(row, row["label"], "value", formats.plain)], "o", colour, 7)
    finish(ax, rows.tall)
