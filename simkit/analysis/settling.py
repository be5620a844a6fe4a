"""How many deals an open verdict would take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.seats import cell_verdicts, seat_shares
from simkit.analysis.table import deal_counts
from simkit.stats import verdicts

if TYPE_CHECKING:
    from simkit.runlog import Run

MOST = 100  # times the deals played; a share so near the margin is not settled by playing


def deals_to_settle(run: Run, seats: pl.DataFrame | None = None) -> pl.DataFrame:
    """Per cell that is UNDECIDED: deals, needed: about how many deals would settle it if all shares stayed as they are.

    Null: more than MOST times as many, since a seat is about as far from fair as the margin. `seats` is the table of `seat_shares`.
    """
    known = seat_shares(run) if seats is None else seats
    bar, margin = float(known["bar"][0]), run.experiment.margin
    open_cells = set(cell_verdicts(known).filter(verdict=verdicts.UNDECIDED)["cell"])
    counts = deal_counts(run, lambda part: part.seats(), ["cell", "seat"], pl.col("share"))
    sizes = {cell.index: cell.seats for cell in run.cells}
    rows = []
    for (cell,), part in counts.group_by("cell", maintain_order=True):
        if cell in open_cells:
            one = int(str(cell))
            rows.append((one, run.cells[one].deals, _needed(part, sizes[one], margin, bar)))
    kinds = {"cell": known.schema["cell"], "deals": pl.Int64(), "needed": pl.Int64()}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def _needed(counts: pl.DataFrame, seats: int, margin: float, bar: float) -> int | None:
    """The deals at which one of the two claims reaches the bar, in steps of a tenth."""
    parts = [
        (part["value"].to_numpy().clip(0, 1), part["deals"].to_numpy())
        for _, part in counts.group_by("seat", maintain_order=True)
    ]
    times = 1.0
    while times < MOST:
        times *= 1.1
        found = verdicts.evidence_of_cell(
            [verdicts.evidence(values, times * deals, 1 / seats, margin) for values, deals in parts]
        )
        if max(float(found.fair), float(found.unfair)) >= bar:
            return round(times * int(parts[0][1].sum()))
    return None
