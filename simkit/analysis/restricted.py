"""Restricted play: share of the one player who plays the program of all others with other weights."""

from collections import Counter

import polars as pl

from simkit.analysis.deals import widened
from simkit.analysis.findings import Findings, finding
from simkit.runs.plan import Cell
from simkit.stats.quantiles import normal


@finding
def restricted(findings: Findings) -> pl.DataFrame:
    """Per cell of three or more seats in which one seat has other weights: its share against the fair share.

    result: "more" or "less" than the fair share beyond luck, else "not settled". Intervals hold for all such
    cells of a setting simultaneously (95 %). Formula: the ends of the interval of one share, moved away from
    it by the factor z(1 − 0.05/m) / z(0.95) for m cells, z as in `stats.quantiles.normal`. Source: Dunn 1961,
    J. Am. Stat. Assoc. 56, 52-64 (Bonferroni).
    """
    odd = {cell.index: name for cell in findings.run.cells if (name := _odd_one(cell))}
    if not odd:
        return pl.DataFrame()
    own = pl.col("cell").replace_strict(odd, default=None, return_dtype=pl.String) == pl.col("strategy")
    table = findings.strategy_shares.filter(own).drop("games", "deals")
    cells = max(table.group_by("setting").len()["len"].to_list())
    wider, rows = normal(1 - 0.05 / cells) / normal(0.95), table.select("share", "low", "high").iter_rows()
    ends = [widened(share, low, high, wider) for share, low, high in rows]
    low, high = (pl.Series([end[side] for end in ends], dtype=pl.Float64) for side in (0, 1))
    less, more = pl.col("high") < pl.col("fair"), pl.col("low") > pl.col("fair")
    result = (
        pl.when(less).then(pl.lit("less")).when(more).then(pl.lit("more")).otherwise(pl.lit("not settled"))
    )
    return table.with_columns(low=low, high=high).with_columns(result=result)


def _odd_one(cell: Cell) -> str:
    """Return the strategy of the one seat with the program of all others but other weights; "" if none."""
    seats = Counter(cell.labels)
    if cell.seats < 3 or len(seats) != 2 or len({named.name for named in cell.lineup}) > 1:
        return ""
    return min(seats, key=seats.__getitem__) if cell.rotations == cell.seats else ""
