"""Restricted play: share of the one player who plays the program of all others with other weights."""

from collections import Counter

import polars as pl

from simkit.analysis.deals import marked, reals, texts
from simkit.analysis.findings import Findings, finding
from simkit.runs.experiment import Cell
from simkit.stats.quantiles import normal

SCHEMA = {"cell": pl.Int32()} | texts("strategy") | reals("share", "low", "high") | texts("result")


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
    shares = findings.strategy_shares.filter(pl.col("cell").is_in(list(odd)))
    cells = max(shares.group_by("setting").agg(pl.col("cell").n_unique())["cell"].to_list())
    wider = normal(1 - 0.05 / cells) / normal(0.95)
    rows = []
    for row in shares.rows(named=True):
        if row["strategy"] == odd[row["cell"]]:
            low = max(0.0, row["share"] - wider * (row["share"] - row["low"]))
            high = min(1.0, row["share"] + wider * (row["high"] - row["share"]))
            result = "less" if high < row["fair"] else "more" if low > row["fair"] else "not settled"
            rows.append((row["cell"], row["strategy"], row["share"], low, high, result))
    return findings.with_cells(marked(pl.DataFrame(rows, schema=SCHEMA, orient="row"), findings.always))


def _odd_one(cell: Cell) -> str:
    """Return the strategy of the one seat with the program of all others but other weights; "" if none."""
    seats = Counter(cell.labels)
    if cell.seats < 3 or len(seats) != 2 or len({named.name for named in cell.lineup}) > 1:
        return ""
    return min(seats, key=seats.__getitem__) if cell.rotations == cell.seats else ""
