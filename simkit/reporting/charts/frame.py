"""What charts share: headings with a key, numbers at axes, labels at the ends of lines and above the plot."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simkit.reporting.charts import palette
from simkit.reporting.charts.drawing import HALO, WIDE
from simkit.reporting.charts.formats import Form, number
from simkit.reporting.charts.palette import hue

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

SIZE, SMALL, LEADING = 9.5, 8.5, 1.18  # font sizes in points; distance of lines in font sizes
LETTER = 0.56  # mean width of a letter, in font sizes
Span = tuple[float, float]


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
    """A position along x, labelled unless the name is empty; `to`: the other end of a span."""

    name: str
    x: float
    to: float | None = None

    @property
    def middle(self) -> float:
        """Position of the label."""
        return self.x if self.to is None else (self.x + self.to) / 2


def width_of(ax: Axes) -> float:
    """Return the width of the figure in points."""
    return 72 * ax.get_figure(root=True).get_figwidth()


def narrow(ax: Axes) -> bool:
    """Return whether the chart is drawn for a phone."""
    return width_of(ax) < 0.75 * WIDE


def wrapped(text: str, room: float, size: float = SIZE) -> str:
    """Return a text broken into lines that fit into a width in points."""
    letters = max(4, int(room / (LETTER * size)))
    return "\n".join(line for part in text.split("\n") for line in textwrap.wrap(part, letters))


def wide(text: str, size: float = SIZE) -> float:
    """Return about the width of a text in points."""
    return LETTER * size * max(map(len, text.split("\n")))


def high(text: str, size: float = SIZE) -> float:
    """Return the height of a text in points."""
    return LEADING * size * (text.count("\n") + 1)


def around(values: Iterable[float | None], least: float = 0.0, room: float = 0.05) -> Span:
    """Return a span around the values with padding, at least `least` wide."""
    present = [value for value in values if value is not None]
    low, high = min(present, default=0.0), max(present, default=1.0)
    missing = max(0.0, least - (high - low)) / 2 or (0.5 if high == low else 0.0)
    padding = room * (high - low + 2 * missing)
    return low - missing - padding, high + missing + padding


def heading(ax: Axes, text: str, key: Mapping[str, Any] | None = None) -> None:
    """Write the unit above the chart, and a key of names and their samples."""
    from matplotlib.legend_handler import HandlerTuple

    key, room = key or {}, width_of(ax)
    if not text and not key:
        return
    names = [wrapped(name, room - 40) for name in key]
    columns = max(1, int((room + 10) / (42 + max(map(wide, names), default=0))))
    ax.get_figure(root=True).legend(
        list(key.values()),
        names,
        title=wrapped(text, room) or None,
        loc="outside upper left",
        alignment="left",
        ncols=min(columns, max(1, len(key))),
        handler_map={tuple: HandlerTuple(ndivide=1)},
    )


def sample(style: int, dot: bool = True, line: bool = True, colour: str = "") -> Any:
    """Return a sample of a style for a key: a line, a dot, or a dot with its interval."""
    from matplotlib.lines import Line2D

    return Line2D(
        [],
        [],
        color=colour or palette.colour(style),
        linestyle=palette.shape(palette.LINES, style) if line else "none",
        marker=palette.shape(palette.MARKERS, style) if dot else "",
    )


def band_sample(colour: str, alpha: float = 1.0) -> Any:
    """Return a sample of a band for a key."""
    from matplotlib.patches import Patch

    return Patch(facecolor=colour, alpha=alpha, linewidth=0)


def numbers(axis: Axis, span: Span, most: int, say: Form = number, least: float = 0.0) -> None:
    """Put at most about `most` round numbers on an axis from low to high, at least `least` apart."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    steps = [1, 2, 5, 10] if least else [1, 2, 2.5, 5, 10]
    if least:
        most = max(1, min(most, int((span[1] - span[0]) / least + 1e-9)))
    axis.set_view_interval(*span, ignore=True)
    axis.set_major_locator(MaxNLocator(most, steps=steps))
    axis.set_major_formatter(FuncFormatter(lambda value, _: say(value)))


def ticks(ax: Axes, named: Sequence[tuple[float, str]]) -> None:
    """Put named places on the axis along x, as many as there is room for."""
    shown = [(x, text) for x, text in named if text]
    room = width_of(ax) * (0.8 if narrow(ax) else 0.7)
    each = max((wide(text) + 8 for _, text in shown), default=1)
    step = max(1, -(-int(len(shown) * each) // int(room)))
    ax.set_xticks([x for x, _ in shown[::step]], [text for _, text in shown[::step]])


def plot_area(ax: Axes, x: Span, y: Span, label: str, say: Form, least: float = 0.0) -> None:
    """Set the spans of a plot and its labels; `least`: smallest step of the numbers at its side."""
    ax.set_xlim(x)
    ax.set_ylim(y)
    ax.grid(visible=False, axis="x")
    numbers(ax.yaxis, y, 4 if narrow(ax) else 6, say, least)
    ax.set_xlabel(wrapped(label, 0.85 * width_of(ax)), loc="left", multialignment="left")


def whole_numbers(ax: Axes) -> None:
    """Put round whole numbers on the axis along x."""
    low, high = ax.get_xlim()
    numbers(ax.xaxis, (low, high), 5 if narrow(ax) else 10, number, 1.0)


def ends_fit(ax: Axes, names: Sequence[str], tall: float) -> bool:
    """Return whether lines can be labelled at their ends, without a key."""
    blocks = [wrapped(name, _room_at_ends(ax)) for name in names]
    return all(block.count("\n") < 4 for block in blocks) and sum(map(high, blocks)) < 0.9 * tall


def _room_at_ends(ax: Axes) -> float:
    return width_of(ax) * (0.34 if narrow(ax) else 0.27)


def shade(ax: Axes, marks: Sequence[Mark]) -> None:
    """Shade the marks that are spans."""
    low, high = ax.get_xlim()
    for mark in marks:
        if mark.to is not None:
            ax.axvspan(max(low, mark.x), min(high, mark.to), color=hue("picked"), linewidth=0, zorder=0.5)


def finish(ax: Axes, tall: float, ends: Sequence[End] = (), marks: Sequence[Mark] = (), side: str = "center") -> None:
    """Lay the chart out: a plot of a height in points, labels at the ends of lines, and marks named above it."""
    labels = [_end(ax, end) for end in ends]
    figure = ax.figure
    if len(figure.axes) > 1 or figure.get_layout_engine() is None:  # drawn among a user's own charts
        _name_marks(ax, marks, tall, side)
        return
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")
    before, box = 72 * figure.get_figheight(), ax.get_position()
    below, above = box.y0 * before, (1 - box.y1) * before + _name_marks(ax, marks, tall, side)
    height = below + tall + above
    figure.set_figheight(height / 72)
    ax.set_position((box.x0, below / height, box.width, tall / height))
    _spread(ax, ends, labels, tall)


def _end(ax: Axes, end: End) -> Any:
    """Write the label of a line at the right of the plot."""
    return ax.annotate(
        wrapped(end.name, _room_at_ends(ax)),
        (end.x, end.y),
        (1 + 9 / width_of(ax), end.y),
        textcoords=("axes fraction", "data"),
        va="center",
        color=hue("faint" if end.quiet else "ink"),
        arrowprops={"arrowstyle": "-", "color": end.colour, "linewidth": 0.7, "shrinkA": 1, "shrinkB": 4},
        annotation_clip=False,
    )


def _spread(ax: Axes, ends: Sequence[End], labels: Sequence[Any], tall: float) -> None:
    """Move labels that would overlap apart, in the order of the ends of their lines."""
    low, top = ax.get_ylim()
    scale = tall / (top - low)
    ordered = sorted(zip(ends, labels, strict=True), key=lambda pair: pair[0].y)
    heights = [high(label.get_text()) + 2 for _, label in ordered]
    centres = apart([(end.y - low) * scale for end, _ in ordered], heights, -SIZE / 2, tall + SIZE / 2)
    for centre, (_, label) in zip(centres, ordered, strict=True):
        label.set_position((label.get_position()[0], low + centre / scale))


def apart(wanted: Sequence[float], heights: Sequence[float], low: float, top: float) -> list[float]:
    """Return centres near the wanted ones, in the same order, so that nothing overlaps.

    >>> apart([10, 11, 40], [10, 10, 10], 0, 100)
    [5.5, 15.5, 40.0]
    """
    groups: list[tuple[float, list[float], list[float]]] = []  # lower edge, wanted centres, heights
    for centre, tall in zip(wanted, heights, strict=True):
        group = [centre], [tall]
        while groups and groups[-1][0] + sum(groups[-1][2]) > _edge(*group, low, top):
            _, centres, talls = groups.pop()
            group = centres + group[0], talls + group[1]
        groups.append((_edge(*group, low, top), *group))
    return [
        edge + sum(talls[:place]) + tall / 2
        for edge, _, talls in groups
        for place, tall in enumerate(talls)
    ]


def _edge(wanted: list[float], heights: list[float], low: float, top: float) -> float:
    """Return the lower edge of stacked labels: at the mean of their wanted positions, within bounds."""
    before = [sum(heights[:place]) + tall / 2 for place, tall in enumerate(heights)]
    edge = sum(want - offset for want, offset in zip(wanted, before, strict=True)) / len(wanted)
    return max(low, min(edge, top - sum(heights)))


def _name_marks(ax: Axes, marks: Sequence[Mark], tall: float, side: str) -> float:
    """Write the names of marks above the plot, the first ones highest, with dotted lines; return the height."""
    placed = _placed(ax, marks, side)
    rows = [
        max(high(text, SMALL) for text, _, level in placed if level == row)
        for row in range(1 + max((level for *_, level in placed), default=-1))
    ]
    for mark, (text, left, row) in zip(sorted(marks, key=lambda mark: mark.x), placed, strict=True):
        up = 3 + sum(rows[row + 1 :]) if text else 0.0
        if mark.to is None:
            ends = 0, 1 + (up + (high(text, SMALL) if side == "left" and text else 0)) / tall
            style = {"color": hue("faint"), "linewidth": 1.2, "linestyle": (0, (1.5, 2.5)), "zorder": 1.5}
            ax.plot([mark.x] * 2, ends, transform=ax.get_xaxis_transform(), clip_on=False, **style)
        if text:
            style = {"color": hue("faint"), "fontsize": SMALL, "va": "bottom", "gid": HALO}
            offset = left - _along(ax, mark.middle), up
            places = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
            ax.annotate(text, (mark.middle, 1), offset, annotation_clip=False, **places, **style)
    return sum(rows) + 3 if rows else 0.0


def _placed(ax: Axes, marks: Sequence[Mark], side: str) -> list[tuple[str, float, int]]:
    """Return the text, left end and row of each mark along x; a text goes below those that reach it."""
    placed: list[tuple[str, float, int]] = []
    for mark in sorted(marks, key=lambda mark: mark.x):
        text = wrapped(mark.name, width_of(ax) * (0.55 if narrow(ax) else 0.4), SMALL)
        x, room = _along(ax, mark.middle), wide(text, SMALL)
        left = max(0.0, min(x + 3 if side == "left" else x - room / 2, width_of(ax) - room))
        reached = [
            row + 1 for other, start, row in placed if other and start + wide(other, SMALL) + 6 > min(left, x - 1)
        ]
        placed.append((text, left, max(reached, default=0) if text else 0))
    return placed


def _along(ax: Axes, x: float) -> float:
    """Return the position of a number along x, in points from the left of the figure."""
    (low, top), box = ax.get_xlim(), ax.get_position()
    return width_of(ax) * (box.x0 + box.width * (x - low) / (top - low))
