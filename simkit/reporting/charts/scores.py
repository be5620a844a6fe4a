"""The course of one game: a line per seat along the turns, with its turning points marked."""

from functools import partial

import polars as pl

from simkit.reporting.charts.letters import ASCENT, SMALL, broken, high, widest
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import axes, label_ends
from simkit.reporting.charts.scales import Scale, around, number
from simkit.reporting.charts.strokes import across, ends_of, first, lines_of, numbered, stroke


def score_line(
    paper: Paper, table: pl.DataFrame, marks: pl.DataFrame, label: str = "Turn", unit: str = "Score"
) -> None:
    """Draw along x the value y, a line per `line`; texts of `marks` (x, text) stand above their turns."""
    lines, tall = list(lines_of(table)), 180.0 if paper.narrow else 240.0
    ends = ends_of(paper, lines, tall, value="y")
    poles: list[tuple[float, float]] = []
    flags = partial(_flags, marks=list(marks.select("x", "text").iter_rows()), poles=poles)
    span = around(table["y"])
    plot = axes(paper, across(table), span, tall, unit, label, number, numbered(table), 0, ends, flags)
    for x, top in poles:
        paper.line([(x, top), (x, plot.y.start)], "faint", 1, (1.5, 2.5))
    for line in lines:
        name, axis = line.name, first(label)

        def tip(row: dict[str, float], name: str = name, axis: str = axis) -> str:
            return f"{name}, {axis.lower()} {number(row['x'])}: {number(row['y'])}"

        stroke(plot, line, "y", tip)
    label_ends(plot, ends)


def _flags(paper: Paper, x: Scale, marks: list[tuple[float, str]], poles: list[tuple[float, float]]) -> bool:
    """Draw each text above its turn, below earlier texts that reach it; add their lines to `poles`."""
    room, placed = paper.width * (0.6 if paper.narrow else 0.4), list[tuple[float, float, int, list[str]]]()
    for at, text in sorted(marks):
        lines = list(broken(text, room, SMALL))
        left = min(x(at) + 4, paper.width - widest(lines, SMALL))
        row = max((taken + 1 for _, end, taken, _ in placed if min(left, x(at)) < end + 6), default=0)
        placed.append((left, left + widest(lines, SMALL), row, lines))
    tall = [
        max(high(lines, SMALL) + 2 for *_, row, lines in placed if row == level) for level in _rows(placed)
    ]
    for (at, _), (left, _, row, lines) in zip(sorted(marks), placed, strict=True):
        top = paper.height + sum(tall[:row])
        paper.text(left, top + ASCENT * SMALL + 1, lines, colour="faint", size=SMALL, halo=True)
        poles.append((x(at), top + (1 if left > x(at) else high(lines, SMALL))))
    paper.height += sum(tall)
    return bool(marks)


def _rows(placed: list[tuple[float, float, int, list[str]]]) -> range:
    return range(max((row + 1 for _, _, row, _ in placed), default=0))
