"""Rows with labels at the side, or above them on phones, over a common axis."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from simkit.reporting.charts.letters import ASCENT, LEADING, SIZE, SMALL, broken, high, wide, widest
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import GAP
from simkit.reporting.charts.scales import Scale, nice

ROW = 17.0  # height of a row, in points
BOLDER = 1.13  # largest ratio of widths of bold and regular letters


class Axis(NamedTuple):
    """Span of an axis, format of its numbers, and smallest step between them."""

    span: tuple[float, float]
    words: Callable[[float], str]
    least: float = 0.0


@dataclass
class Label:
    """Label of some rows, with its meaning in grey below."""

    text: str
    rows: int = 1
    note: str = ""
    bold: bool = False

    def lines(self, room: float) -> list[str]:
        """Return the lines of the label."""
        return list(broken(self.text, room / (BOLDER if self.bold else 1)))

    def under(self, room: float) -> list[str]:
        """Return the lines of the note."""
        return list(broken(self.note, room, SMALL)) if self.note else []

    def wide(self, room: float) -> float:
        """Return the width in points."""
        return max(widest(self.lines(room), SIZE, self.bold), widest(self.under(room), SMALL))

    def high(self, room: float) -> float:
        """Return the height in points."""
        return high(self.lines(room)) + high(self.under(room), SMALL)


@dataclass
class Rows:
    """Scale along x, vertical middle of each row, and extent of the rows of each label."""

    x: Scale
    middles: list[float] = field(default_factory=list)
    spans: list[tuple[float, float]] = field(default_factory=list)

    def upright(self, paper: Paper, at: float, colour: str, width: float) -> None:
        """Draw a vertical line at a number through all rows, but not through labels above them."""
        for top, bottom in self.spans:
            paper.line([(self.x(at), top), (self.x(at), bottom)], colour, width)


def runs_of(labels: Sequence[str]) -> list[Label]:
    """Return each label with the number of consecutive rows it has."""
    runs: list[Label] = []
    for label in labels:
        if runs and label in (runs[-1].text, ""):
            runs[-1].rows += 1
        else:
            runs.append(Label(label))
    return runs


def rows_of(
    paper: Paper,
    labels: Sequence[Label],
    axis: Axis,
    right: float = 8.0,
    tall: float = ROW,
    above: tuple[str, float] = ("", 0.0),
    band: float = 0.0,
) -> Rows:
    """Draw labels, grid and numbers; `above`: label of a number, `band`: width of a grey band about it."""
    most = paper.width * (0.34 if paper.narrow else 0.38)
    aside = not paper.narrow or all(len(label.lines(most)) <= 2 and not label.note for label in labels)
    room = max(label.wide(most) for label in labels) if aside else paper.width
    rows = Rows(Scale(*axis.span, room + 10 if aside else 6.0, paper.width - right))
    _called(paper, rows.x, *above)
    top = paper.height
    for label in labels:
        _put(paper, rows, label, tall, room, aside)
    if aside:
        rows.spans = [(top, paper.height)]
    for start, end in rows.spans if band else []:
        edges = rows.x(above[1] - band), rows.x(above[1] + band)
        paper.field((edges[0], start, edges[1], end), "band")
    _numbers(paper, rows, axis)
    return rows


def _called(paper: Paper, x: Scale, name: str, at: float) -> None:
    if name:
        half = wide(name, SMALL) / 2
        place = min(max(x(at), half), paper.width - half)
        paper.text(place, paper.height + ASCENT * SMALL, name, "middle", "faint", SMALL)
        paper.height += LEADING * SMALL


def _put(paper: Paper, rows: Rows, label: Label, tall: float, room: float, at_side: bool) -> None:
    """Draw a label with its note, and add the positions of its rows."""
    lines, words = label.lines(room), label.high(room)
    block = max(tall * label.rows, words + 4) if at_side else tall * label.rows
    start = paper.height if at_side else paper.height + words + 2
    top = paper.height + ((block - words) / 2 if at_side else 0)
    paper.text(0, top + ASCENT * SIZE + 1, lines, bold=label.bold)
    paper.text(0, top + high(lines) + ASCENT * SMALL + 1, label.under(room), colour="faint", size=SMALL)
    rows.middles += [start + block * (place + 0.5) / label.rows for place in range(label.rows)]
    rows.spans.append((start, start + block))
    paper.height = start + block + 3


def _numbers(paper: Paper, rows: Rows, axis: Axis) -> None:
    """Draw vertical lines at round numbers and the numbers below."""
    paper.height += GAP + ASCENT * SIZE
    for number in nice(*axis.span, max(2, int((rows.x.end - rows.x.start) / 52)), axis.least):
        rows.upright(paper, number, "grid", 0.8)
        half = wide(axis.words(number)) / 2
        place = max(half, min(rows.x(number), paper.width - half))
        paper.text(place, paper.height, axis.words(number), "middle", "faint")
    paper.height += 5
