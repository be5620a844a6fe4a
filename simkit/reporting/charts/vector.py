"""A paper as an SVG element: text stays text, colours follow the page, points have tooltips."""

import html
from collections.abc import Iterable
from functools import singledispatch
from math import cos, pi, sin

from simkit.reporting.charts.letters import LEADING
from simkit.reporting.charts.paper import Dot, Paper, Point, Shape, Words

SIDE = 2  # margin at the sides in points, as letters may overhang their widths
SPACE = '<tspan font-size="0"> </tspan>'  # between lines: read and copied, but without width
HATCHED = {  # paths in a tile of 6 by 6
    "/": "M-1 7L7-1M-1 1L1-1M5 7L7 5",
    "\\": "M-1-1L7 7M5-1L7 1M-1 5L1 7",
    "-": "M0 3H6",
    "|": "M3 0V6",
    ".": "M3 2.2V3.8",
    "o": "M1.5 3A1.5 1.5 0 1 1 4.5 3A1.5 1.5 0 1 1 1.5 3Z",
    "*": "M3 1V5M1.3 2L4.7 4M1.3 4L4.7 2",
}


def svg(paper: Paper, name: str) -> str:
    """Return the paper as an SVG element; its ids begin with the name."""
    marks = "".join(_mark(mark, name) for mark in paper.marks)
    size = f"{-SIDE} 0 {_short(paper.width + 2 * SIDE)} {_short(paper.height)}"
    return f'<svg viewBox="{size}">{_tiles(paper, name)}{marks}</svg>'


def named(colour: str) -> str:
    """Return a colour as the page's variable, for light and dark."""
    return f"var(--{colour})"


@singledispatch
def _mark(mark: Shape | Dot | Words, name: str) -> str:
    raise TypeError(mark)


@_mark.register
def _(mark: Shape, name: str) -> str:
    fill = _attribute("fill", f"url(#{_tile(name, mark.fill, mark.hatch)})" if mark.hatch else "")
    below = f'<path d="{_path(mark)}" {_painted(mark)}/>'
    if mark.hatch:
        below += f'<path d="{_path(mark)}"{fill}/>'
    return _with_tip(below, mark.tip)


def _painted(mark: Shape) -> str:
    parts = [f'fill="{named(mark.fill)}"' if mark.fill else 'fill="none"']
    if mark.fill and mark.strength < 1:
        parts.append(f'fill-opacity="{mark.strength:.2g}"')
    if mark.stroke:
        parts.append(f'stroke="{named(mark.stroke)}"')
    if mark.stroke and mark.width != 1:
        parts.append(f'stroke-width="{_short(mark.width)}"')
    if mark.dash:
        parts.append(f'stroke-dasharray="{" ".join(map(_short, mark.dash))}"')
    return " ".join(parts)


@_mark.register
def _(mark: Dot, name: str) -> str:
    if not mark.marker:
        spot = f'<circle cx="{_short(mark.x)}" cy="{_short(mark.y)}" r="5" fill="none"/>'
    elif mark.marker == "o":
        spot = f'<circle cx="{_short(mark.x)}" cy="{_short(mark.y)}" r="{_short(mark.radius)}"'
        spot += f' fill="{named(mark.colour)}"/>'
    else:
        d = _through(outline(mark), True)
        spot = f'<path d="{d}" fill="{named(mark.colour)}"/>'
    return _with_tip(spot, mark.tip)


@_mark.register
def _(mark: Words, name: str) -> str:
    x, attributes = _short(mark.x), f' font-size="{_short(mark.size)}"'
    attributes += "" if mark.side == "start" else f' text-anchor="{mark.side}"'
    attributes += ' font-weight="700"' if mark.bold else ""
    attributes += f' fill="{named(mark.colour)}"'
    if mark.halo:
        attributes += f' stroke="{named("paper")}" stroke-width="3"'
        attributes += ' stroke-linejoin="round" paint-order="stroke"'
    first, *others = [html.escape(line) for line in mark.lines]
    down = _short(LEADING * mark.size)
    more = "".join(f'{SPACE}<tspan x="{x}" dy="{down}">{line}</tspan>' for line in others)
    return f'<text x="{x}" y="{_short(mark.y)}"{attributes}>{first}{more}</text>'


def _with_tip(drawn: str, tip: str) -> str:
    return f'<g class="tip"><title>{html.escape(tip)}</title>{drawn}</g>' if tip else drawn


def _path(mark: Shape) -> str:
    return _through(mark.points, mark.closed)


def _through(points: Iterable[Point], closed: bool) -> str:
    """Return a path of relative steps, which are shorter than absolute ones."""
    (x, y), *others = [(round(x, 1), round(y, 1)) for x, y in points]
    steps = [f"M{_short(x)} {_short(y)}"]
    for nx, ny in others:
        dx, dy = _short(nx - x), _short(ny - y)
        steps.append(f"h{dx}" if dy == "0" else f"v{dy}" if dx == "0" else f"l{dx} {dy}")
        x, y = nx, ny
    return "".join(steps) + ("z" if closed else "")


def outline(dot: Dot) -> list[Point]:
    """Return the corners of a marker other than a circle."""
    return [(dot.x + dot.radius * x, dot.y + dot.radius * y) for x, y in SHAPES[dot.marker]]


def _ring(*reach: float, corners: int, turn: float = 0.0) -> list[Point]:
    """Return corners around a centre at alternating distances; the first is above it, rotated by `turn`."""
    angles = [turn + 2 * pi * corner / corners for corner in range(corners)]
    return [(reach[i % len(reach)] * sin(a), -reach[i % len(reach)] * cos(a)) for i, a in enumerate(angles)]


def _cross(turn: float) -> list[Point]:
    a, b = 0.45, 1.2
    arm = [(a, -b), (a, -a), (b, -a)]
    turns = [turn + pi / 2 * quarter for quarter in range(4)]
    return [(x * cos(t) - y * sin(t), x * sin(t) + y * cos(t)) for t in turns for x, y in arm]


SHAPES = {  # the corners of markers of radius 1
    "D": _ring(1.2, corners=4),
    "^": _ring(1.25, corners=3),
    "v": _ring(1.25, corners=3, turn=pi),
    "<": _ring(1.25, corners=3, turn=-pi / 2),
    "p": _ring(1.15, corners=5),
    "s": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "*": _ring(1.35, 0.6, corners=10),
    "P": _cross(0.0),
    "X": _cross(pi / 4),
}


def _tile(name: str, fill: str, hatch: str) -> str:
    signs = {"/": "a", "\\": "b", "-": "c", "|": "d", ".": "e", "o": "f", "*": "g", "x": "h", "+": "i"}
    return f"{name}-{signs[hatch[0]]}"


def _tiles(paper: Paper, name: str) -> str:
    """Return the patterns of the paper's hatches."""
    hatches = sorted({mark.hatch[0] for mark in paper.marks if isinstance(mark, Shape) and mark.hatch})
    tiles = [
        f'<pattern id="{_tile(name, "", hatch)}" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<path d="{_lines_of(hatch)}" fill="none" stroke="{named("ink")}" stroke-width=".7"/></pattern>'
        for hatch in hatches
    ]
    return f"<defs>{''.join(tiles)}</defs>" if tiles else ""


def _lines_of(hatch: str) -> str:
    both = {"x": "/\\", "+": "-|"}
    return "".join(HATCHED[sign] for sign in both.get(hatch, hatch))


def _attribute(name: str, value: str) -> str:
    return f' {name}="{value}"' if value else ""


def _short(number: float) -> str:
    """Return a number with at most one decimal and without redundant zeros.

    >>> _short(3.0), _short(-0.04), _short(0.55), _short(12.25)
    ('3', '0', '.6', '12.2')
    """
    text = f"{number:.1f}".removesuffix(".0")
    return (
        text.replace("-0", "-").replace("0.", ".", 1)
        if text.startswith(("0.", "-0."))
        else "0"
        if text == "-0"
        else text
    )
