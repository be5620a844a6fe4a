"""Who beats whom."""

from __future__ import annotations

import polars as pl

from reports.sections.common import SHARE, N, front, looked_at, where
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, table
from simkit.runlog import Run


def strategy_sections(run: Run) -> list[Section]:
    """Who beats whom, where strategies met."""
    ranked = analysis.ranking(run)
    if ranked.is_empty():
        return []
    setting = looked_at(run, analysis.cells_table(run))["setting"][0]
    pairs = analysis.win_matrix(run)
    figures = [] if pairs.is_empty() else _matrix(run, pairs.filter(pl.col("setting") == setting), ranked)
    where = {"setting": Show("setting")} if ranked["setting"].n_unique() > 1 else {}
    columns = where | {"strategy": Show("strategy"), "opponents": Show("opponents")} | SHARE | N
    tables = [table(ranked, columns, "Over all lineups, each counting alike")]
    if not pairs.is_empty():
        tables.append(
            table(
                pairs,
                where | {"row": Show("strategy"), "column": Show("against")} | SHARE | N,
                "Pair by pair",
            )
        )
    by_lineup = analysis.strategy_shares(run).filter(pl.col("seats") > 2)
    if by_lineup.height:
        tables.append(
            table(by_lineup, front(by_lineup, run) | {"strategy": Show("strategy")} | SHARE | N, "By lineup")
        )
    text = "How often each strategy wins, over the seats it sat in."
    return [Section("Strategies", [text], figures, tables)]


def _matrix(run: Run, pairs: pl.DataFrame, ranked: pl.DataFrame) -> list[Figure]:
    """Rows and columns from the best strategy to the weakest; two strategies need no picture."""
    if pairs["row"].n_unique() < 3:
        return []
    order = {name: place for place, name in enumerate(ranked["strategy"].unique(maintain_order=True))}
    places = [
        pl.col(side).replace_strict(order, default=len(order), return_dtype=pl.Int64)
        for side in ("row", "column")
    ]
    drawn = pairs.sort(*places)
    height = 1.6 + 0.36 * pairs["row"].n_unique()
    alt = "Share of each strategy against each other, the best on top; numbers in the table"
    return [Figure(charts.picture("matrix", charts.matrix, drawn, height=height), alt, where(run))]
