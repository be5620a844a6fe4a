"""Skill against luck: how fast the share of a player who errs falls."""

from typing import Any

import polars as pl
from matplotlib.axes import Axes

from simkit.charts import look
from simkit.charts.drawing import chart

APART = 0.062  # of the height of the axes: two labels at the ends of lines


@chart(lambda table: 3.6)
def skill_curve(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """Along x: `share` with its band, one line per `line`, named at its end; those `beside` are grey.

    The shares are parts of the fair one, which is the dashed line at 1.
    """
    ax.axhline(1, color=look.INK, linestyle=(0, (4, 3)), linewidth=1)
    for name, style in look.styles(table, "line").items():
        part = table.filter(pl.col("line") == name).sort("x")
        beside = part["beside"][0]
        colour = look.FAINT if beside else look.colour(style)
        how: dict[str, Any] = {"color": colour, "linewidth": 0.9 if beside else 2, "zorder": 2 - beside}
        if not beside:
            ax.fill_between(part["x"], part["low"], part["high"], color=colour, alpha=0.18, linewidth=0)
            how |= {"marker": look.shape(look.MARKERS, style), "markersize": 5}
        ax.plot(part["x"], part["share"], **how)
    ax.set_xlim(0, max(table["x"].to_list()))
    ax.set_ylim(0, max(1.05, *table["high"].to_list()))
    ax.set_xlabel(label)
    ax.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.0f} %")
    ax.grid(axis="y")
    look.percent_axis(ax, "y", unit)
    _names(ax, table)


def _names(ax: Axes, table: pl.DataFrame) -> None:
    """The name of each line at its end, moved up or down where two would touch."""
    ends = table.sort("x").group_by("line", maintain_order=True).last().sort("share")
    low, high = ax.get_ylim()
    last, places = -1.0, list[float]()
    for share in ends["share"]:
        last = max((share - low) / (high - low), last + APART)
        places.append(last)
    styles = look.styles(table, "line")
    for row, place in zip(ends.iter_rows(named=True), places, strict=True):
        colour = look.FAINT if row["beside"] else look.colour(styles[row["line"]])
        how: dict[str, Any] = {"color": look.INK if colour == look.COLOURS[1] else colour, "va": "center"}
        weight = "normal" if row["beside"] else "bold"
        text = look.wrapped(row["line"], 22)
        ax.annotate(text, (1.02, place), xycoords="axes fraction", fontsize=8, fontweight=weight, **how)
