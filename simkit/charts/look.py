"""How every chart looks: colours, line styles, axes and legends that read in grey and to the colour-blind."""

import textwrap
from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

# Okabe & Ito 2008, "Color Universal Design": told apart by colour-blind readers; ordered so that neighbours
# differ in grey (from the eighth style on colours come again, with another hatch, marker and line).
COLOURS = ["#0072B2", "#E69F00", "#000000", "#56B4E9", "#D55E00", "#009E73", "#CC79A7"]
HATCHES = ["", "///", "...", "\\\\\\", "xx", "--", "||", "oo", "++", "**"]
GREYS = ["#3A3A3A", "#8C8C8C"]  # for what is neither a seat nor a lineup
TONES = [0.85, 0.5, 0.28, 0.14]  # strong to pale: parts of one style
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", "*", "p"]
DASHES = [(5, 1, 1, 1, 1, 1), (8, 2), (1, 1), (12, 3), (3, 1), (8, 1, 1, 1)]
LINES: list[Any] = ["-", "--", "-.", ":", *((0, dash) for dash in DASHES)]
INK, FAINT = "#222222", "#666666"
BLUES = LinearSegmentedColormap.from_list("share", ["#FFFFFF", "#7FB9DA", "#0072B2", "#00304D"])
WIDTH = 5.2  # inches: about a phone's width at the size of body text

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib; drawn as outlines, it looks the same everywhere
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
    place: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
    ax.annotate(text, (x, 1.0), (0, 2), ha="center", color=FAINT, fontsize=8, **place)


def wrapped(label: str, most: int = 30) -> str:
    """A long label on several lines, broken after commas and where a line would grow too long.

    >>> wrapped("second, reference_greedy mirror"), wrapped("credits discarded beyond the capacity of a hand")
    ('second,\\nreference_greedy mirror', 'credits discarded beyond the\\ncapacity of a hand')
    """
    parts = label.replace(", ", ",\n").split("\n") if len(label) > 24 else label.split("\n")
    return "\n".join(textwrap.fill(part, most, break_long_words=False) for part in parts)


def percent_axis(ax: Axes, which: str, label: str) -> None:
    number_axis(ax, which, label)
    getattr(ax, f"{which}axis").set_major_formatter(PercentFormatter(1.0, symbol=" %"))


def number_axis(ax: Axes, which: str, label: str) -> None:
    axis = getattr(ax, f"{which}axis")
    axis.set_major_locator(MaxNLocator(7, steps=[1, 2, 2.5, 5, 10]))
    axis.set_label_text(wrapped(label, 40) if which == "x" else label)


def legend_below(ax: Axes, handles: list[Patch] | None = None, columns: int = 0) -> None:
    """The legend under the axes, in two columns where its words are short."""
    drawn, labels = ax.get_legend_handles_labels()
    labels = [str(one.get_label()) for one in handles] if handles else labels
    columns = columns or (2 if max(map(len, labels)) < 30 else 1)
    long = 2.0 if handles else 3.2
    figure: Any = ax.get_figure()
    figure.legend(handles or drawn, labels, ncols=columns, loc="outside lower left", handlelength=long)


def colour(style: int) -> str:
    """The colour of a style; a grey below 0."""
    return GREYS[(-1 - style) % len(GREYS)] if style < 0 else COLOURS[style % len(COLOURS)]


def shape(looks: Sequence[Any], style: int) -> Any:
    """What tells a style in grey: one of the HATCHES, MARKERS or LINES."""
    return looks[(-1 - style if style < 0 else style) % len(looks)]


def styles(table: pl.DataFrame, column: str) -> dict[str, int]:
    """The style of each value of a column: as the table says, else by order."""
    if "style" not in table.columns:
        return {name: place for place, name in enumerate(table[column].unique(maintain_order=True))}
    return dict(table.unique(column, keep="first", maintain_order=True).select(column, "style").iter_rows())
