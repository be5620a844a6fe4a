"""Means of measures by deal and setting, for runs whose settings share their deals."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from simkit.errors import UsageError
from simkit.runs.folder import Run
from simkit.tables.compare import Measure
from simkit.tables.findings import cells_by, lineup_words


def by_deal(run: Run, every: Sequence[Measure]) -> dict[tuple[str, str], np.ndarray]:
    """Return by lineup and measure name the mean of each deal [setting, deal], in the order of the cells.

    Raises UsageError if a measure has no number in some games.
    """
    seated = _means(_by_turn(run), [measure for measure in every if measure.seat is not None])
    means = seated.join(_means(run.games(), [m for m in every if m.seat is None]), on=["cell", "deal"])
    in_order = means.sort("cell", "deal").collect(engine="streaming")
    values: dict[tuple[str, str], np.ndarray] = {}
    for cells in cells_by(run.cells, lambda cell: lineup_words(cell.labels)):
        rows = in_order.filter(pl.col("cell").is_in([cell.index for cell in cells]))
        for measure in every:
            own = rows[measure.name].to_numpy().reshape(len(cells), -1)
            if np.isnan(own).any():
                raise UsageError(f"column {measure.measure}: some games have no number there; choose another")
            values[lineup_words(cells[0].labels), measure.name] = own
    return values


def _by_turn(run: Run) -> pl.LazyFrame:
    """Return the seats table with seats counted from the first mover, which an option may change."""
    seats, moves = run.cells[0].seats, run.games().select("play", "first")
    place = (pl.col("seat") - pl.col("first") + seats) % seats
    return run.seats().join(moves, on="play").with_columns(seat=place)


def _means(rows: pl.LazyFrame, chosen: Sequence[Measure]) -> pl.LazyFrame:
    """Return the measures of each cell and deal."""
    return rows.group_by("cell", "deal").agg(measure.mean.alias(measure.name) for measure in chosen)
