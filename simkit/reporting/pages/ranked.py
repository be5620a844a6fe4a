"""Rule sets for figures and tables: named, the nearest to fair first."""

from functools import partial

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.rules import by_distance, rule_meaning, rule_name


def ranked(findings: Findings) -> pl.DataFrame:
    """Return a row per rule set and lineup, best first, with the first player's share or the distance."""
    first, name = findings.first_player_advantage, rule_name(findings)
    rows = findings.rule_sets.select("rank", "setting").join(first, on="setting").sort("rank", "cell")
    text = pl.col("setting").map_elements(name, return_dtype=pl.String)
    note = pl.col("setting").map_elements(partial(rule_meaning, findings), return_dtype=pl.String)
    rows = rows.with_columns(text.alias("rules"), note.alias("note"))
    if not by_distance(findings):
        return rows.with_columns(value="share")
    off = 100 * (pl.col("farthest_share") - pl.col("fair")).abs()
    off = off.round(9)  # so that equal distances are equal floats
    none = pl.lit(None, pl.Float64)
    return rows.with_columns(value=off, low=none, high=none, fair=pl.lit(0.0))
