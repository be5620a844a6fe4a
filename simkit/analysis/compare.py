"""Rule sets compared on the same deals: paired differences and what the pairing has gained."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.analysis import measures
from simkit.analysis.measures import Measure
from simkit.analysis.table import blocks, cells_table
from simkit.errors import UsageError
from simkit.stats import comparisons as comparisons_of_stats
from simkit.stats.deals import difference_from_moments

if TYPE_CHECKING:
    from simkit.experiment import Cell
    from simkit.runlog import Run

SURE = 0.05  # adjusted p-value below which a difference is said without a doubt
SUMS = ("a", "b", "aa", "bb", "d", "dd")


def comparisons(run: Run, columns: Sequence[str] = ()) -> pl.DataFrame:
    """Every rule set of a run against its baseline, lineup by lineup: as `compare_cells`, with `p_adjusted` over all rows.

    p_adjusted: Holm's; the chance of even one mistake in taking all below α for real is at most α. The first-player advantage, which is
    the share of seat 0 less a constant, and the last seat of two count with their twin. `columns`: further columns of the log.
    """
    parts = []
    for base in [cell for cell in run.cells if cell.baseline]:
        others = [cell.index for cell in run.cells if not cell.baseline and cell.labels == base.labels]
        parts += [compare_cells(run, base.index, others, columns)] if others else []
    if not parts:
        raise UsageError(
            f"{run.folder}: nothing to compare: the experiment has no [baseline] with other combinations beside it"
        )
    return _adjusted(pl.concat(parts))


def _adjusted(table: pl.DataFrame) -> pl.DataFrame:
    """Holm's adjusted p-values, each twin counted once."""
    twin = pl.when(pl.col("measure") == "first-player advantage").then(pl.lit("share of seat 0"))
    two = (pl.col("seats") == 2) & (pl.col("measure") == "share of seat 1")
    keyed = table.with_columns(
        twin.when(two).then(pl.lit("share of seat 0")).otherwise(pl.col("measure")).alias("twin")
    )
    own = keyed.filter(pl.col("twin") == pl.col("measure"))
    adjusted = own.select(
        "cell", "twin", pl.Series("p_adjusted", comparisons_of_stats.holm(own["p_value"].to_numpy()))
    )
    return keyed.join(adjusted, on=["cell", "twin"], how="left", maintain_order="left").drop("twin")


def comparison_sentences(table: pl.DataFrame, gain: bool = True) -> list[str]:
    """What `comparisons` found, a sentence for each rule set and lineup; with `gain` also what the common deals were worth."""
    rows = table.filter(pl.col("measure").is_in(["first-player advantage", "fpa"]))
    return [_sentence(row, gain) for row in rows.iter_rows(named=True)]


def _sentence(row: Mapping[str, Any], gain: bool) -> str:
    fair = 1 / row["seats"]
    change = (
        f"{abs(100 * row['difference']):.1f} percentage points {'more' if row['difference'] > 0 else 'less'}"
        if row["difference"]
        else "no change"
    )
    doubt = "; this may be luck" if row["p_adjusted"] >= SURE or row["low"] <= 0 <= row["high"] else ""
    paired = (
        f"; common deals were worth {row['factor']:.1f} times as many"
        if gain and row["factor"] and math.isfinite(row["factor"])
        else ""
    )
    ends = f"{100 * row['low']:+.1f} to {100 * row['high']:+.1f}".replace("-", "−")
    return (
        f"With {row['setting']} the first seat wins {100 * (row['value'] + fair):.1f} % instead of {100 * (row['base_value'] + fair):.1f} % "
        f"({row['lineup']}): {change} (95 % interval {ends}, "
        f"n = {row['deals']:,} common deals{doubt}{paired})."
    )


def compare_cells(run: Run, base: int, others: Iterable[int], columns: Sequence[str] = ()) -> pl.DataFrame:
    """Each other cell against the base cell, deal by deal.

    Columns: base, cell, setting, lineup, seats, measure (share of seat S, first-player advantage, score of seat S, drawn games, turns,
    decisions, then `columns` of the log), deals, base_value, value, difference (value − base_value), low, high, factor (variance on
    independent deals ÷ on these), variance (of the difference, over deals), p_value (that there is no difference).
    """
    cells = {cell.index: cell for cell in run.cells}
    parts = [_compared(run, _known(cells, base), _known(cells, other), columns) for other in others]
    rows = pl.concat(parts) if parts else pl.DataFrame(schema={"cell": pl.Int64})
    front = cells_table(run).select(pl.col("cell").cast(pl.Int64), "setting", "lineup", "seats")
    return front.join(rows, on="cell", how="inner", maintain_order="right")


def _known(cells: Mapping[int, Cell], index: int) -> Cell:
    if index not in cells:
        raise UsageError(f"the run has no cell {index} (cells 0 to {len(cells) - 1})")
    return cells[index]


def _compared(run: Run, base: Cell, other: Cell, columns: Sequence[str]) -> pl.DataFrame:
    if base.seats != other.seats:
        raise UsageError(
            f"cells {base.index} and {other.index} have {base.seats} and {other.seats} seats: seats cannot be compared"
        )
    wanted = measures.usual(base.seats)
    for column in columns:
        wanted |= measures.logged(run, base.seats, column)
    sums, deals = _paired_sums(run, base, other, wanted)
    rows = [
        _row(name, one.bound, sums, deals, min(base.rotations, other.rotations))
        for name, one in wanted.items()
    ]
    fpa = rows[0] | {"measure": "first-player advantage"}
    fpa |= {key: rows[0][key] - 1 / base.seats for key in ("base_value", "value")}
    table = pl.DataFrame([*rows[: base.seats], fpa, *rows[base.seats :]])
    return table.select(
        pl.lit(base.index).cast(pl.Int64).alias("base"),
        pl.lit(other.index).cast(pl.Int64).alias("cell"),
        pl.all(),
    )


def _row(name: str, bound: float, sums: Mapping[str, float], deals: int, plays: int) -> dict[str, Any]:
    """One measure: its means, their difference with interval, the variance-reduction factor."""
    total = {part: sums[f"{name}|{part}"] for part in SUMS}
    variance = {
        part: max(0.0, total[2 * part] - total[part] ** 2 / deals) / max(1, deals - 1) for part in "abd"
    }
    found = difference_from_moments(
        total["d"] / deals, variance["d"], variance["a"] + variance["b"], deals, bound, plays=plays
    )
    return {
        "measure": name,
        "deals": deals,
        "base_value": total["b"] / deals,
        "value": total["a"] / deals,
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "factor": found.factor,
        "variance": variance["d"],
        "p_value": comparisons_of_stats.difference_p_value(
            found.difference, variance["d"], deals, bound, plays
        ),
    }


def _paired_sums(
    run: Run, base: Cell, other: Cell, wanted: Mapping[str, Measure]
) -> tuple[dict[str, float], int]:
    """Sums over the common deals of every measure: values, squares, differences."""
    names = list(wanted)
    parts = []
    for low, high in blocks(run.only([base.index, other.index])):
        a, b = _by_deal(run, other, wanted, low, high), _by_deal(run, base, wanted, low, high)
        both = a.join(b, on="deal", suffix="|base").select(
            pl.len().alias("deals"), *(e for name in names for e in _products(name))
        )
        parts.append(both.collect(engine="streaming"))
    sums = pl.concat(parts).sum().row(0, named=True)
    if not sums["deals"]:
        raise UsageError(f"cells {base.index} and {other.index} have no deal in common")
    return sums, int(sums["deals"])


def _products(name: str) -> list[pl.Expr]:
    a, b = pl.col(name), pl.col(f"{name}|base")
    values = {"a": a, "b": b, "aa": a * a, "bb": b * b, "d": a - b, "dd": (a - b) ** 2}
    return [value.sum().alias(f"{name}|{part}") for part, value in values.items()]


def _by_deal(run: Run, cell: Cell, wanted: Mapping[str, Measure], low: int, high: int) -> pl.LazyFrame:
    """One row per deal of a cell: the mean of every measure over its rotations."""
    inside = (pl.col("cell") == cell.index) & pl.col("deal").is_between(low, high, closed="left")
    part = run.only([cell.index]).between(low, high)
    frames = {"seats": part.seats(), "games": part.games()}
    parts = [
        frame.filter(inside)
        .group_by("deal")
        .agg(*(one.mean.alias(name) for name, one in wanted.items() if one.table == table))
        for table, frame in frames.items()
    ]
    return parts[0].join(parts[1], on="deal")
