"""Rule sets for figures and tables: named, the nearest to fair first."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.rules import by_distance


def ranked(findings: Findings) -> pl.DataFrame:
    """Return a row per rule set and lineup, best first, with the first player's share or the distance."""
    first, name = findings.first_player_advantage, labels_of(findings).rule
    rows = findings.rule_sets.select("rank", "setting").join(first, on="setting").sort("rank", "cell")
    text = pl.col("setting").map_elements(name, return_dtype=pl.String)
    rows = rows.with_columns(text.alias("rules"))
    if not by_distance(findings):
        return rows.with_columns(value="share")
    off = 100 * (pl.col("farthest_share") - pl.col("fair")).abs()
    off = off.round(9)  # so that equal distances are equal floats
    seat = findings.seat_shares.select("cell", "seat", half=50 * (pl.col("joint_high") - pl.col("joint_low")))
    rows = rows.join(
        seat, left_on=["cell", "farthest"], right_on=["cell", "seat"], how="left", maintain_order="left"
    )
    ends = {"low": pl.max_horizontal(off - pl.col("half"), 0.0), "high": off + pl.col("half")}
    return rows.with_columns(value=off, fair=pl.lit(0.0), **ends)
