"""The course of one game: a line per seat along its turns, marked where it turned."""

import polars as pl
from matplotlib.axes import Axes

from simkit.charts import look
from simkit.charts.courses import _line, _parts, _whole_numbers
from simkit.charts.drawing import chart


@chart(lambda table: 3.2 + 0.1 * table["line"].n_unique())
def score_line(
    ax: Axes, table: pl.DataFrame, marks: pl.DataFrame, label: str = "Turn", unit: str = "Score"
) -> None:
    """Along x: y, one line per `line`; `marks` (x, text) stand above the turns that they name."""
    for name, how, part in _parts(table):
        _line(ax, name, how, part, "y")
    for place, (x, text) in enumerate(marks.select("x", "text").iter_rows()):
        ax.axvline(x, color=look.FAINT, linestyle=":", linewidth=1)
        look.above(ax, x, text + "\n" * (len(marks) - 1 - place))  # one line each: neighbours do not meet
    _whole_numbers(ax, label)
    ax.set_ylabel(unit)
    look.legend_below(ax)
