"""Rule sets as pictures and tables show them: named, the nearest to fair first."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.rules import by_distance, rule_meaning, rule_name


def ranked(findings: Findings) -> pl.DataFrame:
    """A row per rule set and lineup, best first: how often the first player wins, or how far off all are."""
    first, name = findings.first_player_advantage, rule_name(findings)
    rows = findings.rule_sets.select("rank", "setting").join(first, on="setting").sort("rank", "cell")
    text = pl.col("setting").map_elements(name, return_dtype=pl.String)
    note = pl.col("setting").map_elements(lambda one: rule_meaning(findings, one), return_dtype=pl.String)
    rows = rows.with_columns(text.alias("rules"), note.alias("note"))
    if not by_distance(findings):
        return rows.with_columns(value="share")
    off = (100 * (pl.col("farthest_share") - pl.col("fair")).abs()).round(9)  # 6.5 everywhere, or nowhere
    none = pl.lit(None, pl.Float64)
    return rows.with_columns(value=off, low=none, high=none, fair=pl.lit(0.0))
