"""A paper as a PNG file on white, drawn by matplotlib."""

import io
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Polygon
from matplotlib.patheffects import withStroke

from simkit.reporting.charts.letters import LEADING
from simkit.reporting.charts.palette import COLOURS
from simkit.reporting.charts.paper import Dot, Paper, Shape, Words
from simkit.reporting.charts.vector import outline

EDGE = 9.0  # margin around the drawing, in points
STYLE: dict[Any, Any] = {"text.parse_math": False, "hatch.linewidth": 0.6}  # a $ in a name is no formula


def png(paper: Paper, dpi: int) -> bytes:
    """Return the paper as a PNG file; the same paper gives the same bytes."""
    buffer = io.BytesIO()
    with mpl.rc_context(STYLE):
        inches = [(side + 2 * EDGE) / 72 for side in (paper.width, paper.height)]
        figure = Figure(figsize=(inches[0], inches[1]), facecolor=_light("paper"))
        ax = figure.add_axes((0, 0, 1, 1))
        ax.set_axis_off()
        ax.set_xlim(-EDGE, paper.width + EDGE)
        ax.set_ylim(paper.height + EDGE, -EDGE)
        for place, mark in enumerate(paper.marks):
            _put(ax, mark, place)
        figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def _light(colour: str) -> str:
    return COLOURS[colour][0] if colour else "none"


def _put(ax: Axes, mark: Shape | Dot | Words, place: int) -> None:
    if isinstance(mark, Words):
        _write(ax, mark, place)
    elif isinstance(mark, Dot):
        if mark.marker == "o":
            ax.add_artist(Circle((mark.x, mark.y), mark.radius, fc=_light(mark.colour), zorder=place))
        elif mark.marker:
            ax.add_artist(Polygon(outline(mark), fc=_light(mark.colour), zorder=place))
    elif mark.closed:
        fill = mpl.colors.to_rgba(_light(mark.fill), mark.strength) if mark.fill else "none"
        edge = {"ec": _light(mark.stroke), "lw": mark.width} if mark.stroke else {"ec": "none"}
        if mark.hatch:
            edge = {"ec": _light("ink"), "lw": mark.width, "hatch": mark.hatch}
        ax.add_artist(Polygon(mark.points, fc=fill, zorder=place, **edge))
    else:
        xs, ys = zip(*mark.points, strict=True)
        dash = (0, [part / mark.width for part in mark.dash]) if mark.dash else "-"
        ax.add_artist(Line2D(xs, ys, color=_light(mark.stroke), lw=mark.width, ls=dash, zorder=place))


def _write(ax: Axes, mark: Words, place: int) -> None:
    side = {"start": "left", "middle": "center", "end": "right"}[mark.side]
    properties: dict[str, Any] = {
        "ha": side,
        "va": "baseline",
        "color": _light(mark.colour),
        "fontsize": mark.size,
        "zorder": place,
    }
    properties |= {"family": "DejaVu Sans", "fontweight": "bold" if mark.bold else "normal"}
    if mark.halo:
        properties["path_effects"] = [withStroke(linewidth=3, foreground=_light("paper"))]
    for row, line in enumerate(mark.lines):
        ax.text(mark.x, mark.y + row * LEADING * mark.size, line, **properties)
