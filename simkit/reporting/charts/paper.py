"""A sheet with lines, areas, dots and texts on it, in points from its upper left corner."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from simkit.reporting.charts.letters import ASCENT, DESCENT, LEADING, MIDDLE, SIZE, wide

WIDE, NARROW = 620.0, 285.0  # points: as read on a desk and on a phone
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass
class Shape:
    """A line through points, or the area within them; its colours are names of the palette."""

    points: list[Point]
    stroke: str = ""
    width: float = 1.0
    dash: Sequence[float] = ()
    fill: str = ""
    strength: float = 1.0  # of the fill, up to 1
    hatch: str = ""
    tip: str = ""

    @property
    def closed(self) -> bool:
        return bool(self.fill or self.hatch)


@dataclass
class Dot:
    """A marker; without one it is nothing but a place with a tip."""

    x: float
    y: float
    marker: str = ""
    colour: str = ""
    radius: float = 3.0
    tip: str = ""


@dataclass
class Words:
    """Lines of text; `x`, `y`: where the first stands, `side`: whether x is its start, middle or end."""

    x: float
    y: float
    lines: list[str]
    side: str = "start"
    colour: str = "ink"
    size: float = SIZE
    bold: bool = False
    halo: bool = False  # stands out from what is below it

    @property
    def box(self) -> Box:
        widths = [wide(line, self.size, self.bold) for line in self.lines]
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.side] * max(widths)
        down = (len(self.lines) - 1) * LEADING + DESCENT
        return left, self.y - ASCENT * self.size, left + max(widths), self.y + down * self.size


@dataclass
class Paper:
    """What is drawn, in the order in which it lies on top of each other; it grows downwards."""

    width: float
    height: float = 0.0
    marks: list[Shape | Dot | Words] = field(default_factory=list)

    @property
    def narrow(self) -> bool:
        return self.width < WIDE

    @property
    def texts(self) -> list[Words]:
        return [mark for mark in self.marks if isinstance(mark, Words)]

    @property
    def tips(self) -> list[str]:
        return [mark.tip for mark in self.marks if not isinstance(mark, Words) and mark.tip]

    def line(
        self, points: Sequence[Point], stroke: str, width: float = 1.0, dash: Sequence[float] = ()
    ) -> None:
        self.marks.append(Shape(list(points), stroke, width, dash))

    def area(self, points: Sequence[Point], fill: str, strength: float = 1.0) -> None:
        self.marks.append(Shape(list(points), fill=fill, strength=strength))

    def field(
        self,
        box: Box,
        fill: str = "",
        strength: float = 1.0,
        stroke: str = "",
        width: float = 0.6,
        hatch: str = "",
        tip: str = "",
    ) -> None:
        """A rectangle."""
        left, top, right, bottom = box
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        self.marks.append(Shape([*corners, corners[0]], stroke, width, (), fill, strength, hatch, tip))

    def dot(
        self, x: float, y: float, marker: str = "", colour: str = "", tip: str = "", radius: float = 3.0
    ) -> None:
        self.marks.append(Dot(x, y, marker, colour, radius, tip))

    def text(
        self,
        x: float,
        y: float,
        words: str | Sequence[str],
        side: str = "start",
        colour: str = "ink",
        size: float = SIZE,
        bold: bool = False,
        halo: bool = False,
    ) -> None:
        """Text whose first line stands on `y`."""
        lines = [words] if isinstance(words, str) else list(words)
        if any(lines):
            self.marks.append(Words(x, y, lines, side, colour, size, bold, halo))

    def middle(
        self, x: float, y: float, words: str | Sequence[str], side: str = "start", **how: object
    ) -> None:
        """Text about `y`."""
        lines = [words] if isinstance(words, str) else list(words)
        size = how.get("size", SIZE)
        assert isinstance(size, float | int)
        first = y - (len(lines) - 1) / 2 * LEADING * size + MIDDLE * size
        self.text(x, first, lines, side, **how)  # type: ignore[arg-type]
