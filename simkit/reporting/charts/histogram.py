"""Distributions: how often each value occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.formats import number, percent
from simkit.reporting.charts.frame import finish, heading, narrow, plot_area, sample, whole_numbers
from simkit.reporting.charts.series import dots, first, lines_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@chart
def histogram(ax: Axes, table: pl.DataFrame, unit: str) -> None:
    """Draw the share of games by value (`low` to `high`), an outline per `line`."""
    drawn = list(lines_of(table, "low"))
    several = len(drawn) > 1
    heading(ax, "Share of games", {line.name: sample(line.style, dot=False) for line in drawn} if several else {})
    # Bars of one value are labelled at their middle.
    half = 0.5 if (table["high"] - table["low"]).max() == 1 else 0.0
    span = min(table["low"]) - half, max(table["high"]) - half
    plot_area(ax, span, (0, max(table["share"]) * 1.06 or 1.0), unit, percent, 0.01)
    whole_numbers(ax)
    for line in drawn:
        edges = [*(low - half for low in line.rows["low"]), line.rows["high"][-1] - half]
        ax.stairs(line.rows["share"], edges, fill=True, color=line.colour, alpha=0.1)
        dash = palette.shape(palette.LINES, line.style)
        ax.stairs(line.rows["share"], edges, color=line.colour, linestyle=dash, linewidth=1.7)
        rows = line.rows.rows(named=True)
        middles = [(row["low"] + row["high"]) / 2 - half for row in rows]
        dots(ax, middles, line.rows["share"].to_list(), [_tip(line.name, unit, row) for row in rows], "o", "none", 8)
    finish(ax, 160.0 if narrow(ax) else 220.0)


def _tip(name: str, unit: str, row: dict[str, Any]) -> str:
    low, high = number(row["low"]), number(row["high"])
    span = low if row["high"] - row["low"] <= 1 else f"{low} to {high}"
    return f"{formats.named(name, f'{first(unit)} {span}')}: {formats.exact(row['share'])}"
