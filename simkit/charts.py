"""A table onto an Axes; computes nothing. Every chart reads without colour: markers, line styles, hatches and numbers tell the same.

Each function below takes an Axes and a table whose columns it names; `picture` makes the drawing of it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, PercentFormatter

# Okabe & Ito 2008, "Color Universal Design": told apart by colour-blind readers; ordered so that neighbours differ in grey
COLOURS = ["#0072B2", "#E69F00", "#000000", "#56B4E9", "#D55E00", "#009E73", "#CC79A7"]
FILLS = ["#0072B2", "#F0E442", "#56B4E9", "#D55E00", "#CCCCCC", "#009E73", "#CC79A7", "#E69F00"]
HATCHES = ["", "", "///", "", "...", "\\\\\\", "xx", "--"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
LINES: list[Any] = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1))]
INK, FAINT = "#222222", "#666666"
BLUES = LinearSegmentedColormap.from_list("share", ["#FFFFFF", "#7FB9DA", "#0072B2", "#00304D"])
WIDTH = 5.2  # inches: about a phone's width at the size of body text

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib; text is drawn as outlines, so that it looks the same everywhere and offline
    "font.size": 9,
    "svg.fonttype": "path",
    "text.parse_math": False,  # a name with $ in it is a name
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": "#DDDDDD",
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "hatch.linewidth": 0.6,
}


def picture(name: str, draw: Callable[..., None], table: pl.DataFrame, height: float = 3.0, **how: Any) -> str:
    """A table drawn by one of the functions below, as SVG text; the same table gives the same text."""
    with mpl.rc_context(STYLE | {"svg.hashsalt": name}):
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.add_subplot(), table, **how)
        return _svg(figure, name)


def _svg(figure: Figure, name: str) -> str:
    """The figure as an element to put into a page: no header, links or comments, and ids of its own."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = re.sub(r"<!--.*?-->", "", buffer.getvalue(), flags=re.DOTALL)
    text = text[text.index("<svg") :].strip()
    text = re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1">', text, count=1)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)


def forest(ax: Axes, table: pl.DataFrame, unit: str = "Share of games won") -> None:
    """One line per row from top to bottom: label, share, low, high; `kind` picks the marker, `fair` the line to be near."""
    kinds = table["kind"].unique(maintain_order=True).to_list()
    for place, row in enumerate(table.iter_rows(named=True)):
        style = kinds.index(row["kind"])
        ax.plot([row["low"], row["high"]], [place, place], color=_colour(style), linewidth=1.6)
        ax.plot(row["share"], place, _marker(style), color=_colour(style), markersize=6, markeredgecolor="white", markeredgewidth=0.5)
    _fair_lines(ax, table)
    for style, kind in enumerate(kinds if len(kinds) > 1 else []):
        ax.plot([], [], _marker(style), color=_colour(style), label=kind)
    ax.set_yticks(range(table.height), [_wrapped(label) for label in table["label"]])
    ax.set_ylim(table.height - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x")
    _percent_axis(ax, "x", unit)
    if len(kinds) > 1:
        _legend_below(ax)


def _fair_lines(ax: Axes, table: pl.DataFrame) -> None:
    """The fair share of each row, joined where neighbours have the same."""
    for place, fair in enumerate(table["fair"]):
        ax.plot([fair, fair], [place - 0.5, place + 0.5], color=INK, linestyle="--", linewidth=1, zorder=1)
    _above(ax, table["fair"][0], "fair")


def curve(ax: Axes, table: pl.DataFrame, label: str, unit: str = "Share of the first seat") -> None:
    """Along x: share with its interval band, one line per `line`; `fair` dashed, the baseline's x marked; `tick` names each x."""
    for style, (name,) in enumerate(table.select("line").unique(maintain_order=True).iter_rows()):
        part = table.filter(pl.col("line") == name).sort("x")
        ax.fill_between(part["x"], part["low"], part["high"], color=_colour(style), alpha=0.18, linewidth=0)
        look = {"color": _colour(style), "marker": _marker(style), "linestyle": _line(style), "markersize": 5, "linewidth": 1.4}
        ax.plot(part["x"], part["share"], label=name, **look)
    ax.axhline(table["fair"][0], color=INK, linestyle=(0, (4, 3)), linewidth=1, label="fair")
    for x in table.filter(pl.col("baseline"))["x"].unique():
        ax.axvline(x, color=FAINT, linestyle=":", linewidth=1.2)
        _above(ax, x, "baseline")
    ticks = table.unique("x").sort("x")
    ax.set_xticks(ticks["x"].to_list(), ticks["tick"].to_list())
    ax.set_xlabel(label)
    ax.grid(axis="y")
    _percent_axis(ax, "y", unit)
    _legend_below(ax)


def matrix(ax: Axes, table: pl.DataFrame) -> None:
    """Share of the row against the column as numbers on a field that darkens with them; `names` are ordered as they come."""
    names = table["row"].unique(maintain_order=True).to_list()
    size = 9 if len(names) <= 6 else 7.5
    for row in table.iter_rows(named=True):
        x, y, share = names.index(row["column"]), names.index(row["row"]), row["share"]
        ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=BLUES(share), edgecolor="white"))
        ax.text(x, y, f"{100 * share:.1f}", ha="center", va="center", fontsize=size, color="white" if share > 0.55 else INK)
    ax.set_xticks(range(len(names)), names, rotation=35, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(names)), names)
    ax.set_xlim(-0.5, len(names) - 0.5)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel("against (share of the row's strategy, %)")


def histogram(ax: Axes, table: pl.DataFrame, unit: str) -> None:
    """Share of games by value (`low` to `high`), one outline per `line`."""
    for style, (name,) in enumerate(table.select("line").unique(maintain_order=True).iter_rows()):
        part = table.filter(pl.col("line") == name).sort("low")
        edges = [*part["low"].to_list(), part["high"][-1]]
        ax.stairs(part["share"].to_list(), edges, color=_colour(style), linestyle=_line(style), linewidth=1.5, label=name)
    ax.set_xlabel(unit)
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(axis="y")
    _percent_axis(ax, "y", "Share of games")
    _legend_below(ax)


def stacked(ax: Axes, table: pl.DataFrame) -> None:
    """One bar per `label`, cut into `part`s by their share."""
    labels, parts = (table[column].unique(maintain_order=True).to_list() for column in ("label", "part"))
    left = dict.fromkeys(labels, 0.0)
    for style, part in enumerate(parts):
        rows = table.filter(pl.col("part") == part)
        places = [labels.index(label) for label in rows["label"]]
        shares = rows["share"].to_list()
        starts = [left[label] for label in rows["label"]]
        fill, hatch = FILLS[style % len(FILLS)], HATCHES[style % len(HATCHES)]
        ax.barh(places, shares, left=starts, height=0.62, color=fill, hatch=hatch, edgecolor=INK, linewidth=0.6, label=part)
        left |= {label: start + share for label, start, share in zip(rows["label"], starts, shares, strict=True)}
    ax.set_yticks(range(len(labels)), [_wrapped(label) for label in labels])
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, 1)
    _percent_axis(ax, "x", "Share of games")
    _legend_below(ax)


def _above(ax: Axes, x: float, text: str) -> None:
    """A word over the upper edge at x."""
    place: dict[str, Any] = {"xy": (x, 1.0), "xycoords": ("data", "axes fraction"), "xytext": (0, 2), "textcoords": "offset points"}
    ax.annotate(text, **place, ha="center", color=FAINT, fontsize=8)


def _wrapped(label: str) -> str:
    """A long label on several lines."""
    return label.replace(", ", ",\n") if len(label) > 24 else label


def _percent_axis(ax: Axes, which: str, label: str) -> None:
    axis = ax.xaxis if which == "x" else ax.yaxis
    axis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    axis.set_label_text(label)


def _legend_below(ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    columns = 2 if max(map(len, labels)) < 30 else 1
    figure = ax.get_figure()
    assert figure is not None
    figure.legend(handles, labels, loc="outside lower left", ncols=columns, handlelength=3.2)


def _colour(style: int) -> str:
    return COLOURS[style % len(COLOURS)]


def _marker(style: int) -> str:
    return MARKERS[style % len(MARKERS)]


def _line(style: int) -> Any:
    return LINES[style % len(LINES)]
