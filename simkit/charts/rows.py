"""One row per label: intervals about a share, bars from zero, bars cut into parts."""

from itertools import pairwise
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba

from simkit.charts import look
from simkit.charts.drawing import chart


def _kinds(table: pl.DataFrame) -> int:
    return table["kind"].n_unique() if "kind" in table.columns else 1


def _room(table: pl.DataFrame) -> float:
    """Inches for the axis, further lines of labels, and a legend of several kinds."""
    kinds, lines = _kinds(table), sum(look.wrapped(label).count("\n") for label in table["label"].unique())
    return 1.0 + 0.13 * lines + (0.1 + 0.1 * kinds if kinds > 1 else 0.0)


@chart(lambda table: _room(table) + 0.27 * table.height)
def forest(ax: Axes, table: pl.DataFrame, unit: str = "Share of games won", fair: str = "fair") -> None:
    """One line per row from top to bottom: label, share, low, high; `kind` picks the marker.

    The column `fair` is the line to be near, and `fair` its name. A label is said once in a run of rows.
    """
    kinds = look.styles(table, "kind")
    dot: dict[str, Any] = {"markersize": 6, "markeredgecolor": "white", "markeredgewidth": 0.5}
    for place, row in enumerate(table.iter_rows(named=True)):
        how: dict[str, Any] = {"color": look.colour(kinds[row["kind"]])}
        ax.plot([row["low"], row["high"]], [place, place], linewidth=1.6, **how)
        ax.plot(row["share"], place, look.shape(look.MARKERS, kinds[row["kind"]]), **how, **dot)
    for place, share in enumerate(table["fair"]):
        ends = [place - 0.5, place + 0.5]
        ax.plot([share] * 2, ends, color=look.INK, linestyle="--", linewidth=1, zorder=1)
    look.above(ax, table["fair"][0], fair)
    labels = table["label"].to_list()
    _label_axis(ax, ["" if label == before else label for before, label in pairwise([None, *labels])])
    ax.grid(axis="x")
    look.percent_axis(ax, "x", unit)
    if len(kinds) > 1:
        for kind, style in kinds.items():
            ax.plot([], [], look.shape(look.MARKERS, style), color=look.colour(style), label=kind)
        look.legend_below(ax)


@chart(lambda table: 1.1 + 0.38 * table["label"].n_unique() + 0.12 * table["part"].n_unique())
def stacked(ax: Axes, table: pl.DataFrame) -> None:
    """One bar per `label`, cut into `part`s by share; `tone` (0, 1, …) makes parts of one style paler."""
    labels = table["label"].unique(maintain_order=True).to_list()
    left = dict.fromkeys(labels, 0.0)
    for part, style in look.styles(table, "part").items():
        rows = table.filter(pl.col("part") == part)
        shares = dict(rows.select("label", "share").iter_rows())
        places, starts = [labels.index(label) for label in shares], [left[label] for label in shares]
        tone = rows["tone"][0] if "tone" in rows.columns else 0
        ax.barh(places, list(shares.values()), left=starts, height=0.62, label=part, **_fill(style, tone))
        left |= {label: left[label] + share for label, share in shares.items()}
    _label_axis(ax, labels)
    ax.set_xlim(0, 1)
    look.percent_axis(ax, "x", "Share of games")
    look.legend_below(ax)


@chart(lambda table: _room(table) + table["label"].n_unique() * max(0.3, 0.21 * _kinds(table) + 0.08))
def bars(ax: Axes, table: pl.DataFrame, unit: str, form: str = "{:+.1f}") -> None:
    """A bar from zero to `value` per `label`, its interval `low` to `high` where known, its number beside it.

    Where there is a column `kind`, the bars of a label stand under each other, one fill per kind.
    """
    labels = table["label"].unique(maintain_order=True).to_list()
    kinds = look.styles(table, "kind") if "kind" in table.columns else {"": 0}
    thick, texts = 0.72 / len(kinds), [_signed(value, form) for value in table["value"]]
    how: dict[str, Any] = {"ha": "right", "va": "center", "fontsize": 8.5}
    for row, text in zip(table.iter_rows(named=True), texts, strict=True):
        kind, beside = row.get("kind", ""), 1.02 + 0.021 * max(map(len, texts))
        place = labels.index(row["label"]) + thick * (list(kinds).index(kind) - (len(kinds) - 1) / 2)
        _bar(ax, row, place, thick, row.get("style", kinds[kind]))
        ax.text(beside, place, text, transform=ax.get_yaxis_transform(), **how)
    ax.axvline(0, color=look.INK, linewidth=1)
    _label_axis(ax, labels)
    ax.grid(axis="x")
    (look.percent_axis if "%" in form else look.number_axis)(ax, "x", unit)
    if len(kinds) > 1:
        for kind, style in kinds.items():
            ax.barh(0, 0, label=kind, **_fill(style))
        look.legend_below(ax)


def _signed(value: float | None, form: str) -> str:
    return "–" if value is None else form.format(value).replace("%", " %").replace("-", "−")


def _bar(ax: Axes, row: dict[str, Any], place: float, thick: float, style: int) -> None:
    value, low, high = row["value"], row["low"], row["high"]
    if value is not None:
        ax.barh(place, value, height=0.86 * thick, **_fill(style))
    if None not in (value, low, high):
        whisker: dict[str, Any] = {"fmt": "none", "color": look.INK, "capsize": 3, "linewidth": 1.4}
        ax.errorbar((low + high) / 2, place, xerr=(high - low) / 2, **whisker)


def _fill(style: int, tone: int = 0) -> dict[str, Any]:
    """Pale, so that an interval and the hatch show before it."""
    ground = to_rgba(look.colour(style), 0.65 * look.TONES[tone % len(look.TONES)])
    hatch = look.shape(look.HATCHES, style)
    return {"facecolor": ground, "hatch": hatch, "edgecolor": look.INK, "linewidth": 0.6}


def _label_axis(ax: Axes, labels: list[str]) -> None:
    ax.set_yticks(range(len(labels)), [look.wrapped(label) for label in labels])
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
