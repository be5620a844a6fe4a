"""Lines with bands, dots, tooltips and labels, for charts along x."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.formats import Form, number
from simkit.reporting.charts.frame import End, Mark, band_sample, ends_fit, heading, sample
from simkit.reporting.charts.palette import hue

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAND = 0.16  # opacity of intervals
INTERVAL = "95 % interval"
MAX_DOTS, MAX_TIPS = 18, 60  # values of x that all have dots; tooltips of a line


class Line(NamedTuple):
    """A line with its style and its rows."""

    name: str
    style: int
    rows: pl.DataFrame
    other: bool = False  # another game, in grey and without dots

    @property
    def colour(self) -> str:
        """Colour on a light page."""
        return hue("edge") if self.other else palette.colour(self.style)


def lines_of(table: pl.DataFrame, x: str = "x") -> Iterator[Line]:
    """Yield each line in order of appearance."""
    for name, style in palette.styles(table, "line").items():
        rows = table.filter(pl.col("line") == name).sort(x)
        yield Line(name, style, rows, "is_other_game" in rows.columns and bool(rows["is_other_game"][0]))


def head(
    ax: Axes, unit: str, lines: Sequence[Line], tall: float, more: Sequence[End] = (), value: str = "share"
) -> list[End]:
    """Write the heading; return the labels at the ends of lines, which a key replaces if they do not fit."""
    named = [line for line in lines if line.name]
    fit = ends_fit(ax, [line.name for line in named] + [end.name for end in more], tall)
    key = {} if fit else {line.name: sample(line.style, dot=not line.other, colour=line.colour) for line in named}
    if any(_bounded(line).height > 1 for line in lines):
        key[INTERVAL] = band_sample(hue("g1"), 2 * BAND)
    heading(ax, unit, key)
    ends = [(line, line.rows.drop_nulls(value).row(-1, named=True)) for line in named if fit]
    return [End(line.name, row["x"], row[value], line.colour, line.other) for line, row in ends] + list(more)


def draw(ax: Axes, lines: Sequence[Line], label: str, value: str = "share", form: Form = formats.exact) -> None:
    """Draw lines with their bands and tooltips."""
    for line in lines:
        band(ax, line)
    for line in lines:

        def tip(row: Mapping[str, Any], name: str = line.name) -> str:
            at = row.get("tick") or number(row["x"])
            return formats.tooltip(row, formats.named(name, f"{first(label)} {at}"), value, form)

        stroke(ax, line, value, tip)


def _bounded(line: Line) -> pl.DataFrame:
    if "low" not in line.rows.columns:
        return pl.DataFrame()
    return line.rows.drop_nulls(["low", "high"]).filter(pl.col("low") < pl.col("high"))


def band(ax: Axes, line: Line) -> None:
    """Draw the intervals of a line as a band; a single one is a vertical bar."""
    rows = _bounded(line)
    if rows.height > 1:
        rows = line.rows.drop_nulls(["low", "high"])
        ax.fill_between(rows["x"], rows["low"], rows["high"], color=line.colour, alpha=BAND, linewidth=0)
    elif rows.height:
        ax.vlines(rows["x"], rows["low"], rows["high"], color=line.colour, linewidth=1.8)


def stroke(ax: Axes, line: Line, value: str, tip: Callable[[Mapping[str, Any]], str]) -> None:
    """Draw a line with dots, and tooltips at about MAX_TIPS points at most."""
    rows = line.rows.drop_nulls(value)
    xs, ys = rows["x"].to_list(), rows[value].to_list()
    ax.plot(xs, ys, color=line.colour, linestyle=palette.shape(palette.LINES, line.style))
    marker = palette.shape(palette.MARKERS, line.style)
    tips = [tip(row) for row in rows.iter_rows(named=True)]
    if len(xs) <= MAX_DOTS and not line.other:
        dots(ax, xs, ys, tips, marker, line.colour)
        return
    if not line.other:
        ax.plot(xs, ys, marker, color=line.colour, markevery=max(1, len(xs) // 10))
    step = -(-len(xs) // MAX_TIPS)
    dots(ax, xs[::step], ys[::step], tips[::step], "o", "none")


def dots(
    ax: Axes, xs: Sequence[float], ys: Sequence[float], tips: Sequence[str], marker: str, colour: str, size: float = 6
) -> None:
    """Draw markers with tooltips; those without a colour only have tooltips."""
    from simkit.reporting.charts.svg import add_tips

    (drawn,) = ax.plot(xs, ys, marker, linestyle="none", color=colour, markersize=size, zorder=3)
    add_tips([drawn], tips)


def level(ax: Axes, xs: Sequence[float], fair: Sequence[float], margin: float) -> None:
    """Draw the grey band of a margin about what is fair, or only its line, across the plot."""
    low, top = ax.get_xlim()
    xs, fair = [low, *xs, top], [fair[0], *fair, fair[-1]]
    if margin:
        ends = [[share + side for share in fair] for side in (-margin, margin)]
        ax.fill_between(xs, *ends, color=hue("band"), linewidth=0, zorder=0.7)
    ax.plot(xs, fair, color=hue("edge"), linewidth=0.9, zorder=0.8)


def zero(ax: Axes) -> None:
    """Draw the line at zero."""
    ax.axhline(0, color=hue("ink"), linewidth=0.9)


def heights(table: pl.DataFrame) -> list[float]:
    """Return all values and ends of intervals."""
    return [value for name in ("low", "high", "share") for value in table[name].drop_nulls()]


def baselines(table: pl.DataFrame, name: str) -> list[Mark]:
    """Return a mark at each x of the baseline, the first one with the name."""
    places = table.filter(pl.col("baseline"))["x"].unique().sort()
    return [Mark("" if place else name, x) for place, x in enumerate(places)]


def first(label: str) -> str:
    """Return the name of an axis without its explanation."""
    return label.split("\n")[0]
