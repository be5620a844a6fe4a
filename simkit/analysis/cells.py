"""What each cell of a run is, and that in front of every table by cell."""

from typing import Any

import polars as pl

from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import lineup_words, setting_words
from simkit.experiment import Cell


@finding
def cells(found: Findings) -> pl.DataFrame:
    """Per cell: the varied options, setting, lineup, seats, fair share, baseline, balanced, deals, games.

    balanced: every strategy sat in every seat as often.
    """
    return pl.DataFrame([_row(cell) for cell in found.run.cells], infer_schema_length=None)


def _row(cell: Cell) -> dict[str, Any]:
    return {
        "cell": cell.index,
        **cell.varied,
        "setting": setting_words(cell.varied),
        "lineup": lineup_words(cell.labels),
        "seats": cell.seats,
        "fair": 1 / cell.seats,
        "baseline": cell.baseline,
        "balanced": len(set(cell.labels)) == 1 or cell.rotations == cell.seats,
        "deals": cell.deals,
        "games": cell.plays,
    }


def with_cells(found: Findings, table: pl.DataFrame) -> pl.DataFrame:
    """A table with its cells in front: varied options, setting, lineup, seats, fair share, baseline."""
    if not table.width:
        return table
    front = found.cells.drop("deals", "games", "balanced")
    front = front.with_columns(pl.col("cell").cast(table.schema["cell"]))
    return front.join(table, on="cell", how="inner", maintain_order="left_right")


def for_every_cell(found: Findings, table: pl.DataFrame) -> pl.DataFrame:
    """One row per cell of the run with what the cell is in front; nulls where the table has no row."""
    every = found.cells.select(pl.col("cell").cast(table.schema["cell"]))
    return with_cells(found, every.join(table, on="cell", how="left", maintain_order="left"))
