"""Association with having much or little of something, within groups of the same seat and strategy.

Formula: with n₁ seats of group g that have much and n₀ that have little, p₁ and p₀ the shares that they win,
w_g = n₁n₀/(n₁ + n₀): difference = Σ w_g (p₁ − p₀) / Σ w_g (Mantel-Haenszel). Interval:
`stats.ratios.slope_from_sums` with u_d = Σ (z − z̄_g)(y − ȳ_g − difference · (z − z̄_g)) over the seats of a
deal, z = 1 with much and 0 with little, y the share won. Left out: groups in which one side is rarer than
LEAST. Source: Mantel & Haenszel 1959, J. Natl. Cancer Inst. 22, 719-748; Greenland & Robins 1985, Biometrics
41, 55-68 (difference of shares); Liang & Zeger 1986, Biometrika 73, 13-22 (clusters). Correlational, not
causal.
"""

from collections.abc import Callable
from typing import Any

import polars as pl

from simkit.analysis.deals import COUNT, SumsRow, deal_sums, every_pair, reals, texts, whole
from simkit.analysis.findings import Findings
from simkit.analysis.reading import OWN, SECOND_OWN, Block
from simkit.analysis.table import text
from simkit.analysis.turns import share_of_rows
from simkit.stats.ratios import slope_from_sums

CELL_COLUMN = ["cell", "column"]
COLUMN_SEAT = [*CELL_COLUMN, "seat"]
GROUP = [*COLUMN_SEAT, "strategy"]
SIDE_NUMBERS = {"with": 1, "without": 0}
LEAST = 0.01  # fraction of a group's seats; a rarer side is too small for a comparison


class Divided:
    """Seats divided by columns of the log.

    splits: per cell and column `low` and `high`: little is at most `low`, much at least `high`.
    """

    def __init__(self, splits: Callable[[Findings], pl.DataFrame]) -> None:
        self.splits = splits
        self.totals = OWN(*GROUP, "side")(self._totals)
        self.by_seat = OWN(*COLUMN_SEAT, "side")(self._by_seat)
        self.scores = SECOND_OWN(*CELL_COLUMN)(self._scores)

    def _totals(self, findings: Findings, block: Block) -> pl.LazyFrame | None:
        """Sum by group and side (1 much, 0 little): n seats, their share y."""
        if not findings.cached(self.splits).height:
            return None
        groups = _sided(block.seats, findings.cached(self.splits)).group_by(*GROUP, "side")
        return groups.agg(n=COUNT, y=pl.col("share").sum())

    def _by_seat(self, findings: Findings, block: Block) -> pl.LazyFrame | None:
        """Sum over deals the games and the shares won, by cell, column, seat and side."""
        if not findings.cached(self.splits).height:
            return None
        rows = _sided(block.seats, findings.cached(self.splits))
        sums = deal_sums(
            rows, [*COLUMN_SEAT, "side"], {"n": COUNT, "y": pl.col("share").sum()}, every_pair(["n", "y"])
        )
        return sums.rename({"rows": "games"})

    def _scores(self, findings: Findings, block: Block) -> pl.LazyFrame | None:
        """Sum over deals, by cell and column, u of the difference."""
        if not findings.cached(self.splits).height:
            return None
        expected = _expected(self.totals(findings)).lazy()
        rows = _sided(block.seats, findings.cached(self.splits)).join(expected, on=[*GROUP, "side"])
        return deal_sums(
            rows, CELL_COLUMN, {"u": (pl.col("away") * (pl.col("share") - pl.col("expected"))).sum()}
        )

    def compared(self, findings: Findings) -> pl.DataFrame:
        """Return the difference with its ends, and deals, per cell and column that has both sides."""
        w, over_deals = pl.col("w"), self.scores(findings)
        groups = _strata_of_totals(self.totals(findings)).group_by(CELL_COLUMN)
        sums = groups.agg(w.sum(), total=(w * (pl.col("p1") - pl.col("p0"))).sum())
        rows = sums.join(over_deals, on=CELL_COLUMN).rows(named=True) if over_deals.width else []
        kinds = {"cell": sums.schema["cell"]} | texts("column") | whole("deals")
        kinds |= reals("difference", "difference_low", "difference_high")
        return pl.DataFrame([_compare_sides(row) for row in rows], schema=kinds)

    def seat_shares(self, findings: Findings) -> pl.DataFrame:
        """Return the raw shares won in each seat per cell, column and seat, with much and with little.

        For NAME with and without: NAME_games, NAME_share, NAME_low, NAME_high (95 %, over deals); null for a
        side without games.
        """
        sums = self.by_seat(findings)
        shares = share_of_rows(sums.filter(pl.col("side").is_not_null())) if sums.width else sums
        if not shares.width:
            return pl.DataFrame()
        table = shares.select(*COLUMN_SEAT).unique(maintain_order=True)
        for name, side in SIDE_NUMBERS.items():
            columns = {f"{name}_{column}": column for column in ("games", "share", "low", "high")}
            own = shares.filter(side=side).select(*COLUMN_SEAT, **columns)
            table = table.join(own, on=COLUMN_SEAT, how="left", maintain_order="left")
        return table


def _sided(rows: pl.LazyFrame, splits: pl.DataFrame) -> pl.LazyFrame:
    """Return one row per seat of a game and column: its value and side, null between low and high."""
    names, index = splits["column"].unique().to_list(), ["cell", "deal", "seat", "strategy", "share"]
    rows_of_cells = rows.filter(pl.col("cell").is_in(splits["cell"].unique().to_list()))
    wide = rows_of_cells.with_columns(text("strategy"), pl.col(names).cast(pl.Float64)).select(*index, *names)
    bounds = splits.lazy().select(pl.col("cell").cast(pl.Int32), "column", "low", "high")
    long = wide.unpivot(names, index=index, variable_name="column").join(bounds, on=CELL_COLUMN)
    much, little = pl.col("value") >= pl.col("high"), pl.col("value") <= pl.col("low")
    return long.with_columns(side=pl.when(much).then(1).when(little).then(0).cast(pl.Int64))


def _strata_of_totals(totals: pl.DataFrame) -> pl.DataFrame:
    """Return from totals, per compared group: n1, p1 (with much), n0, p0 (with little), and its weight w."""
    side, n1, n0 = pl.col("side"), pl.col("n1"), pl.col("n0")
    sums = {f"{name}{z}": pl.col(name).filter(side == z).sum() for name in "ny" for z in (0, 1)}
    thin = pl.min_horizontal(n1, n0) < (LEAST * (n1 + n0)).clip(1)
    both = totals.group_by(GROUP).agg(**sums).filter(~thin).sort(GROUP)
    return both.with_columns(p1=pl.col("y1") / n1, p0=pl.col("y0") / n0, w=n1 * n0 / (n1 + n0))


def _expected(totals: pl.DataFrame) -> pl.DataFrame:
    """Return by group and side: away (z − z̄) and the expected share."""
    part, gap = pl.col("w") / pl.col("w").sum().over(CELL_COLUMN), pl.col("p1") - pl.col("p0")
    z = pl.col("n1") / (pl.col("n1") + pl.col("n0"))
    groups = _strata_of_totals(totals).with_columns(gap=(part * gap).sum().over(CELL_COLUMN), z=z)
    middle = pl.col("z") * pl.col("p1") + (1 - pl.col("z")) * pl.col("p0")
    sides = []
    for side in SIDE_NUMBERS.values():
        away = side - pl.col("z")
        columns = {"side": pl.lit(side, pl.Int64), "away": away, "expected": middle + pl.col("gap") * away}
        sides.append(groups.select(*GROUP, **columns))
    return pl.concat(sides)


def _compare_sides(row: SumsRow) -> dict[str, Any]:
    deals = row["deals"]
    estimate = slope_from_sums(row["w"], row["total"], row["u*u"], deals)
    low, high = (max(-1.0, estimate.low), min(1.0, estimate.high)) if deals > 1 else (None, None)
    columns = {"cell": row["cell"], "column": row["column"], "deals": deals}
    return columns | {"difference": estimate.slope, "difference_low": low, "difference_high": high}
