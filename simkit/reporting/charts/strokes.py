"""Lines with their bands, dots and labels, as the charts along x have them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import polars as pl

from simkit.reporting.charts import palette, tooltips
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import End, Plot, Ticks, key, labels_fit
from simkit.reporting.charts.scales import around, nice, number

LINES, FEW = 1.7, 18  # points; dots are drawn for so few values of x


class Line(NamedTuple):
    """A line with its look and its rows."""

    name: str
    colour: str
    marker: str
    dash: palette.Dash
    rows: pl.DataFrame


def lines_of(table: pl.DataFrame, x: str = "x") -> Iterator[Line]:
    """Each line, in the order in which they come."""
    for name, style in palette.styles(table, "line").items():
        marker, dash = palette.shape(palette.MARKERS, style), palette.shape(palette.LINES, style)
        yield Line(name, palette.colour(style), marker, dash, table.filter(pl.col("line") == name).sort(x))


def ends_of(
    paper: Paper, drawn: list[Line], tall: float, more: Sequence[End] = (), value: str = "share"
) -> list[End]:
    """The labels at the right; where there is no room for them, a key above."""
    names = [line.name for line in drawn if line.name]
    if not labels_fit(paper, [*names, *(end.name for end in more)], tall):
        key(paper, names, sample(paper, drawn))
        return list(more)
    ends = [
        End(line.name, line.rows["x"][-1], line.rows[value][-1], line.colour) for line in drawn if line.name
    ]
    return ends + list(more)


def sample(paper: Paper, drawn: list[Line], dots: bool = True) -> Callable[[float, float, str], None]:
    looks = {line.name: line for line in drawn}

    def put(x: float, y: float, name: str) -> None:
        paper.line([(x, y), (x + 22, y)], looks[name].colour, LINES, looks[name].dash)
        if dots:
            paper.dot(x + 11, y, looks[name].marker, looks[name].colour)

    return put


def draw(plot: Plot, drawn: list[Line], value: str, form: tooltips.Form, label: str) -> None:
    for line in drawn:
        band(plot, line, "low", "high", 0.16)
    for line in drawn:

        def tip(row: dict[str, Any], name: str = line.name) -> str:
            at = row.get("tick") or number(row["x"])
            return tooltips.told(row, tooltips.named(name, f"{first(label)} {at}"), value, form)

        stroke(plot, line, value, tip)


def band(plot: Plot, line: Line, low: str, high: str, strength: float) -> None:
    known = line.rows.drop_nulls([low, high])
    upper, lower = (plot.path(known["x"].to_list(), known[end].to_list()) for end in (high, low))
    if len(upper) > 1:
        plot.paper.area([*upper, *lower[::-1]], line.colour, strength)
    elif upper:
        plot.paper.line([upper[0], lower[0]], line.colour, 4)


def stroke(plot: Plot, line: Line, value: str, tip: Callable[[dict[str, Any]], str]) -> None:
    """The line, dots on it, and at each of at most some sixty places what it says."""
    known = line.rows.drop_nulls(value)
    points = plot.path(known["x"].to_list(), known[value].to_list())
    plot.paper.line(points, line.colour, LINES, line.dash)
    marked = 1 if len(points) <= FEW else len(points) // 10
    told = -(-len(points) // 60)
    for place, (row, (x, y)) in enumerate(zip(known.iter_rows(named=True), points, strict=True)):
        marker = line.marker if place % marked == 0 else ""
        says = tip(row) if place % told == 0 else ""
        if marker or says:
            plot.paper.dot(x, y, marker, line.colour, says)


def across(table: pl.DataFrame) -> tuple[float, float]:
    low, high = min(table["x"]), max(table["x"])
    return around([low, high], room=0.025)


def numbered(table: pl.DataFrame) -> Ticks:
    return [(x, number(x)) for x in nice(min(table["x"]), max(table["x"]), 11, 1)]


def first(label: str) -> str:
    """What the axis is called, without what explains it."""
    return label.split("\n")[0]
