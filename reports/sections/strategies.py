"""Who beats whom, where strategies met: over all lineups, pair by pair, by lineup at larger tables."""

import polars as pl

from simkit.reporting.pages import Findings, Section, table, where
from simkit.reporting.pages.strengths import matrix

NAMES = "share low high n"


def section(found: Findings) -> Section | None:
    """Nothing for a team, in which nobody meets anybody."""
    if found.ranking.is_empty() or found.run.team:
        return None
    figures = matrix(found, "matrix", where(found))
    larger = found.strategy_shares.filter(pl.col("seats") > 2)
    every = "Over all lineups, each counting alike"
    tables = [table(found, found.ranking, f"where strategy opponents {NAMES}", every)]
    tables.append(table(found, found.win_matrix, f"where row column {NAMES}", "Pair by pair"))
    tables.append(table(found, larger, f"cell strategy {NAMES}", "By lineup"))
    return Section("Strategies", ["How often each strategy wins, over the seats it sat in."], figures, tables)
