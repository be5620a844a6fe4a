"""How every chart looks: colours, line styles, axes and legends that read in grey and to colour-blind eyes."""

from __future__ import annotations

import textwrap
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator, PercentFormatter

# Okabe & Ito 2008, "Color Universal Design": told apart by colour-blind readers; ordered so that neighbours differ in grey
# (from the eighth style on colours come again, with another hatch, marker and line)
COLOURS = ["#0072B2", "#E69F00", "#000000", "#56B4E9", "#D55E00", "#009E73", "#CC79A7"]
HATCHES = ["", "///", "...", "\\\\\\", "xx", "--", "||", "oo", "++", "**"]
GREYS = ["#3A3A3A", "#8C8C8C"]  # for what is neither a seat nor a lineup
TONES = [0.85, 0.5, 0.28, 0.14]  # strong to pale: parts of one style
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", "*", "p"]
DASHES: list[Any] = [
    (0, (5, 1, 1, 1, 1, 1)),
    (0, (8, 2)),
    (0, (1, 1)),
    (0, (12, 3)),
    (0, (3, 1)),
    (0, (8, 1, 1, 1)),
]
LINES: list[Any] = ["-", "--", "-.", ":", *DASHES]
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


def above(ax: Axes, x: float, text: str) -> None:
    """A word over the upper edge at x."""
    place: dict[str, Any] = {
        "xy": (x, 1.0),
        "xycoords": ("data", "axes fraction"),
        "xytext": (0, 2),
        "textcoords": "offset points",
    }
    ax.annotate(text, **place, ha="center", color=FAINT, fontsize=8)


def wrapped(label: str, most: int = 30) -> str:
    """A long label on several lines, broken after commas and where a line would grow too long.

    >>> wrapped("second, reference_greedy mirror"), wrapped("credits discarded beyond the capacity of a hand")
    ('second,\\nreference_greedy mirror', 'credits discarded beyond the\\ncapacity of a hand')
    """
    parts = label.replace(", ", ",\n").split("\n") if len(label) > 24 else label.split("\n")
    return "\n".join(textwrap.fill(part, most, break_long_words=False) for part in parts)


def percent_axis(ax: Axes, which: str, label: str) -> None:
    axis = ax.xaxis if which == "x" else ax.yaxis
    axis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    axis.set_label_text(label)


def legend_below(ax: Axes) -> None:
    handles, labels = ax.get_legend_handles_labels()
    columns = 2 if max(map(len, labels)) < 30 else 1
    figure = ax.get_figure()
    assert figure is not None
    figure.legend(handles, labels, loc="outside lower left", ncols=columns, handlelength=3.2)


def colour(style: int) -> str:
    return GREYS[(-1 - style) % len(GREYS)] if style < 0 else COLOURS[style % len(COLOURS)]


def hatch(style: int) -> str:
    """What tells a filled part in grey."""
    return HATCHES[(-1 - style if style < 0 else style) % len(HATCHES)]


def styles(table: pl.DataFrame, column: str) -> dict[str, int]:
    """The style of each value of a column: as the table says, else by order."""
    names = table[column].unique(maintain_order=True).to_list()
    if "style" not in table.columns:
        return {name: place for place, name in enumerate(names)}
    return {name: table.filter(pl.col(column) == name)["style"][0] for name in names}


def marker(style: int) -> str:
    return MARKERS[(-1 - style if style < 0 else style) % len(MARKERS)]


def line(style: int) -> Any:
    return LINES[(-1 - style if style < 0 else style) % len(LINES)]
