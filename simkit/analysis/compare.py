"""Rule sets compared on the same deals: paired differences and what the pairing has gained."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.analysis.table import blocks, cells_table
from simkit.errors import UsageError
from simkit.stats.deals import difference_from_moments

if TYPE_CHECKING:
    from simkit.experiment import Cell
    from simkit.runlog import Run

SUMS = ("a", "b", "aa", "bb", "d", "dd")


def compare_cells(run: Run, base: int, others: Iterable[int]) -> pl.DataFrame:
    """Each other cell against the base cell, deal by deal.

    Columns: base, cell, setting, lineup, measure (share of seat S, first-player advantage, score of seat S, turns, decisions), deals,
    base_value, value, difference (value − base_value), low, high, factor (variance on independent deals ÷ on these).
    """
    cells = {cell.index: cell for cell in run.cells}
    parts = [_compared(run, _known(cells, base), _known(cells, other)) for other in others]
    rows = pl.concat(parts) if parts else pl.DataFrame(schema={"cell": pl.Int64})
    front = cells_table(run).select(pl.col("cell").cast(pl.Int64), "setting", "lineup")
    return front.join(rows, on="cell", how="inner", maintain_order="right")


def _known(cells: Mapping[int, Cell], index: int) -> Cell:
    if index not in cells:
        raise UsageError(f"the run has no cell {index} (cells 0 to {len(cells) - 1})")
    return cells[index]


def _compared(run: Run, base: Cell, other: Cell) -> pl.DataFrame:
    if base.seats != other.seats:
        raise UsageError(f"cells {base.index} and {other.index} have {base.seats} and {other.seats} seats: seats cannot be compared")
    sums, deals = _paired_sums(run, base, other)
    rows = [_row(name, sums, deals, min(base.rotations, other.rotations)) for name in _measures(base.seats)]
    fpa = rows[0] | {"measure": "first-player advantage"}
    fpa |= {key: rows[0][key] - 1 / base.seats for key in ("base_value", "value")}
    table = pl.DataFrame([*rows[: base.seats], fpa, *rows[base.seats :]])
    return table.select(pl.lit(base.index).cast(pl.Int64).alias("base"), pl.lit(other.index).cast(pl.Int64).alias("cell"), pl.all())


def _row(name: str, sums: Mapping[str, float], deals: int, plays: int) -> dict[str, Any]:
    """One measure: its means, their difference with interval, the variance-reduction factor."""
    total = {part: sums[f"{name}|{part}"] for part in SUMS}
    variance = {part: max(0.0, total[2 * part] - total[part] ** 2 / deals) / max(1, deals - 1) for part in "abd"}
    bound = 1.0 if name.startswith("share") else 0.0
    found = difference_from_moments(total["d"] / deals, variance["d"], variance["a"] + variance["b"], deals, bound, plays=plays)
    return {
        "measure": name,
        "deals": deals,
        "base_value": total["b"] / deals,
        "value": total["a"] / deals,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "factor": found.factor,
    }


def _paired_sums(run: Run, base: Cell, other: Cell) -> tuple[dict[str, float], int]:
    """Sums over the common deals of every measure: values, squares, differences."""
    names = list(_measures(base.seats))
    parts = []
    for low, high in blocks(run):
        a, b = _by_deal(run, other, low, high), _by_deal(run, base, low, high)
        both = a.join(b, on="deal", suffix="|base").select(pl.len().alias("deals"), *(e for name in names for e in _products(name)))
        parts.append(both.collect(engine="streaming"))
    sums = pl.concat(parts).sum().row(0, named=True)
    if not sums["deals"]:
        raise UsageError(f"cells {base.index} and {other.index} have no deal in common")
    return sums, int(sums["deals"])


def _products(name: str) -> list[pl.Expr]:
    a, b = pl.col(name), pl.col(f"{name}|base")
    values = {"a": a, "b": b, "aa": a * a, "bb": b * b, "d": a - b, "dd": (a - b) ** 2}
    return [value.sum().alias(f"{name}|{part}") for part, value in values.items()]


def _by_deal(run: Run, cell: Cell, low: int, high: int) -> pl.LazyFrame:
    """One row per deal of a cell: the mean of every measure over its rotations."""
    inside = (pl.col("cell") == cell.index) & pl.col("deal").is_between(low, high, closed="left")
    measures = _measures(cell.seats)
    seats = run.seats().filter(inside).group_by("deal").agg(*(e.alias(name) for name, (table, e) in measures.items() if table == "seats"))
    games = run.games().filter(inside).group_by("deal").agg(*(e.alias(name) for name, (table, e) in measures.items() if table == "games"))
    return seats.join(games, on="deal")


def _measures(seats: int) -> dict[str, tuple[str, pl.Expr]]:
    """Name -> table and expression over the rows of one deal."""
    share = {f"share of seat {s}": ("seats", pl.col("share").filter(pl.col("seat") == s).mean()) for s in range(seats)}
    score = {f"score of seat {s}": ("seats", pl.col("score").filter(pl.col("seat") == s).mean()) for s in range(seats)}
    length = {name: ("games", pl.col(name).cast(pl.Float64).mean()) for name in ("turns", "decisions")}
    return share | score | length
