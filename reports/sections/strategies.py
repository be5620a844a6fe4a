"""Shares of the strategies that met: over all lineups, pair by pair, and by lineup at larger tables."""

import polars as pl

from simkit.reporting.pages import Findings, Section, table, where
from simkit.reporting.pages.strengths import matrix

COLUMNS = "share low high n"


def section(findings: Findings) -> Section | None:
    """Return the shares, or None for a team or where no strategies met."""
    if findings.ranking.is_empty() or findings.run.team:
        return None
    figures = matrix(findings, "matrix", where(findings))
    larger = findings.strategy_shares.filter(pl.col("seats") > 2)
    caption = "Over all lineups, each counting alike"
    tables = [table(findings, findings.ranking, f"where strategy opponents {COLUMNS}", caption)]
    tables.append(table(findings, findings.win_matrix, f"where row column {COLUMNS}", "Pair by pair"))
    tables.append(table(findings, larger, f"cell strategy {COLUMNS}", "By lineup"))
    return Section("Strategies", ["How often each strategy wins, over the seats it sat in."], figures, tables)
