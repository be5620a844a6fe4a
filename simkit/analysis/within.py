"""Association with having much or little of something, within groups of the same seat and strategy.

Formula: with n₁ seats of group g that have much and n₀ that have little, p₁ and p₀ the shares that they win,
w_g = n₁n₀/(n₁ + n₀): difference = Σ w_g (p₁ − p₀) / Σ w_g (Mantel-Haenszel), between the shares
Σ w_g p₁ / Σ w_g with much and Σ w_g p₀ / Σ w_g with little. Interval: `stats.ratios.slope_from_sums` with
u_d = Σ (z − z̄_g)(y − ȳ_g − difference · (z − z̄_g)) over the seats of a deal, z = 1 with much and 0 with
little, y the share won. Left out: groups in which one side is rarer than LEAST. Source: Mantel & Haenszel
1959, J. Natl. Cancer Inst. 22, 719-748; Greenland & Robins 1985, Biometrics 41, 55-68 (difference of shares);
Liang & Zeger 1986, Biometrika 73, 13-22 (clusters). Correlational, not causal.
"""

from collections.abc import Callable
from typing import Any

import polars as pl

from simkit.analysis.deals import COUNT, Row, deal_sums, reals, texts, whole
from simkit.analysis.findings import Findings
from simkit.analysis.reading import OWN, SECOND_OWN, Block
from simkit.analysis.table import text
from simkit.stats.deals import share_from_moments
from simkit.stats.ratios import slope_from_sums

PARTS = ["cell", "column"]
GROUP = [*PARTS, "seat", "strategy"]
SIDES = {"with": 1, "without": 0}
LEAST = 0.01  # fraction of a group's seats; a rarer side is too small for a comparison


class Divided:
    """Seats divided by columns of the log.

    splits: per cell and column `low` and `high`: little is at most `low`, much at least `high`.
    """

    def __init__(self, splits: Callable[[Findings], pl.DataFrame]) -> None:
        self.splits = splits
        self.totals = OWN(*GROUP, "side", "won")(self._totals)
        self.scores = SECOND_OWN(*PARTS)(self._scores)

    def _totals(self, findings: Findings, block: Block) -> pl.LazyFrame | None:
        """Sum by group, side (1 much, 0 little) and result: n seats, their share y, the column's total."""
        if not findings.cached(self.splits).height:
            return None
        rows = _sided(block.seats, findings.cached(self.splits)).with_columns(won=pl.col("share") > 0)
        groups = rows.group_by(*GROUP, "side", "won")
        return groups.agg(n=COUNT, y=pl.col("share").sum(), total=pl.col("value").sum())

    def _scores(self, findings: Findings, block: Block) -> pl.LazyFrame | None:
        """Sum over deals, by cell and column, u of the difference and of the shares on both sides."""
        if not findings.cached(self.splits).height:
            return None
        weights, share, own = _weights(self.totals(findings)), pl.col("share"), pl.col("own")
        rows = _sided(block.seats, findings.cached(self.splits)).join(weights.lazy(), on=[*GROUP, "side"])
        values = {"u": (pl.col("away") * (share - pl.col("expected"))).sum()}
        for name, side in SIDES.items():
            values[name] = (own * (share - pl.col("p")) * (pl.col("side") == side)).sum()
        return deal_sums(rows, PARTS, values)

    def compared(self, findings: Findings) -> pl.DataFrame:
        """Return difference, difference_low, difference_high and deals per cell and column with both sides.

        For NAME with and without: NAME_games (seats), NAME_share, NAME_low, NAME_high.
        """
        w, over_deals = pl.col("w"), self.scores(findings)
        standard = {f"p{side}": (w * pl.col(f"p{side}")).sum() / w.sum() for side in (0, 1)}
        groups = _strata(self.totals(findings)).group_by(PARTS)
        sums = groups.agg(w.sum(), pl.col("n1", "n0").sum(), **standard)
        rows = sums.join(over_deals, on=PARTS).rows(named=True) if over_deals.width else []
        games = [f"{name}_games" for name in SIDES]
        ends = [f"{name}_{end}" for name in SIDES for end in ("share", "low", "high")]
        kinds = {"cell": sums.schema["cell"]} | texts("column") | whole("deals", *games)
        kinds |= reals("difference", "difference_low", "difference_high", *ends)
        return pl.DataFrame([_compared(row) for row in rows], schema=kinds)


def _sided(rows: pl.LazyFrame, splits: pl.DataFrame) -> pl.LazyFrame:
    """Return one row per seat of a game and column: its value and side, null between low and high."""
    names, index = splits["column"].unique().to_list(), ["cell", "deal", "seat", "strategy", "share"]
    rows_of_cells = rows.filter(pl.col("cell").is_in(splits["cell"].unique().to_list()))
    wide = rows_of_cells.with_columns(text("strategy"), pl.col(names).cast(pl.Float64)).select(*index, *names)
    bounds = splits.lazy().select(pl.col("cell").cast(pl.Int32), "column", "low", "high")
    long = wide.unpivot(names, index=index, variable_name="column").join(bounds, on=PARTS)
    much, little = pl.col("value") >= pl.col("high"), pl.col("value") <= pl.col("low")
    return long.with_columns(side=pl.when(much).then(1).when(little).then(0).cast(pl.Int64))


def _strata(totals: pl.DataFrame) -> pl.DataFrame:
    """Return from totals, per compared group: n1, p1 (with much), n0, p0 (with little), and its weight w."""
    side, n1, n0 = pl.col("side"), pl.col("n1"), pl.col("n0")
    sums = {f"{name}{z}": pl.col(name).filter(side == z).sum() for name in "ny" for z in (0, 1)}
    thin = pl.min_horizontal(n1, n0) < (LEAST * (n1 + n0)).clip(1)
    both = totals.group_by(GROUP).agg(**sums).filter(~thin).sort(GROUP)
    return both.with_columns(p1=pl.col("y1") / n1, p0=pl.col("y0") / n0, w=n1 * n0 / (n1 + n0))


def _weights(totals: pl.DataFrame) -> pl.DataFrame:
    """Return by group and side: away (z − z̄), expected share, own share p, weight of a seat (own)."""
    part, gap = pl.col("w") / pl.col("w").sum().over(PARTS), pl.col("p1") - pl.col("p0")
    z = pl.col("n1") / (pl.col("n1") + pl.col("n0"))
    groups = _strata(totals).with_columns(part=part, gap=(part * gap).sum().over(PARTS), z=z)
    middle = pl.col("z") * pl.col("p1") + (1 - pl.col("z")) * pl.col("p0")
    sides = []
    for side in SIDES.values():
        away, own = side - pl.col("z"), pl.col("part") / pl.col(f"n{side}")
        expected = middle + pl.col("gap") * away
        columns = {"side": pl.lit(side, pl.Int64), "away": away, "expected": expected, "own": own}
        sides.append(groups.select(*GROUP, p=f"p{side}", **columns))
    return pl.concat(sides)


def _compared(row: Row) -> dict[str, Any]:
    gap, deals = row["p1"] - row["p0"], row["deals"]
    estimate = slope_from_sums(row["w"], row["w"] * gap, row["u*u"], deals)
    low, high = (max(-1.0, estimate.low), min(1.0, estimate.high)) if deals > 1 else (None, None)
    columns = {"cell": row["cell"], "column": row["column"], "deals": deals}
    columns |= {"difference": gap, "difference_low": low, "difference_high": high}
    for name, side in SIDES.items():
        games, variance = row[f"n{side}"], deals**2 / max(1, deals - 1) * row[f"{name}*{name}"]
        own = share_from_moments(row[f"p{side}"], variance, deals, max(deals, games))
        columns |= {f"{name}_games": games, f"{name}_share": own.share}
        columns |= {f"{name}_low": own.low, f"{name}_high": own.high}
    return columns
