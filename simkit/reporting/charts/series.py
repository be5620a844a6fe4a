"""Lines with bands, dots, tooltips and labels, for charts along x."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from simkit.reporting.charts import formats, palette
from simkit.reporting.charts.formats import Form, number
from simkit.reporting.charts.frame import End, heading, high, patch, room_at_ends, sample, wrapped
from simkit.reporting.charts.palette import hue

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAND = 0.16  # opacity of intervals
INTERVAL = "95 % interval"
MAX_DOTS, MAX_TIPS = 18, 60  # values of x that all have dots; tooltips of a line


class Line(NamedTuple):
    """A line with its style and its rows; `other`: of another game, in grey and without dots."""

    name: str
    style: int
    rows: pl.DataFrame
    other: bool = False

    @property
    def colour(self) -> str:
        """Colour on a light page."""
        return hue("edge") if self.other else palette.colour(self.style)

    @property
    def intervals(self) -> pl.DataFrame:
        """Rows with an interval; none if it has no width anywhere."""
        if "low" not in self.rows.columns:
            return self.rows.clear()
        rows = self.rows.drop_nulls(["low", "high"])
        return rows if (rows["low"] < rows["high"]).any() else rows.clear()


def lines_of(table: pl.DataFrame, x: str = "x") -> Iterator[Line]:
    """Yield each line in order of appearance."""
    for name, style in palette.styles(table, "line").items():
        rows = table.filter(pl.col("line") == name).sort(x)
        yield Line(name, style, rows, "is_other_game" in rows.columns and bool(rows["is_other_game"][0]))


def head(
    ax: Axes, unit: str, lines: Sequence[Line], tall: float, more: Sequence[End], value: str
) -> list[End]:
    """Write the heading; return the labels at the ends of lines, which a key replaces if they do not fit."""
    named = [line for line in lines if line.name]
    blocks = [
        wrapped(name, room_at_ends(ax)) for name in [line.name for line in named] + [end.name for end in more]
    ]
    fit = all(block.count("\n") < 4 for block in blocks) and sum(map(high, blocks)) < 0.9 * tall
    key = {} if fit else {line.name: sample(line.style, not line.other, colour=line.colour) for line in named}
    if any(line.intervals.height > 1 for line in lines):
        key[INTERVAL] = patch(lines[0].colour, 2 * BAND)
    heading(ax, unit, key)
    ends = [(line, line.rows.drop_nulls(value).row(-1, named=True)) for line in named if fit]
    return [End(line.name, row["x"], row[value], line.colour, line.other) for line, row in ends] + list(more)


def draw(
    ax: Axes, lines: Sequence[Line], label: str, value: str = "share", form: Form = formats.exact
) -> None:
    """Draw lines with their bands and tooltips."""
    for line in lines:
        band(ax, line)
    for line in lines:

        def tip(row: Mapping[str, Any], name: str = line.name) -> str:
            at = row.get("tick") or number(row["x"])
            return formats.tooltip(row, formats.named(name, f"{first(label)} {at}"), value, form)

        stroke(ax, line, value, tip)


def band(ax: Axes, line: Line) -> None:
    """Draw the intervals of a line as a band; a single one is a vertical bar."""
    rows = line.intervals
    if rows.height > 1:
        ax.fill_between(rows["x"], rows["low"], rows["high"], color=line.colour, alpha=BAND, linewidth=0)
    elif rows.height:
        ax.vlines(rows["x"], rows["low"], rows["high"], color=line.colour, linewidth=1.8)


def stroke(ax: Axes, line: Line, value: str, tip: Callable[[Mapping[str, Any]], str]) -> None:
    """Draw a line with dots, and tooltips at about MAX_TIPS points at most."""
    rows = line.rows.drop_nulls(value)
    dash, marker = palette.shape(palette.LINES, line.style), palette.shape(palette.MARKERS, line.style)
    few = rows.height <= MAX_DOTS
    style: dict[str, Any] = {
        "marker": "" if few or line.other else marker,
        "markevery": max(1, rows.height // 10),
    }
    ax.plot(rows["x"], rows[value], color=line.colour, linestyle=dash, **style)
    pointed = rows.gather_every(-(-rows.height // MAX_TIPS))
    tips = [tip(row) for row in pointed.iter_rows(named=True)]
    dots(ax, pointed["x"], pointed[value], tips, marker, line.colour if few and not line.other else "none")


def dots(ax: Axes, x: Any, y: Any, tips: Sequence[str], marker: str, colour: str, size: float = 6) -> None:
    """Draw markers with tooltips; those without a colour only have tooltips."""
    from simkit.reporting.charts.svg import add_tips

    (drawn,) = ax.plot(x, y, marker, linestyle="none", color=colour, markersize=size, zorder=3)
    add_tips(drawn, tips)


def first(label: str) -> str:
    """Return the name of an axis without its explanation."""
    return label.split("\n")[0]
