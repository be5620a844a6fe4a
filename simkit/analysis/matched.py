"""Matched comparison of rows with and without a treatment, within groups of similar rows.

Formula: with n₁ treated rows of a group g, n₀ untreated ones, p₁ and p₀ the shares that they won,
w_g = n₁n₀/(n₁ + n₀): difference = Σ w_g (p₁ − p₀) / Σ w_g (Mantel-Haenszel). Interval: clustered by deal, as
in `simkit.analysis.within`, with u_d = Σ (z − z̄_g)(y − ȳ_g − difference · (z − z̄_g)). Source: Mantel &
Haenszel 1959, J. Natl. Cancer Inst. 22, 719-748; Greenland & Robins 1985, Biometrics 41, 55-68; Liang & Zeger
1986, Biometrika 73, 13-22.
"""

from typing import Any

import polars as pl

from simkit.analysis.deals import COUNT, SumsRow, reals, texts, whole
from simkit.stats.comparisons import difference_p_value, holm
from simkit.stats.ratios import slope_from_sums

LEAST_ROWS = 30  # rows per side; values with fewer are not compared
DIFFERENCE_ENDS = ["difference", "difference_low", "difference_high"]
SIDE_GAMES = ["with_games", "without_games"]


def compared(rows: pl.DataFrame, column: str, group: list[str]) -> pl.DataFrame:
    """Return per value of `column`: difference with 95 % interval, p_adjusted (Holm, over all values), deals.

    rows: `column`, the columns of `group`, deal, got (treated or not), share. with_games, without_games: rows
    in groups that have both. Left out: values with fewer than LEAST_ROWS rows on either side.
    """
    strata = _strata_of_groups(rows, [column, *group])
    w, gap = pl.col("w"), pl.col("p1") - pl.col("p0")
    counts = {"with_games": pl.col("n1").sum(), "without_games": pl.col("n0").sum()}
    sums = strata.group_by(column).agg(w.sum(), (w * gap).sum().alias("wgap"), **counts)
    sums = sums.filter(pl.min_horizontal(*counts) >= LEAST_ROWS)
    scores = _score_sums(rows, strata, sums, [column, *group])
    each = [_slope(row) for row in sums.join(scores, on=column).rows(named=True)]
    kinds = texts(column) | whole("deals", *SIDE_GAMES) | reals(*DIFFERENCE_ENDS, "p")
    table = pl.DataFrame([row | {column: str(row[column])} for row in each], schema=kinds).sort(column)
    return table.with_columns(p_adjusted=pl.Series(holm(table["p"]), dtype=pl.Float64)).drop("p")


def _strata_of_groups(rows: pl.DataFrame, group: list[str]) -> pl.DataFrame:
    """Return per group with both sides: n1, p1 (treated), n0, p0 (untreated), and the weight w."""
    share, got = pl.col("share"), pl.col("got")
    sides = {"n1": got.sum().cast(pl.Int64), "n0": (~got).sum().cast(pl.Int64)}
    sides |= {"p1": share.filter(got).mean(), "p0": share.filter(~got).mean()}
    both = rows.group_by(group).agg(**sides).filter((pl.col("n1") > 0) & (pl.col("n0") > 0)).sort(group)
    n1, n0 = pl.col("n1"), pl.col("n0")
    return both.with_columns(w=n1 * n0 / (n1 + n0))


def _score_sums(
    rows: pl.DataFrame, strata: pl.DataFrame, sums: pl.DataFrame, group: list[str]
) -> pl.DataFrame:
    """Return per value Σ u_d² over deals, and the number of deals with any row."""
    column, n1, n0 = group[0], pl.col("n1"), pl.col("n0")
    expected = strata.join(sums.select(column, gap=pl.col("wgap") / pl.col("w")), on=column)
    part = n1 / (n1 + n0)
    expected = expected.with_columns(part=part, middle=part * pl.col("p1") + (1 - part) * pl.col("p0"))
    away = pl.col("got").cast(pl.Float64) - pl.col("part")
    u = away * (pl.col("share") - pl.col("middle") - pl.col("gap") * away)
    joined = rows.join(expected.select(*group, "part", "middle", "gap"), on=group)
    each = joined.group_by(column, "deal").agg(u=u.sum())
    return each.group_by(column).agg(deals=COUNT, scores=(pl.col("u") ** 2).sum())


def _slope(row: SumsRow) -> dict[str, Any]:
    deals = row["deals"]
    estimate = slope_from_sums(row["w"], row["wgap"], row["scores"], deals)
    columns = {name: value for name, value in row.items() if name not in ("w", "wgap", "scores")}
    if deals < 2:
        return columns | dict.fromkeys(DIFFERENCE_ENDS[1:]) | {"difference": estimate.slope, "p": 1.0}
    spread = deals**2 / (deals - 1) * row["scores"] / row["w"] ** 2  # per deal: slope variance × deals
    p = difference_p_value(estimate.slope, spread, deals)
    ends = dict(
        zip(DIFFERENCE_ENDS, (estimate.slope, max(-1.0, estimate.low), min(1.0, estimate.high)), strict=True)
    )
    return columns | ends | {"p": p}
