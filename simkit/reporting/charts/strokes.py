"""Lines with bands, dots and labels, for charts along x."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import polars as pl

from simkit.reporting.charts import palette, tooltips
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import End, Plot, Ticks, key, labels_fit
from simkit.reporting.charts.scales import around, nice, number

LINES, MAX_DOTS = 1.7, 18  # width in points; most values of x that all have dots


class Line(NamedTuple):
    """A line with its style and its rows."""

    name: str
    colour: str
    marker: str
    dash: palette.Dash
    rows: pl.DataFrame


def lines_of(table: pl.DataFrame, x: str = "x") -> Iterator[Line]:
    """Yield each line in order of appearance."""
    for name, style in palette.styles(table, "line").items():
        marker, dash = palette.shape(palette.MARKERS, style), palette.shape(palette.LINES, style)
        yield Line(name, palette.colour(style), marker, dash, table.filter(pl.col("line") == name).sort(x))


def ends_of(
    paper: Paper, drawn: list[Line], tall: float, more: Sequence[End] = (), value: str = "share"
) -> list[End]:
    """Return the labels at the right; if they do not fit, draw a key above."""
    names = [line.name for line in drawn if line.name]
    if not labels_fit(paper, [*names, *(end.name for end in more)], tall):
        key(paper, names, sample(paper, drawn))
        return list(more)
    ends = [
        End(line.name, line.rows["x"][-1], line.rows[value][-1], line.colour) for line in drawn if line.name
    ]
    return ends + list(more)


def sample(paper: Paper, drawn: list[Line], dots: bool = True) -> Callable[[float, float, str], None]:
    """Return the function that draws the sample of a line for a key."""
    by_name = {line.name: line for line in drawn}

    def put(x: float, y: float, name: str) -> None:
        paper.line([(x, y), (x + 22, y)], by_name[name].colour, LINES, by_name[name].dash)
        if dots:
            paper.dot(x + 11, y, by_name[name].marker, by_name[name].colour)

    return put


def draw(plot: Plot, drawn: list[Line], value: str, form: tooltips.Form, label: str) -> None:
    """Draw lines with their bands and tooltips."""
    for line in drawn:
        band(plot, line, "low", "high", 0.16)
    for line in drawn:

        def tip(row: dict[str, Any], name: str = line.name) -> str:
            at = row.get("tick") or number(row["x"])
            return tooltips.tooltip(row, tooltips.named(name, f"{first(label)} {at}"), value, form)

        stroke(plot, line, value, tip)


def band(plot: Plot, line: Line, low: str, high: str, strength: float) -> None:
    """Draw the band of a line; a single point has a vertical bar."""
    rows = line.rows.drop_nulls([low, high])
    upper, lower = (plot.path(rows["x"].to_list(), rows[end].to_list()) for end in (high, low))
    if len(upper) > 1:
        plot.paper.area([*upper, *lower[::-1]], line.colour, strength)
    elif upper:
        plot.paper.line([upper[0], lower[0]], line.colour, 4)


def stroke(plot: Plot, line: Line, value: str, tip: Callable[[dict[str, Any]], str]) -> None:
    """Draw a line with dots, and tooltips at about 60 points at most."""
    rows = line.rows.drop_nulls(value)
    points = plot.path(rows["x"].to_list(), rows[value].to_list())
    plot.paper.line(points, line.colour, LINES, line.dash)
    dot_step = 1 if len(points) <= MAX_DOTS else len(points) // 10
    tip_step = -(-len(points) // 60)
    for place, (row, (x, y)) in enumerate(zip(rows.iter_rows(named=True), points, strict=True)):
        marker = line.marker if place % dot_step == 0 else ""
        tooltip = tip(row) if place % tip_step == 0 else ""
        if marker or tooltip:
            plot.paper.dot(x, y, marker, line.colour, tooltip)


def across(table: pl.DataFrame) -> tuple[float, float]:
    """Return the span of x."""
    low, high = min(table["x"]), max(table["x"])
    return around([low, high], room=0.025)


def numbered(table: pl.DataFrame) -> Ticks:
    """Return the round numbers along x."""
    return [(x, number(x)) for x in nice(min(table["x"]), max(table["x"]), 11, 1)]


def first(label: str) -> str:
    """Return the name of an axis without its explanation."""
    return label.split("\n")[0]
