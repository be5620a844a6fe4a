"""How often a team wins at each setting with each lineup: the answer where there is no target."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting import charts
from simkit.reporting.document import Figure, Show, Table
from simkit.reporting.pages.columns import table
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text.labels import labels_of

MAX_COLUMNS = 8  # lineups with a column each


def wins_grid(findings: Findings) -> Figure:
    """Return the share of won games by setting and lineup, with half the width of the intervals."""
    first = findings.first_player_advantage
    row = "setting" if first["setting"].n_unique() > 1 else "lineup"
    column = "lineup" if row == "setting" else pl.lit("the team wins")
    half = (50 * (pl.col("high") - pl.col("low"))).round(1)
    parts = {"row": row, "column": column, "note": pl.format("± {}", half)}
    alt = "Games of 100 that the team wins, with half the width of the 95 % intervals"
    return figure(findings, ("wins", charts.heat), first, alt, "", parts, across="", title="The team wins, %")


def wins_table(findings: Findings) -> Table:
    """Return the share of won games: a row per setting and a column per lineup, or a row for each of both."""
    first, caption = findings.first_player_advantage, "How often the team wins"
    lineups = first["lineup"].unique(maintain_order=True).to_list()
    if len(lineups) > MAX_COLUMNS:
        return table(findings, first, "cell share low high n", caption, share="team wins")
    wide = first.pivot("lineup", index="setting", values="share")
    called = labels_of(findings).of_column("lineup") or str
    heads = {name: Show(called(name) if len(lineups) > 1 else "team wins", "{:.0%}") for name in lineups}
    return table(findings, wide, ["setting", *lineups], caption, **heads)
