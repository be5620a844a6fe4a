"""Along x: shares with their band, scores by turn, how often each value comes."""

from collections.abc import Callable, Iterator
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from simkit.charts import look
from simkit.charts.drawing import chart

DASHED: dict[str, Any] = {"color": look.INK, "linestyle": (0, (4, 3)), "linewidth": 1}


def _high(inches: float) -> Callable[[pl.DataFrame], float]:
    return lambda table: inches + 0.1 * table["line"].n_unique()  # a line in the legend for each


@chart(_high(3.6))
def curve(
    ax: Axes,
    table: pl.DataFrame,
    label: str,
    unit: str = "Share of the first player",
    margin: float = 0,
    aim: str = "fair",
) -> None:
    """Along x: share with its interval band, one line per `line`; `fair` dashed, `baseline` marked.

    `tick` names each x; `margin`: how far from `fair` still is fair, drawn as a grey band behind; `aim`: the
    name of `fair`.
    """
    within = f"within {100 * margin:g} percentage point{'' if margin == 0.01 else 's'} of {aim}"
    grey: dict[str, Any] = {"color": "#E4E4E4", "linewidth": 0, "zorder": 0, "label": within}
    if table["fair"].n_unique() > 1:  # where nobody may win
        along = table.group_by("x").agg(pl.col("fair").mean()).sort("x")
        x, fair = along["x"].to_numpy(), along["fair"].to_numpy()
        ax.fill_between(x, fair - margin, fair + margin, **grey)
        _bands(ax, table)
        ax.plot(x, fair, label=aim, **DASHED)
    else:
        _level(ax, table, margin, aim, grey)
    _swept(ax, table, label)
    look.percent_axis(ax, "y", unit)
    look.legend_below(ax)


def _level(ax: Axes, table: pl.DataFrame, margin: float, aim: str, grey: dict[str, Any]) -> None:
    fair = table["fair"][0]
    if margin:
        ax.axhspan(fair - margin, fair + margin, **grey)
    _bands(ax, table)
    ax.axhline(fair, label=aim, **DASHED)


@chart(_high(3.2))
def trend(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """As `curve`, of a number (`share`) about zero."""
    _bands(ax, table)
    ax.axhline(0, **DASHED)
    _swept(ax, table, label)
    look.number_axis(ax, "y", unit)
    look.legend_below(ax)


def _swept(ax: Axes, table: pl.DataFrame, label: str) -> None:
    for x in table.filter(pl.col("baseline"))["x"].unique():
        ax.axvline(x, color=look.FAINT, linestyle=":", linewidth=1.2)
        look.above(ax, x, "baseline")
    ticks = table.unique("x").sort("x")
    ax.set_xticks(ticks["x"].to_list(), ticks["tick"].to_list())
    ax.set_xlabel(label)
    ax.grid(axis="y")


@chart(_high(3.0))
def lines(ax: Axes, table: pl.DataFrame, label: str, unit: str) -> None:
    """Along x: share with its interval band, one line per `line`; a column `fair`, if any, is dashed."""
    _bands(ax, table)
    if "fair" in table.columns:
        ax.axhline(table["fair"][0], label="fair", **DASHED)
    _whole_numbers(ax, label)
    look.percent_axis(ax, "y", unit)
    look.legend_below(ax)


@chart(_high(3.2))
def fan(ax: Axes, table: pl.DataFrame, label: str = "Turn", unit: str = "Score") -> None:
    """Along x: the median p50 per `line` in the band from p25 to p75; of up to two lines also p5 and p95."""
    outer = table["line"].n_unique() <= 2  # more of them could not be told apart
    for name, how, part in _parts(table):
        ax.fill_between(part["x"], part["p25"], part["p75"], color=how["color"], alpha=0.22, linewidth=0)
        for edge in ("p5", "p95") if outer else ():
            ax.plot(part["x"], part[edge], linewidth=0.7, **how | {"marker": ""})
        _line(ax, f"{name}: median", how, part, "p50")
    ax.fill_between([], [], [], color=look.FAINT, alpha=0.3, linewidth=0, label="middle half of games")
    if outer:
        ax.plot([], [], color=look.FAINT, linewidth=0.7, label="5 % and 95 % of games")
    _whole_numbers(ax, label)
    ax.set_ylabel(unit)
    look.legend_below(ax)


@chart(_high(3.0))
def histogram(ax: Axes, table: pl.DataFrame, unit: str) -> None:
    """Share of games by value (`low` to `high`), one outline per `line`."""
    for name, how, part in _parts(table, "low"):
        edges, looks = [*part["low"], part["high"][-1]], {key: how[key] for key in ("color", "linestyle")}
        ax.stairs(part["share"].to_list(), edges, label=name, linewidth=1.5, **looks)
    ax.set_ylim(bottom=0)
    _whole_numbers(ax, unit)
    look.percent_axis(ax, "y", "Share of games")
    look.legend_below(ax)


def _whole_numbers(ax: Axes, label: str) -> None:
    ax.set_xlabel(label)
    ax.margins(x=0.02)
    ax.xaxis.set_major_locator(MaxNLocator(9, steps=[1, 2, 5, 10], integer=True))
    ax.grid(axis="y")


def _bands(ax: Axes, table: pl.DataFrame) -> None:
    for name, how, part in _parts(table):
        ax.fill_between(part["x"], part["low"], part["high"], color=how["color"], alpha=0.18, linewidth=0)
        _line(ax, name, how, part, "share")


def _parts(table: pl.DataFrame, x: str = "x") -> Iterator[tuple[str, dict[str, Any], pl.DataFrame]]:
    """Each line, in the order in which they come: its name, its look, its rows."""
    for name, style in look.styles(table, "line").items():
        marker, line = look.shape(look.MARKERS, style), look.shape(look.LINES, style)
        how = {"color": look.colour(style), "marker": marker, "linestyle": line}
        yield name, how, table.filter(pl.col("line") == name).sort(x)


def _line(ax: Axes, name: str, how: dict[str, Any], part: pl.DataFrame, value: str) -> None:
    every = max(1, part.height // 12)  # about a dozen markers
    ax.plot(part["x"], part[value], label=name, markevery=every, markersize=5, linewidth=1.4, **how)
