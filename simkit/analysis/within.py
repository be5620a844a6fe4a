"""What having much or little of something goes with, compared among equals: within seat and strategy.

Whoever sits first, or plays best, wins more and also has more or less of everything. So seats are compared
with seats of the same place and strategy only, and the comparisons are combined.

Formula: with n₁ seats of group g that have much and n₀ that have little, p₁ and p₀ the shares that they win,
and the weight w_g = n₁n₀/(n₁ + n₀): difference = Σ w_g (p₁ − p₀) / Σ w_g. This is the Mantel-Haenszel
difference, and also the slope of a regression of the share on having much with an intercept for each group
(fixed effects). Its interval is clustered by deal: `stats.ratios.slope_from_sums` with u_d = Σ (z − z̄_g)(y −
ȳ_g − difference · (z − z̄_g)) over the seats of a deal, z = 1 with much and 0 with little, y the share won.
The shares with much and with little are Σ w_g p₁ / Σ w_g and Σ w_g p₀ / Σ w_g, whose difference is the one
above. Groups in which all have much, or all little, say nothing and are left out; so are those in which one
side is rarer than LEAST, as where the rules fix a thing by the seat but for odd cases.
Source: Mantel & Haenszel 1959, J. Natl. Cancer Inst. 22, 719-748; Greenland & Robins 1985, Biometrics 41,
55-68 (difference of shares); Liang & Zeger 1986, Biometrika 73, 13-22, and Cameron & Miller 2015, J. Hum.
Resour. 50, 317-372 (clusters). Correlational, not causal.
"""

from typing import Any

import polars as pl

from simkit.analysis.deals import MANY, Row, deal_sums, reals, texts, whole
from simkit.analysis.table import text
from simkit.stats.deals import share_from_moments
from simkit.stats.ratios import slope_from_sums

PARTS = ["cell", "column"]
GROUP = [*PARTS, "seat", "strategy"]
TOTALS = [*GROUP, "side", "won"]
SIDES = {"with": 1, "without": 0}
LEAST = 0.01  # of the seats of a group: a rarer side is too thin to be compared


def sided(rows: pl.LazyFrame, splits: pl.DataFrame) -> pl.LazyFrame:
    """One row per seat of a game and column: value, and side: 1 with much, 0 with little, null between.

    splits: per cell and column `low` and `high`: little is at most the one, much at least the other.
    """
    names, index = splits["column"].unique().to_list(), ["cell", "deal", "seat", "strategy", "share"]
    wide = rows.with_columns(text("strategy"), pl.col(names).cast(pl.Float64)).select(*index, *names)
    known = splits.lazy().select(pl.col("cell").cast(pl.Int32), "column", "low", "high")
    long = wide.unpivot(names, index=index, variable_name="column").join(known, on=PARTS)
    much, little = pl.col("value") >= pl.col("high"), pl.col("value") <= pl.col("low")
    return long.with_columns(side=pl.when(much).then(1).when(little).then(0).cast(pl.Int64))


def totals(rows: pl.LazyFrame, splits: pl.DataFrame) -> pl.LazyFrame:
    """Per group, side and result: n seats, the share y that they won, the column added up."""
    key = [*GROUP, "side", (pl.col("share") > 0).alias("won")]
    return sided(rows, splits).group_by(key).agg(n=MANY, y=pl.col("share").sum(), total=pl.col("value").sum())


def scores(rows: pl.LazyFrame, splits: pl.DataFrame, known: pl.DataFrame) -> pl.LazyFrame:
    """Per cell and column, over deals: u of the difference, and of the shares with much and with little."""
    joined = sided(rows, splits).join(_weights(known).lazy(), on=[*GROUP, "side"])
    share = pl.col("share")
    own = {
        name: pl.col("own") * (share - pl.col("p")) * (pl.col("side") == side) for name, side in SIDES.items()
    }
    values = {"u": pl.col("away") * (share - pl.col("expected"))} | own
    return deal_sums(joined, PARTS, {name: value.sum() for name, value in values.items()})


def strata(known: pl.DataFrame) -> pl.DataFrame:
    """From `totals`, per group with both sides: n1, p1 (with much), n0, p0 (with little), its weight w.

    Of a group one side of which is rarer than LEAST there is no row.
    """
    sums = {
        f"{name}{side}": pl.col(name).filter(pl.col("side") == side).sum() for name in "ny" for side in (0, 1)
    }
    n1, n0 = pl.col("n1"), pl.col("n0")
    thin = pl.min_horizontal(n1, n0) < (LEAST * (n1 + n0)).clip(1)
    both = known.group_by(GROUP).agg(**sums).filter(~thin).sort(GROUP)
    return both.with_columns(p1=pl.col("y1") / n1, p0=pl.col("y0") / n0, w=n1 * n0 / (n1 + n0))


def _weights(known: pl.DataFrame) -> pl.DataFrame:
    """Per group and side: away (z − z̄), the share expected of it, its own share p, the weight of a seat."""
    part, gap = pl.col("w") / pl.col("w").sum().over(PARTS), pl.col("p1") - pl.col("p0")
    z = pl.col("n1") / (pl.col("n1") + pl.col("n0"))
    groups = strata(known).with_columns(part=part, gap=(part * gap).sum().over(PARTS), z=z)
    middle = pl.col("z") * pl.col("p1") + (1 - pl.col("z")) * pl.col("p0")
    return pl.concat(
        groups.select(
            *GROUP,
            side=pl.lit(side, pl.Int64),
            away=side - pl.col("z"),
            expected=middle + pl.col("gap") * (side - pl.col("z")),
            p=f"p{side}",
            own=pl.col("part") / pl.col(f"n{side}"),
        )
        for side in SIDES.values()
    )


def compared(known: pl.DataFrame, over_deals: pl.DataFrame) -> pl.DataFrame:
    """From `totals` and `scores`, per cell and column with and without much: how they differ.

    Columns: difference, difference_low, difference_high, deals, and for NAME with and without: NAME_games
    (seats), NAME_share, NAME_low, NAME_high. No row where no group has both sides.
    """
    w = pl.col("w")
    standard = {f"p{side}": (w * pl.col(f"p{side}")).sum() / w.sum() for side in (0, 1)}
    sums = strata(known).group_by(PARTS).agg(w.sum(), pl.col("n1", "n0").sum(), **standard)
    rows = sums.join(over_deals, on=PARTS).rows(named=True) if over_deals.width else []
    ends = [f"{name}_{end}" for name in SIDES for end in ("share", "low", "high")]
    kinds = (
        {"cell": known.schema["cell"]}
        | texts("column")
        | whole("deals", *(f"{name}_games" for name in SIDES))
    )
    kinds |= reals("difference", "difference_low", "difference_high", *ends)
    return pl.DataFrame([_compared(row) for row in rows], schema=kinds)


def _compared(row: Row) -> dict[str, Any]:
    gap, deals = row["p1"] - row["p0"], row["deals"]
    found = slope_from_sums(row["w"], row["w"] * gap, row["u*u"], deals)
    ends = (max(-1.0, found.low), min(1.0, found.high)) if deals > 1 else (None, None)
    made = {"cell": row["cell"], "column": row["column"], "deals": deals, "difference": gap}
    made |= dict(zip(("difference_low", "difference_high"), ends, strict=True))
    for name, side in SIDES.items():
        games, variance = row[f"n{side}"], deals**2 / max(1, deals - 1) * row[f"{name}*{name}"]
        own = share_from_moments(row[f"p{side}"], variance, deals, max(deals, games))
        made |= {f"{name}_games": games, f"{name}_share": own.share}
        made |= {f"{name}_low": own.low, f"{name}_high": own.high}
    return made
