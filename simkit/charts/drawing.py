"""A table and the function that draws it, kept until somebody wants the drawing: SVG to stand in a page, PNG to stand in a document."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import Any

import matplotlib as mpl
import polars as pl
from matplotlib.figure import Figure

from simkit.charts.look import STYLE, WIDTH

DPI = 200


class Picture:
    """A table to be drawn by a function that takes an Axes and the table; the same table gives the same text or bytes."""

    def __init__(
        self, name: str, draw: Callable[..., None], table: pl.DataFrame, height: float = 3.0, **how: Any
    ) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            raise ValueError(
                f"{name!r} cannot name a picture: it becomes ids and a file name, so lower-case letters, digits, - and _ only"
            )
        self.name, self.height = name, height
        self._draw, self._table, self._how = draw, table, how

    def svg(self) -> str:
        """The drawing as an element to put into a page: no header, links or comments, and ids that begin with its name."""
        buffer = io.StringIO()
        self._save(buffer, "svg", {"Date": None, "Creator": None, "Format": None, "Type": None})
        return _element(buffer.getvalue(), self.name)

    def png(self, dpi: int = DPI) -> bytes:
        """The drawing as a PNG file, on white."""
        buffer = io.BytesIO()
        self._save(buffer, "png", {"Software": None}, dpi)
        return buffer.getvalue()

    def _save(self, file: Any, kind: str, metadata: dict[str, None], dpi: int = DPI) -> None:
        with mpl.rc_context(STYLE | {"svg.hashsalt": self.name}):
            figure = Figure(figsize=(WIDTH, self.height), layout="constrained")
            self._draw(figure.add_subplot(), self._table, **self._how)
            figure.savefig(file, format=kind, metadata=metadata, dpi=dpi)


def picture(
    name: str, draw: Callable[..., None], table: pl.DataFrame, height: float = 3.0, **how: Any
) -> Picture:
    """A table to be drawn by one of the charts, `height` inches high; `how` goes to the chart."""
    return Picture(name, draw, table, height, **how)


def _element(svg: str, name: str) -> str:
    text = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    text = text[text.index("<svg") :].strip()
    text = re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1">', text, count=1)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)
