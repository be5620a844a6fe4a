"""Spread of seat shares beyond luck, and how much of a result the deal decides."""

import polars as pl

from simkit.analysis.deals import SumsRow, covariance, deal_sums, every_pair, reals, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.analysis.table import holm_adjusted
from simkit.stats import deals, spread

GAP = reals("gap_seen", "gap_by_luck", "gap", "gap_low", "gap_high", "p_value")  # as in `spread.Spread`
FIXED = ("gap_low", "gap_high", "p_value")  # unknown with sequential stopping


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

    gap_seen: largest share minus smallest; gap_by_luck: expected from a fair game; gap: corrected for luck,
    with gap_low and gap_high (95 %); p_value: for equality of all seats; p_adjusted: Holm's adjustment over
    all cells. Null for a single deal; limits and p-values null with sequential stopping.
    """
    if findings.run.team:  # all seats win or lose together
        return pl.DataFrame()
    seats = {cell.index: cell.seats for cell in findings.run.cells}
    rows = seat_products(findings).with_columns(seats=pl.col("cell").replace_strict(seats))
    alike = [name for name in rows.columns if name != "cell"]  # Equal sums have equal gaps.
    kinds = rows.group_by(alike, maintain_order=True).agg(pl.col("cell").cast(pl.Int32))
    gaps = [_cell_gap(row) for row in kinds.rows(named=True)]
    table = kinds.select("cell", "deals").hstack(pl.DataFrame(gaps, schema=GAP, orient="row"))
    if findings.run.experiment.adaptive:
        table = table.with_columns(pl.lit(None, pl.Float64).alias(name) for name in FIXED)
    return findings.with_cells(holm_adjusted(table.explode("cell"), "p_value"))


def _cell_gap(row: SumsRow) -> tuple[float | None, ...]:
    """Return the values of GAP for a cell; None for a single deal."""
    if row["deals"] < 2:
        return (None,) * len(GAP)
    means, products = covariance(row, _names(row["seats"]))
    return spread.largest_gap(deals.SeatCovariance(means, products / row["deals"], row["deals"]))


@finding
def deal_luck(findings: Findings) -> pl.DataFrame:
    """Per cell with several plays per deal: how far the deal decides the result (intraclass correlation).

    Everything fixed by the deal counts, including draws during play; `luck_parts` distinguishes the kinds of
    luck. 0: one play of a deal is not informative about the others; 1: the deal alone decides. Each rotation
    is centred on its own mean, so that a change of seats between strategies does not count. plays: per deal;
    cells that never vary have no row.
    """
    plays = {cell.index: cell.rotations for cell in findings.run.cells if cell.rotations > 1 < cell.deals}
    rows = []
    for row in rotation_products(findings).rows(named=True):
        count = plays.get(row["cell"])
        if count and (correlation := deals.intraclass(covariance(row, _names(count))[1], row["deals"])):
            rows.append((row["cell"], count, row["deals"], *correlation))
    if not rows:
        return pl.DataFrame()
    kinds = {"cell": pl.Int32()} | whole("plays", "deals") | reals("correlation", "low", "high")
    return findings.with_cells(pl.DataFrame(rows, schema=kinds, orient="row"))
