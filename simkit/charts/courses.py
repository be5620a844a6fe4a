"""Along x: shares with their band, scores by turn, how often each value comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from simkit.charts.drawing import chart
from simkit.charts.look import (
    FAINT,
    INK,
    above,
    colour,
    legend_below,
    line,
    marker,
    number_axis,
    percent_axis,
    styles,
)

DASHED: dict[str, Any] = {"color": INK, "linestyle": (0, (4, 3)), "linewidth": 1}


def _high(inches: float) -> Callable[[pl.DataFrame], float]:
    """So many inches, and room in the legend for each line."""
    return lambda table: inches + 0.1 * table["line"].n_unique()


@chart(_high(3.6))
def curve(
    ax: Axes,
    table: pl.DataFrame,
    label: str,
    unit: str = "Share of the first seat",
    margin: float | None = None,
) -> None:
    """Along x: share with its interval band, one line per `line`; `fair` dashed; `tick` names each x, `baseline` marks it.

    `margin`: how far from `fair` still is fair, drawn as a grey band behind.
    """
    fair = table["fair"][0]
    if margin is not None:
        within = f"within {100 * margin:g} percentage point{'' if margin == 0.01 else 's'} of fair"
        ax.axhspan(fair - margin, fair + margin, color="#E4E4E4", linewidth=0, zorder=0, label=within)
    _bands(ax, table)
    ax.axhline(fair, label="fair", **DASHED)
    _swept(ax, table, label)
    percent_axis(ax, "y", unit)
    legend_below(ax)


@chart(_high(3.2))
def trend(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """As `curve`, of a number (`share`) about zero."""
    _bands(ax, table)
    ax.axhline(0, **DASHED)
    _swept(ax, table, label)
    number_axis(ax, "y", unit)
    legend_below(ax)


def _swept(ax: Axes, table: pl.DataFrame, label: str) -> None:
    """The x axis of a sweep, the baseline marked."""
    for x in table.filter(pl.col("baseline"))["x"].unique():
        ax.axvline(x, color=FAINT, linestyle=":", linewidth=1.2)
        above(ax, x, "baseline")
    ticks = table.unique("x").sort("x")
    ax.set_xticks(ticks["x"].to_list(), ticks["tick"].to_list())
    ax.set_xlabel(label)
    ax.grid(axis="y")


@chart(_high(3.0))
def lines(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """Along x: share with its interval band, one line per `line`; a column `fair`, where there is one, is dashed."""
    _bands(ax, table)
    if "fair" in table.columns:
        ax.axhline(table["fair"][0], label="fair", **DASHED)
    _whole_numbers(ax, label)
    percent_axis(ax, "y", unit)
    legend_below(ax)


@chart(_high(3.2))
def fan(ax: Axes, table: pl.DataFrame, label: str = "Turn", unit: str = "Score") -> None:
    """Along x: the median p50 per `line` in the band from p25 to p75; up to two lines also show p5 and p95, thin."""
    outer = table["line"].n_unique() <= 2  # more of them could not be told apart
    for style, name, part in _parts(table):
        ax.fill_between(part["x"], part["p25"], part["p75"], color=colour(style), alpha=0.22, linewidth=0)
        for edge in ("p5", "p95") if outer else ():
            ax.plot(part["x"], part[edge], color=colour(style), linestyle=line(style), linewidth=0.7)
        _line(ax, style, f"{name}: median", part, "p50")
    ax.fill_between([], [], [], color=FAINT, alpha=0.3, linewidth=0, label="middle half of games")
    if outer:
        ax.plot([], [], color=FAINT, linewidth=0.7, label="5 % and 95 % of games")
    _whole_numbers(ax, label)
    ax.set_ylabel(unit)
    legend_below(ax)


@chart(_high(3.0))
def histogram(ax: Axes, table: pl.DataFrame, unit: str) -> None:
    """Share of games by value (`low` to `high`), one outline per `line`."""
    for name, style in styles(table, "line").items():
        part = table.filter(pl.col("line") == name).sort("low")
        edges = [*part["low"], part["high"][-1]]
        look = {"color": colour(style), "linestyle": line(style), "linewidth": 1.5}
        ax.stairs(part["share"].to_list(), edges, label=name, **look)
    ax.set_ylim(bottom=0)
    _whole_numbers(ax, unit)
    percent_axis(ax, "y", "Share of games")
    legend_below(ax)


def _whole_numbers(ax: Axes, label: str) -> None:
    """The x axis of turns or percents."""
    ax.set_xlabel(label)
    ax.margins(x=0.02)
    ax.xaxis.set_major_locator(MaxNLocator(9, steps=[1, 2, 5, 10], integer=True))
    ax.grid(axis="y")


def _bands(ax: Axes, table: pl.DataFrame) -> None:
    """Share with its interval, one line per `line`."""
    for style, name, part in _parts(table):
        ax.fill_between(part["x"], part["low"], part["high"], color=colour(style), alpha=0.18, linewidth=0)
        _line(ax, style, name, part, "share")


def _parts(table: pl.DataFrame) -> Iterator[tuple[int, str, pl.DataFrame]]:
    """The rows of each line, in the order in which the lines come."""
    for name, style in styles(table, "line").items():
        yield style, name, table.filter(pl.col("line") == name).sort("x")


def _line(ax: Axes, style: int, name: str, part: pl.DataFrame, value: str) -> None:
    """A line with about a dozen markers."""
    look = {"color": colour(style), "marker": marker(style), "linestyle": line(style)}
    every = max(1, part.height // 12)
    ax.plot(part["x"], part[value], label=name, markevery=every, markersize=5, linewidth=1.4, **look)
