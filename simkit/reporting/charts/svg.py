"""Figures as SVG elements of a page: short, with its font, its colours for light and dark, and tooltips."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from xml.etree.ElementTree import Element, fromstring

from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

from simkit.reporting.charts.palette import COLOURS, HALO

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
