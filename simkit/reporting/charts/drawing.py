"""A table and the chart that draws it, kept until somebody wants the drawing, as SVG or PNG."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from simkit.reporting.charts.paper import NARROW, WIDE, Paper
from simkit.reporting.charts.vector import svg

Chart = Callable[..., None]  # draws a table onto a paper: chart(paper, table, **how)
DPI = 200


@dataclass
class Picture:
    """A table to be drawn by a chart; the same table gives the same text or bytes."""

    name: str
    draw: Chart
    table: pl.DataFrame
    how: dict[str, Any]

    def drawn(self, narrow: bool = False) -> Paper:
        """The drawing for a desk or, narrow, for a phone."""
        paper = Paper(NARROW if narrow else WIDE)
        self.draw(paper, self.table, **self.how)
        return paper

    def svg(self, narrow: bool = False) -> str:
        """The drawing as an element of a page; ids begin with its name and differ between the two widths."""
        return svg(self.drawn(narrow), f"{self.name}-narrow" if narrow else self.name)

    def png(self, dpi: int = DPI) -> bytes:
        """The wide drawing as a PNG file, on white."""
        from simkit.reporting.charts.raster import png  # a page needs no matplotlib figures

        return png(self.drawn(), dpi)


def picture(name: str, draw: Chart, table: pl.DataFrame, **how: Any) -> Picture:
    """A table to be drawn by one of the charts; `how` goes to the chart."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        allowed = "lower-case letters, digits, - and _ only"
        raise ValueError(f"{name!r} cannot name a picture: it becomes ids and a file name, so {allowed}")
    return Picture(name, draw, table, how)
