"""Figures as SVG elements of a page: short, with the page's font, its colours for light and dark, and tooltips."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from xml.etree import ElementTree

from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.text import Text

from simkit.reporting.charts.drawing import HALO
from simkit.reporting.charts.palette import COLOURS

NAMES = {light: name for name, (light, _) in COLOURS.items()}
TIPS, BLOCK = "tips:", "block:"  # ids of artists: tooltips of their marks; side and place of lines of text
SIZE = "9.5"  # usual font size
ANCHORS = {"left": "", "center": "middle", "right": "end"}
SPACE = '<tspan font-size="0"> </tspan>'  # between lines: read and copied, but without width
UNREADABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # not allowed in XML
METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def add_tips(artists: Sequence[Artist], tips: Sequence[str]) -> None:
    """Give tooltips to bars, one for each, or to the markers of a single line."""
    shared = len(artists) == 1
    for artist, tip in zip(artists, [tips] if shared else [[tip] for tip in tips], strict=True):
        artist.set_gid(TIPS + json.dumps(tip))


def svg(figure: Figure, name: str) -> str:
    """Return a figure as an SVG element; its ids begin with the name."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    canvas = FigureCanvasSVG(figure)
    _place_texts(figure)
    written = io.StringIO()
    with rc_context({"svg.hashsalt": name}):
        canvas.print_figure(written, format="svg", metadata=METADATA, facecolor="none")
    root = ElementTree.fromstring(re.sub(r'xmlns(:xlink)?="[^"]*"|xlink:', "", written.getvalue()))
    width, height = root.attrib["viewBox"].split()[2:]
    marks = "".join(_Page(name).written(root))
    head = f'viewBox="0 0 {_short(width)} {_short(height)}" font-size="{SIZE}" stroke-linejoin="round"'
    return f"<svg {head}>{marks}</svg>"


def _place_texts(figure: Figure) -> None:
    """Note where the lines of each text begin, end or have their middle: the page's font is not matplotlib's."""
    renderer = figure.canvas.get_renderer() if hasattr(figure.canvas, "get_renderer") else None
    for text in figure.findobj(Text):
        text.set_text(UNREADABLE.sub("\ufffd", text.get_text()))
        if "\n" in text.get_text() or text.get_gid() == HALO:
            box, side = text.get_window_extent(renderer), text.get_horizontalalignment()
            x = {"left": box.x0, "center": (box.x0 + box.x1) / 2, "right": box.x1}[side]
            text.set_gid(BLOCK + json.dumps([side, x, text.get_gid() == HALO]))


class _Page:
    """Writer of one picture: new ids, and the tooltips that wait for their marks."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ids: dict[str, str] = {}
        self.tips: list[str] = []

    def written(self, parent: ElementTree.Element) -> Iterator[str]:
        """Yield the elements within a parent."""
        for element in parent:
            gid = element.get("id", "")
            if gid.startswith(BLOCK):
                yield _text(element.findall(".//text"), *json.loads(gid.removeprefix(BLOCK)))
            elif gid.startswith(TIPS):
                self.tips = json.loads(gid.removeprefix(TIPS))
                yield from self.written(element)
            elif element.tag == "defs":
                yield from self._defined(element)
            elif element.tag == "g":
                yield from self.written(element)
            elif element.tag == "text":
                yield _text([element])
            elif element.tag in ("path", "use"):
                yield self._mark(element)

    def _defined(self, element: ElementTree.Element) -> Iterator[str]:
        """Yield markers and hatches; without clipping, as nothing is drawn beyond the axes."""
        for child in element:
            if child.tag == "path":
                yield f'<defs><path id="{self._id(child.attrib["id"])}" d="{_path(child.attrib["d"])}"/></defs>'
            elif child.tag == "pattern":
                (lines,) = child.findall("path")
                size = f'width="{child.attrib["width"]}" height="{child.attrib["height"]}"'
                start = f'<defs><pattern id="{self._id(child.attrib["id"])}" {size} patternUnits="userSpaceOnUse">'
                yield f'{start}<path d="{_path(lines.attrib["d"])}"{self._style(lines)}/></pattern></defs>'

    def _id(self, old: str) -> str:
        return self.ids.setdefault(old, f"{self.name}-{len(self.ids)}")

    def _mark(self, element: ElementTree.Element) -> str:
        style = self._style(element)
        if element.tag == "use":
            place = " ".join(f'{axis}="{_short(element.attrib[axis])}"' for axis in "xy")
            mark = f'<use href="#{self._id(element.attrib["href"].removeprefix("#"))}" {place}{style}/>'
        else:
            mark = f'<path d="{_path(element.attrib["d"])}"{style}/>'
        if self.tips and (tip := self.tips.pop(0)):
            return f'<g class="tip"><title>{escape(tip)}</title>{mark}</g>'
        return "" if element.tag == "path" and style == ' fill="none"' else mark

    def _style(self, element: ElementTree.Element) -> str:
        """Return colours, widths and dashes as attributes, without those that are usual."""
        style = _styles(element)
        hatch = re.match(r"url\(#(.*)\)", style.get("fill", ""))
        kept = {
            "fill": f"url(#{self._id(hatch[1])})" if hatch else _colour(style.get("fill", "none")),
            "stroke": _colour(style.get("stroke", "")),
            **{name: _short(style.get(name, "1"), 2) for name in ("stroke-width", "fill-opacity", "opacity")},
            "stroke-dasharray": " ".join(map(_short, re.findall(r"[\d.]+", style.get("stroke-dasharray", "")))),
        }
        usual = {"stroke-width": "1", "fill-opacity": "1", "opacity": "1"}
        return "".join(f' {name}="{value}"' for name, value in kept.items() if value and value != usual.get(name))


def _styles(element: ElementTree.Element) -> dict[str, str]:
    parts = (part.partition(":") for part in element.get("style", "").split(";"))
    return {name.strip(): value.strip() for name, _, value in parts if value}


def _colour(value: str) -> str:
    """Return a colour of the palette as the page's variable."""
    return f"var(--{NAMES[value]})" if value.startswith("#") else value


def _text(lines: Sequence[ElementTree.Element], side: str = "", x: float | None = None, halo: bool = False) -> str:
    """Return lines of text as one element; `side` is that of the anchor `x`, by default as drawn."""
    first, style = lines[0], _styles(lines[0])
    at = _short(_place(first)[0] if x is None else x)
    anchor = ANCHORS[side] if side else style.get("text-anchor", "")
    size = re.search(r"([\d.]+)px", f"{style.get('font-size')} {style.get('font')}")
    points = _short(size[1]) if size else SIZE
    attributes = {"font-size": points if points != SIZE else "", "text-anchor": anchor}
    attributes["font-weight"] = "700" if re.search("bold|700", first.get("style", "")) else ""
    attributes["fill"] = _colour(style.get("fill", ""))
    if halo:
        attributes |= {"stroke": "var(--paper)", "stroke-width": "3", "paint-order": "stroke"}
    texts = [escape(line.text or "", quote=False) for line in lines]
    more = "".join(
        f'{SPACE}<tspan x="{at}" y="{_short(_place(line)[1])}">{text}</tspan>'
        for line, text in zip(lines[1:], texts[1:], strict=True)
    )
    written = "".join(f' {name}="{value}"' for name, value in attributes.items() if value)
    return f'<text x="{at}" y="{_short(_place(first)[1])}"{written}>{texts[0]}{more}</text>'


def _place(text: ElementTree.Element) -> list[str]:
    """Return x and y of a line of text."""
    return re.findall(r"[-\d.e]+", text.get("transform", ""))[-2:]


def _path(d: str) -> str:
    """Return a path with numbers of one decimal.

    >>> _path("M 31.00024 268.49976 L -0.04 12 z")
    'M31 268.5L0 12z'
    """
    short = re.sub(r"-?\d[\d.]*(e-?\d+)?", lambda match: _short(match[0]), " ".join(d.split()))
    return re.sub(r" ?([A-Za-z]) ?", r"\1", short)


def _short(number: str | float, digits: int = 1) -> str:
    """Return a number with few decimals and without redundant zeros.

    >>> _short(3.0), _short(-0.04), _short(0.55), _short("12.25"), _short(0.16, 2)
    ('3', '0', '.6', '12.2', '.16')
    """
    text = f"{float(number):.{digits}f}".rstrip("0").removesuffix(".")
    return "0" if text == "-0" else re.sub(r"^(-?)0\.", r"\1.", text)
