"""How far apart the seats of a cell are, without what luck alone adds; and how much of a result the deal decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from simkit.analysis.table import blocks, with_cells
from simkit.stats import comparisons, deals, intraclass, spread

if TYPE_CHECKING:
    from simkit.experiment import Cell
    from simkit.runlog import Run

MEASURES = {"gap": spread.largest_gap, "deviation": spread.deviation}


def seat_spread(run: Run) -> pl.DataFrame:
    """Per cell: how far apart the seat shares are (`simkit.stats.spread`), over deals.

    gap: largest share minus smallest; deviation: root-mean-square distance from the mean. Each as seen, NAME_by_luck (what a fair
    game would show), NAME (corrected for luck) with NAME_low and NAME_high (95 %); p_value: that all seats are equal; p_adjusted: Holm's,
    over all cells: the chance of even one mistake in taking all below α for real is at most α. Null for a single deal, and limits and
    p-values in a run that stopped by itself: they hold for a number of deals fixed beforehand.
    """
    rows = [{"cell": cell.index, "deals": cell.deals} | _spreads(run, cell) for cell in run.cells]
    return with_cells(
        run, _adjusted(pl.DataFrame(rows, schema_overrides={"cell": pl.Int32}, infer_schema_length=None))
    )


def _adjusted(table: pl.DataFrame) -> pl.DataFrame:
    """With the p-values adjusted for the number of cells that have one."""
    known = table.filter(pl.col("p_value").is_not_null()).select("cell", "p_value")
    adjusted = pl.Series("p_adjusted", comparisons.holm(known["p_value"].to_numpy()), dtype=pl.Float64)
    return table.join(known.select("cell", adjusted), on="cell", how="left", maintain_order="left")


def _spreads(run: Run, cell: Cell) -> dict[str, float | None]:
    known = _covariance(run, cell)
    found: dict[str, float | None] = {}
    for name, measure in MEASURES.items():
        one = None if known is None else measure(known)
        fixed = None if run.experiment.adaptive else one
        found |= {
            f"{name}_seen": one and one.seen,
            f"{name}_by_luck": one and one.by_luck,
            name: one and one.corrected,
        }
        found |= {
            f"{name}_low": fixed and fixed.low,
            f"{name}_high": fixed and fixed.high,
            "p_value": fixed and fixed.p_value,
        }
    return found


def _covariance(run: Run, cell: Cell) -> deals.SeatCovariance | None:
    """The seat shares of a cell with the covariance of these means; None for a single deal."""
    if cell.deals < 2:
        return None
    share = {f"s{seat}": pl.col("share").filter(pl.col("seat") == seat).mean() for seat in range(cell.seats)}
    means, covariance = _moments(run, lambda part: part.seats(), cell, share)
    return deals.SeatCovariance(means, covariance / cell.deals, cell.deals)


def deal_luck(run: Run, cells: list[int] | None = None) -> pl.DataFrame:
    """Per cell of several plays per deal: how much of whether seat 0 wins the deal decides (intraclass correlation, deal as unit).

    0: who wins one play of a deal tells nothing about the other plays of it; 1: the deal alone decides. The plays of a deal are its
    rotations; each rotation is taken about its own mean, so that stronger strategies changing seats do not count.
    Columns: plays (per deal), deals, correlation, low, high. Cells with one play per deal have no row, nor those that never vary.
    """
    looked = [
        cell
        for cell in run.cells
        if cell.rotations > 1 and cell.deals > 1 and (cells is None or cell.index in cells)
    ]
    rows = [row for cell in looked for row in _luck(run, cell)]
    kinds: dict[str, Any] = {"cell": pl.Int32, "plays": pl.Int64, "deals": pl.Int64}
    kinds |= dict.fromkeys(("correlation", "low", "high"), pl.Float64)
    return with_cells(run, pl.DataFrame(rows, schema=kinds, orient="row")) if rows else pl.DataFrame()


def _luck(run: Run, cell: Cell) -> list[tuple[Any, ...]]:
    share = {
        f"r{rotation}": pl.col("share").filter(pl.col("rotation") == rotation).mean()
        for rotation in range(cell.rotations)
    }
    _, covariance = _moments(run, lambda part: part.seats().filter(pl.col("seat") == 0), cell, share)
    found = intraclass.intraclass(covariance, cell.deals)
    return [] if found is None else [(cell.index, cell.rotations, cell.deals, *found)]


def _moments(
    run: Run, rows: Callable[[Run], pl.LazyFrame], cell: Cell, values: dict[str, pl.Expr]
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and sample covariance, over the deals of a cell, of some values of each deal."""
    names, run = list(values), run.only([cell.index])
    made = [expr.cast(pl.Float64).alias(name) for name, expr in values.items()]
    first = [pl.col(name).sum().alias(name) for name in names]
    second = [(pl.col(a) * pl.col(b)).sum().alias(f"{a}*{b}") for a in names for b in names if a <= b]
    parts = []
    for low, high in blocks(run):
        inside = rows(run.between(low, high)).filter(
            (pl.col("cell") == cell.index) & pl.col("deal").is_between(low, high, closed="left")
        )
        parts.append(inside.group_by("deal").agg(made).select(*first, *second).collect(engine="streaming"))
    total = pl.concat(parts).sum().row(0, named=True)
    means = np.array([total[name] for name in names]) / cell.deals
    products = np.array([[total[f"{min(a, b)}*{max(a, b)}"] for b in names] for a in names]) / cell.deals
    return means, (products - np.outer(means, means)) * cell.deals / (cell.deals - 1)
