"""Small multiples: panels side by side with a common scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.reporting.charts.drawing import HALO, chart
from simkit.reporting.charts.formats import points
from simkit.reporting.charts.frame import (
    SIZE,
    SMALL,
    Span,
    around,
    heading,
    high,
    narrow,
    patch,
    plot_area,
    sample,
    width_of,
    wrapped,
)
from simkit.reporting.charts.palette import hue
from simkit.reporting.charts.series import BAND, INTERVAL, Line, draw, first, lines_of

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
    key |= {INTERVAL: patch(drawn[0].colour, 2 * BAND)} if drawn[0].intervals.height else {}
    heading(ax, unit, key | ({aim: patch(hue("band"))} if margin else {}))
    span = around([*table["low"], *table["high"], *table["value"], -margin, margin, 0.0], 0.06, 0.12)
    per_row, figure = min(len(names), 2 if narrow(ax) else 3), ax.figure
    titles = [wrapped(str(name), 0.85 * width_of(ax) / per_row) for name in names]
    rows = -(-len(names) // per_row)
    grid: Any = ax.get_subplotspec().subgridspec(rows, per_row)  # type: ignore[union-attr]
    ax.set_axis_off()
    for place, name in enumerate(names):
        panel = figure.add_subplot(grid[divmod(place, per_row)])
        panel.set_title(titles[place], loc="left", fontsize=SIZE)
        own = [line._replace(rows=line.rows.filter(panel=name)) for line in drawn]
        _panel(
            panel, [line for line in own if line.rows.height], str(name), first(label).lower(), span, margin
        )
        panel.tick_params(axis="y", labelleft=place % per_row == 0)
    figure.supxlabel(wrapped(label, width_of(ax)), fontsize=SIZE)
    _finish(ax, rows * ((95 if narrow(ax) else 130) + 34 + max(map(high, titles))) + 30 + 14 * len(key))


def _finish(ax: Axes, tall: float) -> None:
    figure: Any = ax.figure
    if figure.get_layout_engine():
        figure.set_figheight(tall / 72)
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine(None)


def _panel(panel: Axes, lines: list[Line], name: str, label: str, span: Span, margin: float) -> None:
    """Draw the scale, the band and the lines of a panel."""
    rows = pl.concat([line.rows for line in lines])
    plot_area(panel, around(rows["x"], 1.0, 0.06), span, "", points, 0.01)
    panel.set_xticks(rows["x"].unique().sort().to_list())
    panel.tick_params(axis="x", length=0)
    panel.spines["bottom"].set_visible(False)
    panel.axhspan(-margin, margin, color=hue("band"), linewidth=0, zorder=0.7)
    panel.axhline(0, color=hue("edge"), linewidth=0.9)
    named = [line._replace(name=f"{name}, {line.name}".removesuffix(", ")) for line in lines]
    draw(panel, named, label, "value", points)
    values = rows.drop_nulls("value").sort("value")
    for row, side in ((values.row(-1, named=True), 1), (values.row(0, named=True), -1)):
        if side * row["value"] > margin:
            last = row["x"] > rows["x"].mean()
            panel.annotate(
                points(round(row["value"], 2)), (row["x"], row["value"]), (4 if last else -4, 5 * side),
                textcoords="offset points", ha="right" if last else "left",
                va="bottom" if side > 0 else "top", fontsize=SMALL, gid=HALO,
            )  # fmt: skip
