"""A plot area with axes: titles above, numbers at the sides, labels at the ends of lines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from simkit.reporting.charts.letters import ASCENT, DESCENT, LEADING, SIZE, SMALL, broken, high, wide, widest
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.scales import Scale, nice

GAP = 5.0  # points between an axis and its numbers
Ticks = list[tuple[float, str]]  # position, text


@dataclass
class End:
    """The label of a line at the height where the line ends."""

    name: str
    x: float
    y: float
    colour: str
    quiet: bool = False  # in grey, like the label of the band


@dataclass
class Mark:
    """A labelled position along x; `to`: the other end of a span."""

    name: str
    x: float
    to: float | None = None

    @property
    def middle(self) -> float:
        """Position of the label."""
        return self.x if self.to is None else (self.x + self.to) / 2


@dataclass
class Plot:
    """A paper with the scales of its plot area."""

    paper: Paper
    x: Scale
    y: Scale

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of a point on the paper."""
        return self.x(x), self.y(y)

    def path(self, xs: Sequence[float], ys: Sequence[float]) -> list[tuple[float, float]]:
        """Return the positions of points on the paper."""
        return [self.at(x, y) for x, y in zip(xs, ys, strict=True)]


def titled(paper: Paper, text: str) -> None:
    """Add text over the whole width."""
    lines = broken(text, paper.width)
    paper.text(0, paper.height + ASCENT * SIZE + 1, lines, colour="ink")
    paper.height += high(list(lines)) + 4 if any(lines) else 0


def axes(
    paper: Paper,
    x: tuple[float, float],
    y: tuple[float, float],
    tall: float,
    unit: str,
    label: str,
    y_words: Callable[[float], str],
    x_ticks: Ticks,
    least: float = 0.0,
    ends: Sequence[End] = (),
    above: Callable[[Paper, Scale], bool] = lambda paper, x: False,
) -> Plot:
    """Draw the grid, numbers and titles of a plot area; `least`: smallest step of the numbers at its side.

    `above` writes the labels over the area and returns whether there are any.
    """
    titled(paper, unit)
    ticks = [(value, y_words(value)) for value in nice(*y, 6 if tall > 150 else 4, least)]
    left = widest([text for _, text in ticks]) + GAP
    across = Scale(*x, left, paper.width - room_for(paper, ends))
    named = above(paper, across)
    top = paper.height + (4 if named else SIZE / 2)
    plot = Plot(paper, across, Scale(*y, top + tall, top))
    for place, text in ticks:
        paper.line([(left, plot.y(place)), (plot.x.end, plot.y(place))], "grid", 0.8)
        paper.middle(left - GAP, plot.y(place), text, "end", colour="faint")
    paper.height = top + tall
    _along(plot, x_ticks, label)
    return plot


def _along(plot: Plot, ticks: Ticks, label: str) -> None:
    """Draw the numbers below, as many as there is room for, and the title under them."""
    paper = plot.paper
    paper.line([(plot.x.start, paper.height), (plot.x.end, paper.height)], "edge", 0.8)
    shown = [(plot.x(x), text) for x, text in ticks if text]
    step = next(n for n in range(1, len(shown) + 2) if _disjoint(shown[::n]))
    paper.height += GAP + ASCENT * SIZE
    for x, text in shown[::step]:
        half = wide(text) / 2
        inside = min(max(x, half), paper.width - half)
        paper.line(
            [(x, paper.height - GAP - ASCENT * SIZE), (x, paper.height - ASCENT * SIZE - 2)], "edge", 0.8
        )
        paper.text(inside, paper.height, text, "middle", colour="faint")
    paper.height += DESCENT * SIZE + 3
    name, _, meaning = label.partition("\n")
    for text, colour in ((name, "ink"), (meaning, "faint")):
        lines = list(broken(text, paper.width - plot.x.start)) if text else []
        paper.text(plot.x.start, paper.height + ASCENT * SIZE, lines, colour=colour)
        paper.height += high(lines)
    paper.height += 3


def _disjoint(shown: Ticks) -> bool:
    ends = [(x - wide(text) / 2, x + wide(text) / 2) for x, text in shown]
    return all(left[1] + 6 < right[0] for left, right in pairwise(ends))


def room_for(paper: Paper, ends: Sequence[End]) -> float:
    """Return the width of the labels at the right in points."""
    most = most_room(paper)
    return 14 + max((widest(list(broken(end.name, most))) for end in ends), default=-8)


def most_room(paper: Paper) -> float:
    """Return the largest width of labels at the right in points."""
    return paper.width * (0.36 if paper.narrow else 0.28)


def labels_fit(paper: Paper, names: Sequence[str], tall: float) -> bool:
    """Return whether lines can be labelled at their ends, without a key."""
    blocks = [broken(name, most_room(paper)) for name in names]
    return all(len(block) <= 4 for block in blocks) and sum(high(list(block)) + 2 for block in blocks) < tall


def label_ends(plot: Plot, ends: Sequence[End]) -> None:
    """Draw each label beside the end of its line; labels that would overlap are moved apart."""
    if not ends:
        return
    paper, x = plot.paper, plot.x.end + 14
    blocks = {id(end): list(broken(end.name, most_room(paper))) for end in ends}
    ordered = sorted(ends, key=lambda end: plot.y(end.y))
    heights = [high(blocks[id(end)]) + 1 for end in ordered]
    centres = pushed(
        [plot.y(end.y) for end in ordered], heights, plot.y.end - SIZE / 2, plot.y.start + SIZE / 2
    )
    for end, centre in zip(ordered, centres, strict=True):
        start = plot.at(end.x, end.y)
        paper.line([(start[0] + 4, start[1]), (plot.x.end + 5, start[1]), (x - 2, centre)], end.colour, 0.7)
        paper.middle(x, centre, blocks[id(end)], colour="faint" if end.quiet else "ink")


def pushed(wanted: Sequence[float], heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return centres near the wanted ones, in the same order, so that nothing overlaps.

    >>> pushed([10, 11, 40], [10, 10, 10], 0, 100)
    [5.5, 15.5, 40.0]
    """
    groups: list[tuple[list[float], list[float]]] = []  # wanted centres, heights
    for centre, tall in zip(wanted, heights, strict=True):
        groups.append(([centre], [tall]))
        while len(groups) > 1 and _place(*groups[-2], top, bottom) + sum(groups[-2][1]) > _place(
            *groups[-1], top, bottom
        ):
            last = groups.pop()
            groups[-1] = (groups[-1][0] + last[0], groups[-1][1] + last[1])
    centres: list[float] = []
    for centred, talls in groups:
        edge = _place(centred, talls, top, bottom)
        for tall in talls:
            centres.append(edge + tall / 2)
            edge += tall
    return centres


def _place(wanted: list[float], heights: list[float], top: float, bottom: float) -> float:
    """Return the upper edge of stacked labels: at the mean of their wanted positions, within bounds."""
    before = [sum(heights[:place]) + tall / 2 for place, tall in enumerate(heights)]
    edge = sum(want - offset for want, offset in zip(wanted, before, strict=True)) / len(wanted)
    return max(top, min(edge, bottom - sum(heights)))


def name_marks(paper: Paper, x: Scale, marks: Sequence[Mark]) -> bool:
    """Draw the labels of marks above the plot, each once; labels that would overlap use further rows."""
    named = {mark.name: mark for mark in marks}
    ends: list[float] = []  # right end of each row of labels
    for mark in sorted(named.values(), key=lambda mark: mark.x):
        half = wide(mark.name, SMALL) / 2
        at = min(max(x(mark.middle), half), paper.width - half)
        row = next((row for row, end in enumerate(ends) if end + 6 < at - half), len(ends))
        ends[row : row + 1] = [at + half]
        base = paper.height + row * LEADING * SMALL + ASCENT * SMALL + 2
        paper.text(at, base, mark.name, "middle", "faint", SMALL, halo=True)
    paper.height += len(ends) * LEADING * SMALL
    return bool(marks)


def shade_marks(plot: Plot, marks: Sequence[Mark]) -> None:
    """Shade the marks that are spans."""
    top, bottom = plot.y.end - 3, plot.y.start
    for mark in marks:
        if mark.to is not None:
            left, right = max(plot.x.low, mark.x), min(plot.x.high, mark.to)
            plot.paper.field((plot.x(left), top, plot.x(right), bottom), "picked")


def draw_marks(plot: Plot, marks: Sequence[Mark]) -> None:
    """Draw a dotted line at each mark that is a single position."""
    top, bottom = plot.y.end - 3, plot.y.start
    for mark in marks:
        if mark.to is None:
            plot.paper.line([(plot.x(mark.x), top), (plot.x(mark.x), bottom)], "faint", 1.2, (1.5, 2.5))


def key(paper: Paper, names: Sequence[str], sample: Callable[[float, float, str], None]) -> None:
    """Draw samples with their names, side by side where they fit; `sample` draws from x to x + 22 at y."""
    x, room = 0.0, paper.width - 28
    for name in names:
        lines = list(broken(name, room))
        across = 28 + widest(lines) + 14
        if x and x + across - 14 > paper.width:
            x = 0.0
            paper.height += LEADING * SIZE + 2
        y = paper.height + LEADING * SIZE / 2
        sample(x, y, name)
        paper.middle(x + 28, y + (len(lines) - 1) * LEADING * SIZE / 2, lines)
        paper.height += (len(lines) - 1) * LEADING * SIZE
        x = paper.width if len(lines) > 1 else x + across
    paper.height += LEADING * SIZE + 6 if names else 0
