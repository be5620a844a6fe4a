"""Pictures: a table and its chart, drawn on demand by matplotlib as SVG or PNG."""

import io
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts.palette import hue

if TYPE_CHECKING:  # pages without charts do not import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
else:
    Axes = Figure = Any

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
        from simkit.reporting.charts.svg import svg

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
