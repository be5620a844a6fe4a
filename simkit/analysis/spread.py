"""Spread of seat shares beyond luck, and how much of a result the deal decides."""

from typing import Any

import polars as pl

from simkit.analysis.deals import Row, covariance, deal_sums, every_pair, reals, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.stats import comparisons, deals, spread

MEASURES = {"gap": spread.largest_gap, "deviation": spread.deviation}


def _names(count: int) -> list[str]:
    """Return names of values."""
    return [f"v{i}" for i in range(count)]


def _products(rows: pl.LazyFrame, column: str, count: int) -> pl.LazyFrame:
    """Sum over deals the shares of the rows with values 0, 1 ... of a column, and their products."""
    values = {name: (pl.col("share") * (pl.col(column) == i)).sum() for i, name in enumerate(_names(count))}
    return deal_sums(rows, ["cell"], values, every_pair(_names(count)))


@LOG("cell")
def seat_products(findings: Findings, block: Block) -> pl.LazyFrame:
    """Sum over deals the shares of the seats, and their products."""
    return _products(block.deals, "seat", max(cell.seats for cell in findings.run.cells))


@LOG("cell")
def rotation_products(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals the shares of seat 0 in the rotations, and their products."""
    count = max(cell.rotations for cell in findings.run.cells)
    return _products(block.seats.filter(pl.col("seat") == 0), "rotation", count) if count > 1 else None


@finding
def seat_spread(findings: Findings) -> pl.DataFrame:
    """Per cell: spread of the seat shares (`simkit.stats.spread`), over deals.

    gap: largest share minus smallest; deviation: root-mean-square distance from the mean. Each as NAME_seen,
    NAME_by_luck (expected from a fair game), NAME (corrected for luck) with NAME_low and NAME_high (95 %);
    p_value: for equality of all seats; p_adjusted: Holm's adjustment over all cells. Null for a single deal;
    limits and p-values null with sequential stopping.
    """
    seats, adaptive = (
        {cell.index: cell.seats for cell in findings.run.cells},
        findings.run.experiment.adaptive,
    )
    rows = seat_products(findings).with_columns(seats=pl.col("cell").replace_strict(seats))
    alike = [name for name in rows.columns if name != "cell"]  # Equal sums have equal spreads.
    kinds = rows.group_by(alike, maintain_order=True).agg(pl.col("cell").cast(pl.Int32))
    spreads = [_spreads(row, adaptive) for row in kinds.rows(named=True)]
    table = kinds.select("cell", "deals").hstack(pl.DataFrame(spreads, infer_schema_length=None))
    table = table.explode("cell")
    tested = table.filter(pl.col("p_value").is_not_null())
    p_adjusted = pl.Series(comparisons.holm(tested["p_value"].to_numpy()), dtype=pl.Float64)
    adjusted = tested.select("cell", p_adjusted=p_adjusted)
    return findings.with_cells(table.join(adjusted, on="cell", how="left", maintain_order="left"))


def _spreads(row: Row, adaptive: bool) -> dict[str, Any]:
    seat_covariance, columns = None, dict[str, Any]()
    if row["deals"] > 1:
        means, products = covariance(row, _names(row["seats"]))
        seat_covariance = deals.SeatCovariance(means, products / row["deals"], row["deals"])
    for name, measure in MEASURES.items():
        size = None if seat_covariance is None else measure(seat_covariance)
        fixed = None if adaptive else size
        seen = {"_seen": size and size.seen, "_by_luck": size and size.by_luck, "": size and size.corrected}
        ends = {"_low": fixed and fixed.low, "_high": fixed and fixed.high}
        columns |= {f"{name}{key}": value for key, value in (seen | ends).items()}
        columns["p_value"] = fixed and fixed.p_value
    return columns


@finding
def deal_luck(findings: Findings) -> pl.DataFrame:
    """Per cell with several plays per deal: how far the deal decides the result (intraclass correlation).

    Everything fixed by the deal counts, including draws during play; `luck_parts` distinguishes the kinds of
    luck. 0: one play of a deal is not informative about the others; 1: the deal alone decides. Each rotation
    is centred on its own mean, so that a change of seats between strategies does not count. plays: per deal;
    cells that never vary have no row.
    """
    plays = {
        cell.index: cell.rotations for cell in findings.run.cells if cell.rotations > 1 and cell.deals > 1
    }
    rows = []
    for row in rotation_products(findings).rows(named=True):
        count = plays.get(row["cell"])
        if count and (correlation := deals.intraclass(covariance(row, _names(count))[1], row["deals"])):
            rows.append((row["cell"], count, row["deals"], *correlation))
    if not rows:
        return pl.DataFrame()
    kinds = {"cell": pl.Int32()} | whole("plays", "deals") | reals("correlation", "low", "high")
    return findings.with_cells(pl.DataFrame(rows, schema=kinds, orient="row"))
