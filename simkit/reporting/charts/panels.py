"""Small multiples: panels side by side with a common scale."""

from dataclasses import dataclass
from typing import Any

import polars as pl

from simkit.reporting.charts import tooltips
from simkit.reporting.charts.letters import ASCENT, LEADING, SIZE, SMALL, broken, high, wide, widest
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import GAP, Plot, key, titled
from simkit.reporting.charts.scales import Scale, around, more_or_less, nice, number
from simkit.reporting.charts.strokes import Line, band, first, lines_of, sample, stroke

PANEL_GAP = 12.0  # points between panels


@dataclass
class Common:
    """Settings shared by all panels: styles of lines, scale and its numbers, band, size."""

    lines: list[Line]
    span: tuple[float, float]
    ticks: list[float]
    margin: float
    label: str
    wide: float
    high: float


def small_multiples(
    paper: Paper,
    table: pl.DataFrame,
    label: str = "Seat in the order of play",
    unit: str = "Percentage points above or below fair",
    margin: float = 0,
    aim: str = "fair",
) -> None:
    """Draw a panel per `panel`: along whole `x` (1, 2, …) the `value`, a fraction, about zero.

    `low` and `high` are the interval (null: none), `line` names lines where there are several (a key is
    added), `style` determines their style. All panels share a scale and the grey band of `margin` on both
    sides of zero, labelled `aim`. Each panel labels its highest and lowest value outside the band.
    """
    table = table if "line" in table.columns else table.with_columns(line=pl.lit(""))
    titled(paper, unit)
    lines, panels = list(lines_of(table)), table["panel"].unique(maintain_order=True).to_list()
    _key(paper, lines, aim if margin else "")
    span = around([*table["low"], *table["high"], *table["value"], -margin, margin, 0.0], 0.04, 0.1)
    ticks = nice(*span, 5, 0.01)
    left = widest([_points(tick) for tick in ticks]) + GAP
    per_row = min(len(panels), 2 if paper.narrow else 3)
    width = (paper.width - left - PANEL_GAP * (per_row - 1)) / per_row
    common = Common(lines, span, ticks, margin, label, width, 90.0 if paper.narrow else 125.0)
    for start in range(0, len(panels), per_row):
        _row(paper, table, panels[start : start + per_row], left, common)
    words = broken(label, paper.width - left)
    paper.text(left, paper.height + ASCENT * SIZE, words)
    paper.height += high(list(words)) + 2


def _key(paper: Paper, lines: list[Line], aim: str) -> None:
    line = sample(paper, lines)

    def put(x: float, y: float, name: str) -> None:
        if name == aim:
            paper.field((x, y - 5, x + 22, y + 5), "band")
            paper.line([(x, y), (x + 22, y)], "edge", 0.9)
        else:
            line(x, y, name)

    key(paper, [*([drawn.name for drawn in lines] if len(lines) > 1 else []), *([aim] if aim else [])], put)


def _row(paper: Paper, table: pl.DataFrame, panels: list[Any], left: float, common: Common) -> None:
    """Draw panels side by side; the numbers of the scale stand at the first."""
    names = [list(broken(str(panel), common.wide)) for panel in panels]
    top = paper.height + max(map(high, names)) + SMALL + 3
    for place, (panel, name) in enumerate(zip(panels, names, strict=True)):
        x = left + place * (common.wide + PANEL_GAP)
        paper.text(x, paper.height + ASCENT * SIZE, name)
        part = table.filter(pl.col("panel") == panel)
        places = around(part["x"], 1.0, 0.06)
        across = Scale(*places, x, x + common.wide)
        _panel(Plot(paper, across, Scale(*common.span, top + common.high, top)), part, str(panel), common)
        for tick in common.ticks if place == 0 else []:
            paper.middle(left - GAP, _at(common, top, tick), _points(tick), "end", colour="faint")
    paper.height = top + common.high + SMALL + GAP + LEADING * SIZE + 4


def _at(common: Common, top: float, value: float) -> float:
    return Scale(*common.span, top + common.high, top)(value)


def _panel(plot: Plot, part: pl.DataFrame, panel: str, common: Common) -> None:
    paper, ends = plot.paper, (plot.x.start, plot.x.end)
    for tick in common.ticks:
        paper.line([(end, plot.y(tick)) for end in ends], "grid", 0.8)
    if common.margin:
        paper.field((ends[0], plot.y(common.margin), ends[1], plot.y(-common.margin)), "band")
    paper.line([(end, plot.y(0)) for end in ends], "edge", 0.9)
    for line in common.lines:
        own = line._replace(rows=part.filter(pl.col("line") == line.name).sort("x"))
        if own.rows.height:
            _line(plot, own, panel, first(common.label))
    for x in part["x"].unique().sort():
        base = plot.y.start + SMALL + GAP + ASCENT * SIZE
        paper.text(plot.x(x), base, number(x), "middle", "faint")
    _ends(plot, part, common)


def _line(plot: Plot, line: Line, panel: str, axis: str) -> None:
    band(plot, line, "low", "high", 0.16)
    subject = tooltips.named(panel, line.name)

    def tip(row: dict[str, Any]) -> str:
        return tooltips.tooltip(row, f"{subject}, {axis.lower()} {number(row['x'])}", "value", _exact)

    stroke(plot, line, "value", tip)


def _ends(plot: Plot, part: pl.DataFrame, common: Common) -> None:
    """Label the highest and the lowest value outside the band."""
    values = part.drop_nulls("value").sort("value")
    for row, side in ((values.row(-1, named=True), 1), (values.row(0, named=True), -1)):
        if side * row["value"] > common.margin:
            text = _points(round(row["value"], 2))
            base = plot.y(row["value"]) + (-6 if side > 0 else 6 + ASCENT * SMALL)
            half = wide(text, SMALL) / 2
            x = max(plot.x.start + half, min(plot.x(row["x"]), plot.x.end - half))
            plot.paper.text(x, base, text, "middle", size=SMALL, halo=True)


def _points(value: float) -> str:
    return more_or_less(round(100 * value, 6))


def _exact(value: float) -> str:
    return more_or_less(round(100 * value, 1))
