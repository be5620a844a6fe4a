"""A table and the chart that draws it, kept until somebody wants the drawing, as SVG or PNG."""

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import polars as pl
from matplotlib.figure import Figure

from simkit.charts.look import STYLE, WIDTH

Draw = Callable[..., None]
DPI = 200
HEIGHT = 3.0  # inches of a drawing that does not say how high it is


@dataclass
class Chart:
    """A function that draws a table onto an Axes, and how many inches high the drawing of a table is."""

    draw: Draw
    height: Callable[[pl.DataFrame], float]

    def __call__(self, ax: Any, table: pl.DataFrame, *more: Any, **how: Any) -> None:
        self.draw(ax, table, *more, **how)


def chart(height: Callable[[pl.DataFrame], float]) -> Callable[[Draw], Chart]:
    return lambda draw: Chart(draw, height)


@dataclass
class Picture:
    """A table to be drawn by a chart; the same table gives the same text or bytes."""

    name: str
    draw: Draw
    table: pl.DataFrame
    height: float
    how: dict[str, Any]

    def svg(self) -> str:
        """The drawing as an element of a page: no header, links or comments; ids begin with its name."""
        buffer = io.StringIO()
        self._save(buffer, "svg", dict.fromkeys(("Date", "Creator", "Format", "Type")))
        text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.DOTALL)
        text = text[text.index("<svg") :].strip()
        text = re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1">', text, count=1)
        return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{self.name}-", text)

    def png(self, dpi: int = DPI) -> bytes:
        """The drawing as a PNG file, on white."""
        buffer = io.BytesIO()
        self._save(buffer, "png", {"Software": None}, dpi)
        return buffer.getvalue()

    def _save(self, file: Any, kind: str, metadata: dict[str, None], dpi: int = DPI) -> None:
        with mpl.rc_context(STYLE | {"svg.hashsalt": self.name}):
            figure = Figure(figsize=(WIDTH, self.height), layout="constrained")
            self.draw(figure.add_subplot(), self.table, **self.how)
            figure.savefig(file, format=kind, metadata=metadata, dpi=dpi)


def picture(name: str, draw: Draw, table: pl.DataFrame, height: float | None = None, **how: Any) -> Picture:
    """A table to be drawn by one of the charts; `how` goes to the chart."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        allowed = "lower-case letters, digits, - and _ only"
        raise ValueError(f"{name!r} cannot name a picture: it becomes ids and a file name, so {allowed}")
    usual = draw.height(table) if isinstance(draw, Chart) else HEIGHT
    return Picture(name, draw, table, height or usual, how)
