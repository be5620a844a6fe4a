"""Pictures: a table and its chart, drawn on demand as SVG or PNG."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import polars as pl

from simkit.reporting.charts.paper import NARROW, WIDE, Paper
from simkit.reporting.charts.vector import svg

Chart = Callable[..., None]  # draws a table on a paper: chart(paper, table, **how)
DPI = 200


@dataclass
class Picture:
    """A table and the chart that draws it; the same table gives the same output."""

    name: str
    draw: Chart
    table: pl.DataFrame
    how: dict[str, Any]

    def drawn(self, narrow: bool = False) -> Paper:
        """Return the drawing for a desk or, narrow, for a phone."""
        paper = Paper(NARROW if narrow else WIDE)
        self.draw(paper, self.table, **self.how)
        return paper

    def svg(self, narrow: bool = False) -> str:
        """Return the drawing as an SVG element; its ids begin with the name and differ between the widths."""
        return svg(self.drawn(narrow), f"{self.name}-narrow" if narrow else self.name)

    def png(self, dpi: int = DPI) -> bytes:
        """Return the wide drawing as a PNG file, on white."""
        from simkit.reporting.charts.raster import png  # pages are drawn without matplotlib

        return png(self.drawn(), dpi)


def picture(name: str, draw: Chart, table: pl.DataFrame, **how: Any) -> Picture:
    """Return a picture of a table by a chart; `how` are options of the chart."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        allowed = "lower-case letters, digits, - and _ only"
        raise ValueError(f"{name!r} cannot name a picture: it becomes ids and a file name, so {allowed}")
    return Picture(name, draw, table, how)
