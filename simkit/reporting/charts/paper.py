"""A sheet with lines, areas, dots and texts, in points from its upper left corner."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from simkit.reporting.charts.letters import ASCENT, DESCENT, LEADING, MIDDLE, SIZE, wide

WIDE, NARROW = 620.0, 285.0  # widths in points for desks and phones
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass
class Shape:
    """A line through points, or the area within them; colours are names of the palette."""

    points: list[Point]
    stroke: str = ""
    width: float = 1.0
    dash: Sequence[float] = ()
    fill: str = ""
    strength: float = 1.0  # opacity of the fill
    hatch: str = ""
    tip: str = ""

    @property
    def closed(self) -> bool:
        """True for an area."""
        return bool(self.fill or self.hatch)


@dataclass
class Dot:
    """A marker; without one, an invisible point with a tooltip."""

    x: float
    y: float
    marker: str = ""
    colour: str = ""
    radius: float = 3.0
    tip: str = ""


@dataclass
class Words:
    """Lines of text; `x`, `y`: anchor on the first baseline; `side`: x is its start, middle or end."""

    x: float
    y: float
    lines: list[str]
    side: str = "start"
    colour: str = "ink"
    size: float = SIZE
    bold: bool = False
    halo: bool = False  # outlined in the background colour

    @property
    def box(self) -> Box:
        """Bounding box of the text."""
        widths = [wide(line, self.size, self.bold) for line in self.lines]
        left = self.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[self.side] * max(widths)
        down = (len(self.lines) - 1) * LEADING + DESCENT
        return left, self.y - ASCENT * self.size, left + max(widths), self.y + down * self.size


@dataclass
class Paper:
    """Marks in drawing order; the paper grows downwards."""

    width: float
    height: float = 0.0
    marks: list[Shape | Dot | Words] = field(default_factory=list)

    @property
    def narrow(self) -> bool:
        """True for the width of a phone."""
        return self.width < WIDE

    @property
    def texts(self) -> list[Words]:
        """Texts among the marks."""
        return [mark for mark in self.marks if isinstance(mark, Words)]

    @property
    def tips(self) -> list[str]:
        """Tooltips of the marks."""
        return [mark.tip for mark in self.marks if not isinstance(mark, Words) and mark.tip]

    def line(
        self, points: Sequence[Point], stroke: str, width: float = 1.0, dash: Sequence[float] = ()
    ) -> None:
        """Add a line."""
        self.marks.append(Shape(list(points), stroke, width, dash))

    def area(self, points: Sequence[Point], fill: str, strength: float = 1.0) -> None:
        """Add an area without an outline."""
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
        """Add a rectangle."""
        left, top, right, bottom = box
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        self.marks.append(Shape([*corners, corners[0]], stroke, width, (), fill, strength, hatch, tip))

    def dot(
        self, x: float, y: float, marker: str = "", colour: str = "", tip: str = "", radius: float = 3.0
    ) -> None:
        """Add a marker."""
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
        """Add text whose first baseline is `y`."""
        lines = [words] if isinstance(words, str) else list(words)
        if any(lines):
            self.marks.append(Words(x, y, lines, side, colour, size, bold, halo))

    def middle(
        self, x: float, y: float, words: str | Sequence[str], side: str = "start", **style: object
    ) -> None:
        """Add text centred vertically at `y`."""
        lines = [words] if isinstance(words, str) else list(words)
        size = style.get("size", SIZE)
        assert isinstance(size, float | int)
        first = y - (len(lines) - 1) / 2 * LEADING * size + MIDDLE * size
        self.text(x, first, lines, side, **style)  # type: ignore[arg-type]
