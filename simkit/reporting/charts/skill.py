"""Skill and luck: how fast the share of a player with errors falls."""

import polars as pl

from simkit.reporting.charts import tooltips
from simkit.reporting.charts.paper import Paper
from simkit.reporting.charts.plot import Ticks, axes, label_ends
from simkit.reporting.charts.scales import nice, percent
from simkit.reporting.charts.strokes import draw, ends_of, lines_of


def skill_curve(paper: Paper, table: pl.DataFrame, label: str, unit: str) -> None:
    """Draw along x `share` with its band, a line per `line`, labelled at its end; `beside` lines are grey.

    Shares are relative to the fair share, the line at 100 %.
    """
    lines, tall = list(lines_of(table)), 220.0 if paper.narrow else 290.0
    grey = [line._replace(colour="edge", marker="") for line in lines if line.rows["is_other_game"][0]]
    own = [line for line in lines if not line.rows["is_other_game"][0]]
    ends = ends_of(paper, grey + own, tall)
    for end in ends[: len(grey)]:
        end.quiet = True
    last = max(table["x"])
    ticks: Ticks = [(x, percent(x)) for x in nice(0, last, 9, 0.01)]
    top = max(1.05, *table["high"].drop_nulls())
    plot = axes(paper, (0, last), (0, top), tall, unit, label, percent, ticks, 0.01, ends)
    paper.line([plot.at(0, 1), plot.at(last, 1)], "ink", 1)
    draw(plot, grey + own, "share", tooltips.exact, label)
    label_ends(plot, ends)
