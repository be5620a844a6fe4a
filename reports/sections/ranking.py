"""How often each strategy wins, against the share that all would have if equally strong."""

import polars as pl

from simkit.pages import Findings, Section, charts, figure, prose, table
from simkit.pages.strengths import by_size

TEXT = prose("""How often each strategy wins, over all lineups in which it met another, each lineup counting
    alike. The dashed line is the share of everybody if all were equally strong. Intervals that overlap do not
    settle an order.""")


def section(found: Findings) -> Section:
    parts, figures = {"label": "strategy", "kind": pl.lit(""), "style": pl.lit(-1)}, []
    for seats, shown, about in by_size(found, found.ranking):
        alt = f"Share of games won by each strategy at a table of {seats}, with 95 % interval"
        chart, fair = (f"ranking{seats}", charts.forest), {"fair": pl.lit(1 / seats)}
        figures.append(figure(found, chart, shown, alt, about, parts | fair, fair="if all were equal"))
    names = "where strategy opponents share low high n"
    return Section("Ranking", [TEXT], figures, [table(found, found.ranking, names, "Ranking")])
