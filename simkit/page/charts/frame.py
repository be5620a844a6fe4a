"""What charts share: numbers as text, headings with a key, axes, dots, labels beside and above the plot."""

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from simkit.page.charts import drawing
from simkit.page.charts.drawing import HALO, WIDE, Axes, add_tips, hue
from simkit.page.document.tables import format_value

SHARE = "{:.0%}"  # format of shares
SIZE, LEADING = 10.5, 1.18  # font size in points; distance of lines in font sizes
EDGE = 0.08  # part of an axis from whose end a name stands on one side of its mark
MAX_CENTRED = 80.0  # width in points of names that stand over the middle of their mark
LETTER = 0.56  # mean width of a letter, in font sizes
WIDTH = 1.5  # of the lines of intervals
Span = tuple[float, float]


def with_interval(row: Mapping[str, Any], form: str) -> str:
    """Return the value of a row with its interval in brackets, where it is known.

    >>> with_interval({"value": 0.567, "low": 0.558, "high": 0.577}, "{:.1%}")
    '56.7 % (55.8 to 57.7 %)'
    """
    low, high = row.get("low"), row.get("high")
    if low is None or high is None or low == high:
        return format_value(row["value"], form)
    value, start, end = (format_value(number, form) for number in (row["value"], low, high))
    return f"{value} ({start.removesuffix(' %')} to {end})"


def axis_form(form: str) -> Callable[[float], str]:
    """Return the format of an axis of numbers written as `form`: as share or number, signed or not.

    >>> [axis_form(form)(0.2) for form in ("{:.0%}", "{:+.1%}", "{:.1f}", "{:+.1f}")]
    ['20 %', '+20 %', '0.2', '+0.2']
    >>> axis_form("{}")(1500.0), axis_form("{:+.1f}")(0.0)
    ('1,500', '0')
    """
    scale, unit = (100, "%") if "%" in form else (1, "")

    def write(value: float) -> str:
        scaled = round(scale * value, 10)
        return format_value(scaled, f"{{:{'+' if '+' in form and scaled > 0 else ''},.10g}}{unit}")

    return write


def tooltip(row: Mapping[str, Any], subject: str, form: str) -> str:
    """Return the numbers of a row as text, shares with one decimal.

    >>> tooltip({"value": 0.567, "low": 0.558, "high": 0.577, "n": 10000}, "plain player, keeps 16", SHARE)
    'plain player, keeps 16: 56.7 % (55.8 to 57.7 %), n = 10,000'
    """
    if row.get("tip"):
        return str(row["tip"])
    if row["value"] is None:
        return f"{subject}: not known"
    text = join_name(subject, with_interval(row, form.replace(".0%", ".1%")), by=": ")
    games = row.get("n", row.get("games"))
    return f"{text}, n = {games:,}" if isinstance(games, int) else text


def join_name(*parts: str, by: str = ", ") -> str:
    """Join the non-empty parts of a name."""
    return by.join(part for part in parts if part)


class End(NamedTuple):
    """The label of a line, or of a point, at the right of the plot; `quiet`: in grey."""

    name: str
    x: float
    y: float
    colour: str
    quiet: bool = False


class Mark(NamedTuple):
    """A position along x, labelled unless the name is empty; `to`: the other end of a span."""

    name: str
    x: float
    to: float | None = None


def width_of(ax: Axes) -> float:
    """Return the width of the figure in points."""
    return float(72 * ax.get_figure(root=True).get_figwidth())  # type: ignore[union-attr]


def narrow(ax: Axes) -> bool:
    """Return whether the chart is drawn for a phone."""
    return width_of(ax) < 0.75 * WIDE


def wrap_text(text: str, room: float) -> str:
    """Return a text broken into lines that fit into a width in points."""
    letters = max(4, int(room / (LETTER * SIZE)))
    parts = text.replace(" %", "\N{NO-BREAK SPACE}%").split("\n")
    broken = "\n".join(line for part in parts for line in textwrap.wrap(part, letters))
    return broken.replace("\N{NO-BREAK SPACE}", " ")


def wide(text: str) -> float:
    """Return about the width of a text in points."""
    return LETTER * SIZE * max(map(len, text.split("\n")))


def high(text: str) -> float:
    """Return the height of a text in points."""
    return LEADING * SIZE * (text.count("\n") + 1)


def around(values: Iterable[float | None], least: float = 0.0, room: float = 0.05) -> Span:
    """Return a span around the values with padding, at least `least` wide."""
    present = [value for value in values if value is not None]
    low, top = min(present, default=0.0), max(present, default=1.0)
    missing = max(0.0, least - (top - low)) / 2 or (0.5 if top == low else 0.0)
    padding = room * (top - low + 2 * missing)
    return low - missing - padding, top + missing + padding


def heading(ax: Axes, text: str, key: Mapping[str, Any]) -> None:
    """Write the unit above the chart, and a key of names and their samples."""
    names, room = [wrap_text(name, width_of(ax) - 40) for name in key], width_of(ax)
    columns = int((room + 10) / (42 + max(map(wide, names), default=0)))
    ax.figure.legend(
        list(key.values()),
        names,
        title=wrap_text(text, room) or None,
        loc="outside upper left",
        alignment="left",
        ncols=max(1, min(columns, len(key))),
    )


def sample(style: int, dot: bool = True, line: bool = True) -> Any:
    """Return a sample of a style for a key: of a line, a dot or both."""
    from matplotlib.lines import Line2D

    dash: Any = drawing.shape(drawing.LINES, style) if line else "none"
    marker = drawing.shape(drawing.MARKERS, style) if dot else ""
    return Line2D([], [], color=drawing.colour(style), linestyle=dash, marker=marker)


def patch(colour: str, alpha: float) -> Any:
    """Return a sample of a band or field for a key."""
    from matplotlib.patches import Patch

    return Patch(facecolor=colour, alpha=alpha, linewidth=0)


def numbers(ax: Axes, side: str, span: Span, form: str) -> None:
    """Set the span of the axis x or y, and put round numbers in a format on it."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    write, step = axis_form(form), 0.01 if "%" in form else 0.0
    most = {"x": (4, 8), "y": (4, 6)}[side][not narrow(ax)]
    if step:
        most = max(1, min(most, int((span[1] - span[0]) / step + 1e-9)))
    axis = {"x": ax.xaxis, "y": ax.yaxis}[side]
    ax.set(**{f"{side}lim": span})
    axis.set_major_locator(MaxNLocator(most, steps=[1, 2, 5, 10], integer="d" in form))
    axis.set_major_formatter(FuncFormatter(lambda value, _: write(value)))


def plot_area(ax: Axes, x: Span, y: Span, label: str, form: str, form_x: str = "{:d}") -> None:
    """Set the spans, numbers and label of a plot."""
    ax.grid(visible=False, axis="x")
    numbers(ax, "y", y, form)
    numbers(ax, "x", x, form_x)
    ax.set_xlabel(wrap_text(label, 0.85 * width_of(ax)), loc="left", multialignment="left")


def dots(
    ax: Axes,
    x: Any,
    y: Any,
    tips: Sequence[str],
    style: int,
    shown: bool = True,
    intervals: Mapping[str, Span] | None = None,
) -> None:
    """Draw markers with tooltips; those that are not shown only have tooltips.

    `intervals`: those of a single marker, along x or y.
    """
    colour, marker = drawing.colour(style), drawing.shape(drawing.MARKERS, style)
    for side, interval in (intervals or {}).items():
        ends = (interval, (y, y)) if side == "x" else ((x, x), interval)
        ax.plot(*ends, color=colour, linewidth=WIDTH)
    (drawn,) = ax.plot(x, y, marker, linestyle="none", color=colour if shown else "none", zorder=3)
    add_tips(drawn, tips)


def finish(ax: Axes, tall: float, ends: Sequence[End] = (), marks: Sequence[Mark] = ()) -> None:
    """Lay the chart out: a plot of a height in points, labels at its right, and marks named above it."""
    labels = [(end.y, _label_end(ax, end)) for end in ends]
    _name_marks(ax, marks, tall)
    figure: Any = ax.figure
    if figure.get_layout_engine() is None or len(figure.axes) > 1:
        return  # drawn among charts of a user, who decides on the layout
    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine(None)
    before, box = 72 * figure.get_figheight(), ax.get_position()
    below, above = box.y0 * before, (1 - box.y1) * before
    figure.set_figheight((below + tall + above) / 72)
    ax.set_position((box.x0, below / (below + tall + above), box.width, tall / (below + tall + above)))
    _spread(ax, labels, tall)


def room_at_ends(ax: Axes) -> float:
    """Return the greatest width of labels at the right in points."""
    return width_of(ax) * (0.34 if narrow(ax) else 0.27)


def _label_end(ax: Axes, end: End) -> Any:
    lead = {"arrowstyle": "-", "color": end.colour, "linewidth": 0.7, "relpos": (0, 0.5)}
    return ax.annotate(
        wrap_text(end.name, room_at_ends(ax)),
        (end.x, end.y),
        (1 + 9 / width_of(ax), end.y),
        textcoords=("axes fraction", "data"),
        va="center",
        color=hue("faint" if end.quiet else "ink"),
        arrowprops=lead | {"shrinkA": 1, "shrinkB": 4},
    )


def _spread(ax: Axes, labels: Sequence[tuple[float, Any]], tall: float) -> None:
    """Move labels that would overlap apart: up from the lowest, then down from the top of the plot."""
    low, top = ax.get_ylim()
    ordered = [label for _, label in sorted(labels, key=lambda pair: pair[0])]
    heights = [high(label.get_text()) + 2 for label in ordered]
    centres = [(label.get_position()[1] - low) / (top - low) * tall for label in ordered]
    for place in range(1, len(ordered)):
        least = centres[place - 1] + (heights[place - 1] + heights[place]) / 2
        centres[place] = max(centres[place], least)
    limit = max(tall, sum(heights) - SIZE) + SIZE / 2
    for place in reversed(range(len(ordered))):
        centres[place] = min(centres[place], limit - heights[place] / 2)
        limit = centres[place] - heights[place] / 2
    for label, centre in zip(ordered, centres, strict=True):
        label.set_position((label.get_position()[0], low + centre / tall * (top - low)))


def _name_marks(ax: Axes, marks: Sequence[Mark], tall: float) -> None:
    """Shade spans and draw dotted lines; write the names above in steps, so that none meets another."""
    (low, top), up = ax.get_xlim(), 3.0
    dotted: dict[str, Any] = {"color": hue("faint"), "linewidth": 1.2, "linestyle": (0, (1.5, 2.5))}
    for mark in sorted((mark for mark in marks if low <= mark.x <= top or mark.to), key=lambda m: -m.x):
        text, x = wrap_text(mark.name, 0.4 * width_of(ax)), mark.x
        if mark.to is None:
            ends, across = [0, 1 + (up if text else 0) / tall], ax.get_xaxis_transform()
            (line,) = ax.plot([x, x], ends, transform=across, clip_on=False, zorder=1.5, **dotted)
            line.set_in_layout(False)
        else:
            left, right = max(low, x), min(top, mark.to)
            ax.axvspan(left, right, color=hue("picked"), linewidth=0, zorder=0.5)
            x = (left + right) / 2
        if text:
            side = "right" if x > (low + top) / 2 else "left"
            at_edge = min(x - low, top - x) < EDGE * (top - low)
            centred = wide(text) < MAX_CENTRED and not at_edge
            ax.annotate(
                text, (x, 1), (0, up), xycoords=("data", "axes fraction"), textcoords="offset points",
                ha="center" if centred else side, ma="left", color=hue("faint"), gid=HALO,
            )  # fmt: skip
            up += high(text)
