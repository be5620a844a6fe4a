"""What things are worth that are sold and owned: price against the printed one, and how often their owners win.

For games whose log has, for each kind of thing, the columns sold_KIND, price_KIND, printed_KIND (totals of a game) and
own_KIND (of a seat at the end).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import polars as pl
from scipy import stats

from simkit.analysis.table import with_cells
from simkit.errors import UsageError
from simkit.stats.ratios import ratio_from_sums

if TYPE_CHECKING:
    from simkit.runlog import Run


def things(run: Run) -> list[str]:
    """The kinds of things whose sales and owners are logged, in the order of the log."""
    games, seats = run.games().collect_schema(), run.seats().collect_schema()
    kinds = [name.removeprefix("own_") for name in seats if name.startswith("own_")]
    return [kind for kind in kinds if all(f"{part}_{kind}" in games for part in ("sold", "price", "printed"))]


def ownership(run: Run) -> pl.DataFrame:
    """Per cell and kind: sold a game, mean price and printed cost, share of the wins of a seat that owns one, of one that does not.

    Columns: the cell's, thing, sold, price, printed, premium (price less printed), owners (share of the seats that own one), deals,
    share, low, high (owners; 95 %, clustered by deal), without (share of the seats that own none).
    """
    kinds = things(run)
    if not kinds:
        raise UsageError(
            f"{run.experiment.game} does not log sales and owners: the report needs columns sold_X, price_X, printed_X and own_X"
        )
    rows = [row for kind in kinds for row in _rows(run, kind)]
    return with_cells(run, pl.DataFrame(rows, infer_schema_length=None).sort("cell", maintain_order=True))


def _rows(run: Run, kind: str) -> list[dict[str, Any]]:
    """One row per cell for a kind of thing."""
    totals = [
        pl.col(f"{part}_{kind}").cast(pl.Float64).sum().alias(part) for part in ("sold", "price", "printed")
    ]
    sales = (
        run.games()
        .group_by("cell")
        .agg(pl.len().alias("games"), *totals)
        .sort("cell")
        .collect(engine="streaming")
    )
    owned, share = (pl.col(f"own_{kind}") > 0).cast(pl.Float64), pl.col("share")
    deals = (
        run.seats()
        .group_by("cell", "deal")
        .agg(
            owned.sum().alias("n"),
            (owned * share).sum().alias("y"),
            pl.len().alias("seats"),
            share.sum().alias("won"),
        )
    )
    y, n = pl.col("y"), pl.col("n")
    sums = deals.group_by("cell").agg(
        pl.len().alias("deals"), y.sum().alias("y"), n.sum().alias("n"), (y * y).sum().alias("yy"), (n * y).sum().alias("ny"),
        (n * n).sum().alias("nn"), pl.col("seats").sum(), pl.col("won").sum(),
    )  # fmt: skip
    both = sales.join(sums.collect(engine="streaming"), on="cell")
    return [_row(kind, one) for one in both.iter_rows(named=True)]


def _row(kind: str, one: dict[str, Any]) -> dict[str, Any]:
    sold, none = one["sold"], one["seats"] - one["n"]
    price, printed = (one[name] / sold if sold else None for name in ("price", "printed"))
    found = {
        "cell": one["cell"], "thing": kind.replace("_", " "), "sold": sold / one["games"], "price": price, "printed": printed,
        "premium": price - printed if price is not None and printed is not None else None, "owners": one["n"] / one["seats"],
        "deals": one["deals"],
    }  # fmt: skip
    if not one["n"]:
        return found | {"share": None, "low": None, "high": None, "without": one["won"] / none}
    ratio = ratio_from_sums(one["y"], one["n"], one["yy"], one["ny"], one["nn"], one["deals"])
    half = float(stats.t.ppf(0.975, max(1, one["deals"] - 1))) * math.sqrt(ratio.variance / one["deals"])
    ends = {"share": ratio.ratio, "low": max(0.0, ratio.ratio - half), "high": min(1.0, ratio.ratio + half)}
    return found | ends | {"without": (one["won"] - one["y"]) / none if none else None}
