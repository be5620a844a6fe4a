"""Pictures of tables: the colours and styles of their marks, and the drawings as SVG of a page or as PNG.

Matplotlib is imported where something is drawn: commands that draw nothing do without it.
"""

import io
import json
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, fromstring

import polars as pl

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
else:
    Artist = Axes = Figure = Any

# Colours on light and dark pages, and the styles of lines and dots that distinguish things without colour.

HALO = "halo"  # id of texts that lie on lines: a page draws the colour of paper around them
PAPERS = "#ffffff", "#16181b"  # backgrounds of a light and a dark page
# Contrast is at least 3:1 on both backgrounds for lines, dots and fields, 4.5:1 for texts. The colours follow
# Okabe & Ito 2008, "Color Universal Design", which colour-blind readers can distinguish.
SERIES = [("#0065a8", "#6cb4f0"), ("#b86e00", "#f0b040"), ("#1b1b1b", "#f2f2f2"), ("#3a93c8", "#4a90c4")]
SERIES += [("#c8420a", "#ff8a5c"), ("#008060", "#3cc79a"), ("#a8558a", "#e39ac8")]
GREYS = [("#4a4a4a", "#b8b8b8"), ("#858585", "#858585")]  # for anything but seats and lineups
COLOURS = {
    "ink": ("#1c1c1c", "#e6e6e6"),
    "faint": ("#595959", "#a8a8a8"),
    "paper": PAPERS,
    "grid": ("#dcdcdc", "#34383d"),
    "band": ("#e2e4e6", "#33383e"),
    "picked": ("#fdeec9", "#40351a"),
    "above": ("#f0a838", "#8f5200"),
    "below": ("#5cb0e8", "#1c5f96"),
    "edge": ("#767676", "#8a8a8a"),
    **{f"c{place}": pair for place, pair in enumerate(SERIES)},
    **{f"g{place}": pair for place, pair in enumerate(GREYS)},
}
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", "*", "p"]
# Lengths of lines and gaps in points; a line that is not dashed has none.
Dash = tuple[float, ...] | None
DASHES: list[Dash] = [None, (6, 2.5), (6, 2, 1.5, 2), (1.6, 1.8), (6, 1.5, 1.5, 1.5, 1.5, 1.5), (10, 2.5)]
DASHES += [(3, 1.5), (12, 3, 3, 3), (4, 4), (9, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5)]
LINES = [(0, dash) for dash in DASHES]  # offset and lengths, as of matplotlib


def hue(name: str) -> str:
    """Return a named colour as it is on a light page; each name has another one."""
    return COLOURS[name][0]


def colour(style: int) -> str:
    """Return a style's colour; negative styles are grey."""
    return hue(f"g{(-1 - style) % len(GREYS)}" if style < 0 else f"c{style % len(SERIES)}")


def shape(variants: Sequence[Any], style: int) -> Any:
    """Return the variant (one of MARKERS or LINES) that distinguishes a style without colour."""
    return variants[(-1 - style if style < 0 else style) % len(variants)]


def styles(table: pl.DataFrame, column: str) -> dict[str, int]:
    """Return the style of each value of a column: from the table's `style`, else by order."""
    if "style" not in table.columns:
        return {name: place for place, name in enumerate(table[column].unique(maintain_order=True))}
    return dict(table.unique(column, keep="first", maintain_order=True).select(column, "style").iter_rows())


# Figures as SVG elements of a page: short, with its font, its colours for light and dark, and tooltips.

NAMES = {light: name for name, (light, _) in COLOURS.items()}
TIPS = "tips:"  # begins the id of an artist that has a tooltip for each of its marks
UNREADABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # not allowed in XML
DECIMALS = {"fill-opacity": 2, "opacity": 2}
USUAL = {"stroke-width": "1", "font-size": "10.5", "fill-opacity": "1"}
ATTRIBUTES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "opacity"]
ATTRIBUTES += ["font-size", "font-weight", "text-anchor"]


def add_tips(artist: Artist, tips: Sequence[str]) -> None:
    """Give a tooltip to each mark of an artist: the markers of a line, or a bar."""
    artist.set_gid(TIPS + json.dumps(list(tips)))


def svg(figure: Figure, name: str) -> str:
    """Return a figure as an SVG element; its ids begin with the name."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    written, no_metadata = io.StringIO(), dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with rc_context({"svg.hashsalt": name}):
        FigureCanvasSVG(figure).print_figure(written, format="svg", metadata=no_metadata)
    plain = re.sub(r'xmlns(:xlink)?="[^"]*"|xlink:', "", UNREADABLE.sub("\ufffd", written.getvalue()))
    root = fromstring(plain)
    size = " ".join(map(_short, root.attrib["viewBox"].split()))
    marks = "".join(_Writer(name).write(root))
    return f'<svg viewBox="{size}" font-size="10.5" stroke-linejoin="round">{marks}</svg>'


class _Writer:
    """Writer of one picture, with its new ids."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ids: dict[str, str] = {}

    def write(self, parent: Element, tips: Sequence[str] = ()) -> Iterator[str]:
        """Yield the elements within a parent; without clipping, as nothing is drawn beyond the axes."""
        waiting = iter(tips)
        for element in parent:
            gid = element.get("id", "")
            if gid.startswith(TIPS):
                yield from self.write(element, json.loads(gid.removeprefix(TIPS)))
            elif gid == HALO:
                yield f'<g class="halo">{"".join(self.write(element))}</g>'
            elif element.tag == "defs":
                paths = element.findall("path")
                markers = [f'<path id="{self._id(path)}" d="{_path(path)}"/>' for path in paths]
                yield f"<defs>{''.join(markers)}</defs>"
            elif element.tag == "g":
                yield from self.write(element, list(waiting))
            elif element.tag == "text":
                yield self._text(element)
            elif element.tag in ("path", "use"):
                mark, tip = self._mark(element), next(waiting, "")
                mark = f'<g class="tip"><title>{escape(tip)}</title>{mark}</g>' if tip else mark
                yield "" if mark.endswith('z" fill="none"/>') else mark  # the ground

    def _id(self, element: Element, attribute: str = "id") -> str:
        old = element.attrib[attribute].removeprefix("#")
        return self.ids.setdefault(old, f"{self.name}-{len(self.ids)}")

    def _mark(self, element: Element) -> str:
        style = self._style(element)
        if element.tag == "use":
            x, y = (_short(element.attrib[axis]) for axis in "xy")
            return f'<use href="#{self._id(element, "href")}" x="{x}" y="{y}"{style}/>'
        return f'<path d="{_path(element)}"{style}/>'

    def _text(self, element: Element) -> str:
        x, y = map(_short, re.findall(r"[-\d.]+", element.attrib["transform"])[-2:])
        style = self._style(element)
        return f'<text x="{x}" y="{y}"{style}>{escape(element.text or "", quote=False)}</text>'

    def _style(self, element: Element) -> str:
        """Return the style as attributes, without what is usual; colours are variables of the page."""
        style = dict(re.findall(r"([\w-]+): ([^;]+)", element.get("style", "")))
        written = {name: self._value(name, style[name]) for name in ATTRIBUTES if name in style}
        return "".join(f' {name}="{value}"' for name, value in written.items() if value != USUAL.get(name))

    def _value(self, name: str, value: str) -> str:
        if value.startswith("#"):
            return f"var(--{NAMES[value]})"
        digits = DECIMALS.get(name, 1)
        return re.sub(r"(\d+\.?\d*)(px)?", lambda number: _short(number[1], digits), value)


def _path(element: Element) -> str:
    """Return the path of an element with numbers of one decimal."""
    short = re.sub(r"-?\d[\d.]*", lambda number: _short(number[0]), " ".join(element.attrib["d"].split()))
    return re.sub(r" ?([A-Za-z]) ?", r"\1", short)


def _short(number: str, digits: int = 1) -> str:
    """Return a number with few decimals and without redundant zeros.

    >>> _short("3.0"), _short("-0.04"), _short("0.55"), _short("12.25"), _short("0.16", 2)
    ('3', '0', '.6', '12.2', '.16')
    """
    text = f"{float(number):.{digits}f}".rstrip("0").removesuffix(".") if "." in number else number
    return "0" if text == "-0" else re.sub(r"^(-?)0\.", r"\1.", text)


# Pictures: a table and its chart, drawn on demand by matplotlib as SVG or PNG.

WIDE, NARROW = 540.0, 310.0  # widths in points for desks and phones
STYLE = Path(__file__).with_name("simkit.mplstyle")
Chart = Callable[..., "Axes"]  # draws a table: chart(table, ax=None, **how)


def chart(plot: Callable[..., None]) -> Chart:
    """Return a function that draws a table in the project's style on the axes, or on new axes."""

    @wraps(plot)
    def draw(table: pl.DataFrame, ax: Axes | None = None, width: float = WIDE, **how: Any) -> Axes:
        from matplotlib.figure import Figure

        unknown = [pl.lit(None, pl.Float64).alias(end) for end in ("low", "high") if end not in table.columns]
        with style():  # in a figure with room for long labels; `finish` gives it its height
            ax = ax or Figure(figsize=(width / 72, 60), dpi=72, layout="constrained").add_subplot()
            plot(ax, table.with_columns(unknown), **how)
            return ax

    return draw


@contextmanager
def style() -> Iterator[None]:
    """Draw in the project's style, whatever the user's settings are, and leave these alone."""
    import matplotlib.style

    with matplotlib.style.context(STYLE, after_reset=True), warnings.catch_warnings():
        # The page's font draws the letters that matplotlib's lacks.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        yield


@dataclass
class Picture:
    """A table and the chart that draws it; the same table gives the same output."""

    name: str
    draw: Chart
    table: pl.DataFrame
    how: dict[str, Any]

    def figure(self, narrow: bool = False) -> Figure:
        """Return the drawing for a desk or, narrow, for a phone."""
        axes = self.draw(self.table, width=NARROW if narrow else WIDE, **self.how)
        return axes.get_figure(root=True)  # type: ignore[return-value]

    def svg(self, narrow: bool = False) -> str:
        """Return the drawing as an SVG element; its ids begin with the name and differ between the widths."""
        with style():
            return svg(self.figure(narrow), f"{self.name}-narrow" if narrow else self.name)

    def png(self) -> bytes:
        """Return the wide drawing as a PNG file, on white."""
        buffer, white = io.BytesIO(), hue("paper")
        with style():
            self.figure().savefig(buffer, format="png", facecolor=white, dpi=200, metadata={"Software": None})
        return buffer.getvalue()


def picture(name: str, draw: Chart, table: pl.DataFrame, **how: Any) -> Picture:
    """Return a picture of a table by a chart; `how` are options of the chart."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        allowed = "lower-case letters, digits, - and _ only"
        raise ValueError(f"{name!r} cannot name a picture: it becomes ids and a file name, so {allowed}")
    return Picture(name, draw, table, how)
