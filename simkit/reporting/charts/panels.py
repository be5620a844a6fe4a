"""Small multiples: panels side by side with a common scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts import formats
from simkit.reporting.charts.drawing import HALO, chart
from simkit.reporting.charts.formats import number, points
from simkit.reporting.charts.frame import (
    LEADING,
    SIZE,
    SMALL,
    around,
    band_sample,
    heading,
    narrow,
    numbers,
    sample,
    width_of,
    wrapped,
)
from simkit.reporting.charts.palette import hue
from simkit.reporting.charts.series import BAND, INTERVAL, Line, band, first, lines_of, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@chart
def small_multiples(
    ax: Axes,
    table: pl.DataFrame,
    label: str = "Seat in the order of play",
    unit: str = "Percentage points above or below fair",
    margin: float = 0,
    aim: str = "fair",
) -> None:
    """Draw a panel per `panel`: along whole `x` (1, 2, …) the `value`, a fraction, about zero.

    The panels take the place of the axes. `low` and `high` are the interval (null: none), `line` names lines
    where there are several, `style` determines their style. All panels share a scale and the grey band of
    `margin` on both sides of zero, labelled `aim`. Each panel labels its highest and lowest value outside the
    band.
    """
    table = table if "line" in table.columns else table.with_columns(line=pl.lit(""))
    drawn, names = list(lines_of(table)), table["panel"].unique(maintain_order=True).to_list()
    key = {line.name: sample(line.style) for line in drawn} if len(drawn) > 1 else {}
    key |= {INTERVAL: band_sample(hue("g1"), 2 * BAND)} if table["low"].null_count() < table.height else {}
    heading(ax, unit, key | ({aim: band_sample(hue("band"))} if margin else {}))
    span = around([*table["low"], *table["high"], *table["value"], -margin, margin, 0.0], 0.06, 0.12)
    per_row = min(len(names), 2 if narrow(ax) else 3)
    grid = ax.get_subplotspec().subgridspec(-(-len(names) // per_row), per_row)
    tall = 95.0 if narrow(ax) else 130.0
    titles = [wrapped(str(name), 0.85 * width_of(ax) / per_row) for name in names]
    lines = 1 + max(title.count("\n") for title in titles)
    ax.set_axis_off()
    figure = ax.figure
    for place, name in enumerate(names):
        panel = figure.add_subplot(grid[place // per_row, place % per_row])
        panel.set_title(titles[place], loc="left", fontsize=SIZE)
        _frame(panel, table.filter(panel=name), span, margin, place % per_row == 0)
        for line in drawn:
            _line(panel, line, str(name), label)
        _label_extremes(panel, table.filter(panel=name), margin)
    figure.supxlabel(wrapped(label, width_of(ax)), fontsize=SIZE)
    rows = grid.nrows * (tall + 34 + lines * LEADING * SIZE) + 20
    key_rows = 1 + sum(1 + len(name) * 6 // int(width_of(ax)) for name in key)
    if len(figure.axes) == len(names) + 1:
        figure.set_figheight((rows + key_rows * LEADING * SIZE) / 72)


def _frame(panel: Axes, part: pl.DataFrame, span: tuple[float, float], margin: float, numbered: bool) -> None:
    """Draw the scale, the band and the places along x of a panel."""
    panel.set_xlim(around(part["x"], 1.0, 0.06))
    panel.set_ylim(span)
    panel.grid(visible=False, axis="x")
    panel.set_xticks(part["x"].unique().sort().to_list(), [number(x) for x in part["x"].unique().sort()])
    numbers(panel.yaxis, span, 4, points, 0.01)
    panel.tick_params(axis="x", length=0)
    panel.tick_params(axis="y", labelleft=numbered)
    panel.spines["bottom"].set_visible(False)
    if margin:
        panel.axhspan(-margin, margin, color=hue("band"), linewidth=0, zorder=0.7)
    panel.axhline(0, color=hue("edge"), linewidth=0.9)


def _line(panel: Axes, line: Line, name: str, label: str) -> None:
    own = line._replace(rows=line.rows.filter(panel=name))
    if not own.rows.height:
        return
    band(panel, own)
    subject = formats.named(name, line.name)

    def tip(row: Any) -> str:
        return formats.tooltip(row, f"{subject}, {first(label).lower()} {number(row['x'])}", "value", points)

    stroke(panel, own, "value", tip)


def _label_extremes(panel: Axes, part: pl.DataFrame, margin: float) -> None:
    """Label the highest and the lowest value outside the band."""
    values = part.drop_nulls("value").sort("value")
    low, high = panel.get_xlim()
    for row, side in ((values.row(-1, named=True), 1), (values.row(0, named=True), -1)):
        if side * row["value"] > margin:
            place = (row["x"] - low) / (high - low)
            text, ha = points(round(row["value"], 2)), "left" if place < 0.1 else "right" if place > 0.9 else "center"
            panel.annotate(
                text, (row["x"], row["value"]), (0, 5 * side), textcoords="offset points", ha=ha,
                va="bottom" if side > 0 else "top", fontsize=SMALL, gid=HALO,
            )  # fmt: skip
