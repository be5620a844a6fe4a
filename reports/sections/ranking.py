"""How often each strategy wins, against the share that all would have if equally strong."""

import polars as pl

from simkit.pages import Figure, Findings, Section, charts, figure, table
from simkit.pages.strengths import at_setting, caption, tables_of

TEXT = (
    "How often each strategy wins, over all lineups in which it met another, each lineup counting alike. "
    "The dashed line is the share of everybody if all were equally strong. Intervals that overlap do not "
    "settle an order."
)


def section(found: Findings) -> Section:
    """The ranking, best first."""
    ranked = found.ranking
    figures = [_picture(found, seats) for seats in tables_of(found, ranked)]
    names = "where strategy opponents share low high n"
    return Section("Ranking", [TEXT], figures, [table(found, ranked, names, "Ranking")])


def _picture(found: Findings, seats: int) -> Figure:
    shown = at_setting(found, found.ranking).filter(seats=seats)
    parts = {"label": "strategy", "kind": pl.lit(""), "style": pl.lit(-1), "fair": pl.lit(1 / seats)}
    alt = f"Share of games won by each strategy at a table of {seats}, with 95 % interval"
    about, how = caption(found, found.ranking, seats), {"fair": "if all were equal"}
    return figure(found, (f"ranking{seats}", charts.forest), shown, alt, about, parts, **how)
