"""One row per label: intervals about a share, bars from zero, bars cut into parts."""

from __future__ import annotations

from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from simkit.charts.drawing import chart
from simkit.charts.look import (
    INK,
    TONES,
    above,
    colour,
    hatch,
    legend_below,
    marker,
    number_axis,
    percent_axis,
    styles,
    wrapped,
)


def _more_lines(labels: pl.Series) -> float:
    """Inches for the lines of labels beyond the first."""
    return 0.13 * sum(wrapped(label).count("\n") for label in labels.unique())


def _legend(kinds: int) -> float:
    return 0.1 + 0.1 * kinds if kinds > 1 else 0.0


@chart(lambda rows: 1.0 + 0.27 * rows.height + _more_lines(rows["label"]) + _legend(rows["kind"].n_unique()))
def forest(ax: Axes, table: pl.DataFrame, unit: str = "Share of games won", fair: str = "fair") -> None:
    """One line per row from top to bottom: label, share, low, high; `kind` picks the marker.

    The column `fair` is the line to be near, and `fair` its name. A label that comes again in the next row is said once.
    """
    kinds = styles(table, "kind")
    for place, row in enumerate(table.iter_rows(named=True)):
        style = kinds[row["kind"]]
        ax.plot([row["low"], row["high"]], [place, place], color=colour(style), linewidth=1.6)
        look: dict[str, Any] = {
            "color": colour(style),
            "markersize": 6,
            "markeredgecolor": "white",
            "markeredgewidth": 0.5,
        }
        ax.plot(row["share"], place, marker(style), **look)
    _fair_lines(ax, table["fair"].to_list(), fair)
    labels = table["label"].to_list()
    _label_axis(
        ax, [now if now != before else "" for now, before in zip(labels, [None, *labels], strict=False)]
    )
    percent_axis(ax, "x", unit)
    if len(kinds) > 1:
        for kind, style in kinds.items():
            ax.plot([], [], marker(style), color=colour(style), label=kind)
        legend_below(ax)


def _fair_lines(ax: Axes, fair: list[float], name: str) -> None:
    """The fair share of each row, joined where neighbours have the same."""
    for place, share in enumerate(fair):
        ax.plot([share, share], [place - 0.5, place + 0.5], color=INK, linestyle="--", linewidth=1, zorder=1)
    above(ax, fair[0], name)


@chart(lambda table: 1.1 + 0.38 * table["label"].n_unique() + 0.12 * table["part"].n_unique())
def stacked(ax: Axes, table: pl.DataFrame) -> None:
    """One bar per `label`, cut into `part`s by their share; a column `tone` (0, 1, …) makes parts of one style paler."""
    labels = table["label"].unique(maintain_order=True).to_list()
    left = dict.fromkeys(labels, 0.0)
    for part, style in styles(table, "part").items():
        rows = table.filter(pl.col("part") == part)
        shares = dict(rows.select("label", "share").iter_rows())
        places, starts = [labels.index(label) for label in shares], [left[label] for label in shares]
        tone = rows["tone"][0] if "tone" in rows.columns else 0
        ax.barh(places, list(shares.values()), left=starts, height=0.62, label=part, **_fill(style, tone))
        left |= {label: left[label] + share for label, share in shares.items()}
    _label_axis(ax, labels)
    ax.set_xlim(0, 1)
    percent_axis(ax, "x", "Share of games")
    ax.grid(False)
    legend_below(ax)


def _bars_height(table: pl.DataFrame) -> float:
    kinds = table["kind"].n_unique() if "kind" in table.columns else 1
    labels = table["label"].n_unique() * max(0.3, 0.21 * kinds + 0.08)
    return 0.95 + labels + _more_lines(table["label"]) + _legend(kinds)


@chart(_bars_height)
def bars(ax: Axes, table: pl.DataFrame, unit: str, form: str = "{:+.1f}") -> None:
    """A bar from zero to `value` per `label`, its interval `low` to `high` where known, its number beside it.

    Where there is a column `kind`, the bars of a label stand under each other, one fill per kind.
    """
    labels = table["label"].unique(maintain_order=True).to_list()
    kinds = styles(table, "kind") if "kind" in table.columns else {"": 0}
    thick = 0.72 / len(kinds)
    texts = [_signed(value, form) for value in table["value"]]
    beside = 1.02 + 0.021 * max(map(len, texts))
    how: dict[str, Any] = {
        "transform": ax.get_yaxis_transform(),
        "ha": "right",
        "va": "center",
        "fontsize": 8.5,
    }
    for row, text in zip(table.iter_rows(named=True), texts, strict=True):
        kind = row.get("kind", "")
        place = labels.index(row["label"]) + thick * (list(kinds).index(kind) - (len(kinds) - 1) / 2)
        _bar(ax, row, place, thick, row.get("style", kinds[kind]))
        ax.text(beside, place, text, **how)
    ax.axvline(0, color=INK, linewidth=1)
    _label_axis(ax, labels)
    (percent_axis if "%" in form else number_axis)(ax, "x", unit)
    if len(kinds) > 1:
        for kind, style in kinds.items():
            ax.barh(0, 0, label=kind, **_fill(style))
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
        whisker: dict[str, Any] = {"fmt": "none", "color": INK, "capsize": 3, "linewidth": 1.4}
        ax.errorbar((low + high) / 2, place, xerr=(high - low) / 2, **whisker)


def _fill(style: int, tone: int = 0) -> dict[str, Any]:
    """Pale, so that an interval and the hatch show before it."""
    ground = to_rgba(colour(style), 0.65 * TONES[tone % len(TONES)])
    return {"facecolor": ground, "hatch": hatch(style), "edgecolor": INK, "linewidth": 0.6}


def _label_axis(ax: Axes, labels: list[str]) -> None:
    """One line per label, from the top."""
    ax.set_yticks(range(len(labels)), [wrapped(label) for label in labels])
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
