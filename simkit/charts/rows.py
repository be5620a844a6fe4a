"""One row per label: intervals about a share, bars from zero, bars cut into parts."""

from __future__ import annotations

from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.ticker import MaxNLocator

from simkit.charts.look import (
    INK,
    TONES,
    above,
    colour,
    hatch,
    legend_below,
    marker,
    percent_axis,
    styles,
    wrapped,
)


def forest(ax: Axes, table: pl.DataFrame, unit: str = "Share of games won", fair: str = "fair") -> None:
    """One line per row from top to bottom: label, share, low, high; `kind` picks the marker, `fair` the line to be near and its name."""
    kinds = styles(table, "kind")
    for place, row in enumerate(table.iter_rows(named=True)):
        style = kinds[row["kind"]]
        ax.plot([row["low"], row["high"]], [place, place], color=colour(style), linewidth=1.6)
        ax.plot(
            row["share"],
            place,
            marker(style),
            color=colour(style),
            markersize=6,
            markeredgecolor="white",
            markeredgewidth=0.5,
        )
    _fair_lines(ax, table, fair)
    for kind, style in kinds.items() if len(kinds) > 1 else []:
        ax.plot([], [], marker(style), color=colour(style), label=kind)
    _label_axis(ax, table["label"].to_list())
    ax.grid(axis="x")
    percent_axis(ax, "x", unit)
    if len(kinds) > 1:
        legend_below(ax)


def _fair_lines(ax: Axes, table: pl.DataFrame, name: str) -> None:
    """The fair share of each row, joined where neighbours have the same."""
    for place, fair in enumerate(table["fair"]):
        ax.plot([fair, fair], [place - 0.5, place + 0.5], color=INK, linestyle="--", linewidth=1, zorder=1)
    above(ax, table["fair"][0], name)


def stacked(ax: Axes, table: pl.DataFrame) -> None:
    """One bar per `label`, cut into `part`s by their share; a column `tone` (0, 1, …) makes parts of one style paler."""
    labels, parts = table["label"].unique(maintain_order=True).to_list(), styles(table, "part")
    left = dict.fromkeys(labels, 0.0)
    for part, style in parts.items():
        rows = table.filter(pl.col("part") == part)
        places = [labels.index(label) for label in rows["label"]]
        shares = rows["share"].to_list()
        starts = [left[label] for label in rows["label"]]
        tone = rows["tone"][0] if "tone" in rows.columns else 0
        ax.barh(places, shares, left=starts, height=0.62, label=part, **_fill(style, tone))
        left |= {
            label: start + share for label, start, share in zip(rows["label"], starts, shares, strict=True)
        }
    _label_axis(ax, labels)
    ax.set_xlim(0, 1)
    percent_axis(ax, "x", "Share of games")
    legend_below(ax)


def bars(ax: Axes, table: pl.DataFrame, unit: str, form: str = "{:+.1f}") -> None:
    """A bar from zero to `value` per `label`, its interval `low` to `high` where known, its number beside it.

    Where there is a column `kind`, the bars of a label stand under each other, one fill per kind.
    """
    labels = table["label"].unique(maintain_order=True).to_list()
    kinds = styles(table, "kind") if "kind" in table.columns else {"": 0}
    order = list(kinds)
    thick = 0.72 / len(kinds)
    texts = [_signed(value, form) for value in table["value"]]
    for row, text in zip(table.iter_rows(named=True), texts, strict=True):
        style = row.get("style", kinds[row.get("kind", "")])
        place = labels.index(row["label"]) + thick * (order.index(row.get("kind", "")) - (len(kinds) - 1) / 2)
        _bar(ax, row, place, thick, style)
        beside = 1.02 + 0.021 * max(map(len, texts))
        ax.text(
            beside, place, text, transform=ax.get_yaxis_transform(), ha="right", va="center", fontsize=8.5
        )
    for kind, style in kinds.items() if len(kinds) > 1 else []:
        ax.barh(0, 0, label=kind, **_fill(style))
    ax.axvline(0, color=INK, linewidth=1)
    _label_axis(ax, labels)
    ax.grid(axis="x")
    _number_axis(ax, unit, form)
    if len(kinds) > 1:
        legend_below(ax)


def _signed(value: float | None, form: str) -> str:
    return "–" if value is None else form.format(value).replace("%", " %").replace("-", "−")


def _bar(ax: Axes, row: dict[str, Any], place: float, thick: float, style: int) -> None:
    """One bar with its interval, as far as they are known."""
    value, low, high = row["value"], row["low"], row["high"]
    if value is None:
        return
    ax.barh(place, value, height=0.86 * thick, **_fill(style))
    if low is not None and high is not None:
        ax.errorbar(
            (low + high) / 2, place, xerr=(high - low) / 2, fmt="none", color=INK, capsize=3, linewidth=1.4
        )


def _fill(style: int, tone: int = 0) -> dict[str, Any]:
    """Pale, so that an interval and the hatch show before it."""
    ground = to_rgba(colour(style), 0.65 * TONES[tone % len(TONES)])
    return {"facecolor": ground, "hatch": hatch(style), "edgecolor": INK, "linewidth": 0.6}


def _label_axis(ax: Axes, labels: list[str]) -> None:
    """One line per label, from the top."""
    ax.set_yticks(range(len(labels)), [wrapped(label) for label in labels])
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)


def _number_axis(ax: Axes, unit: str, form: str) -> None:
    if "%" in form:
        percent_axis(ax, "x", unit)
    else:
        ax.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
        ax.set_xlabel(wrapped(unit, 40))
