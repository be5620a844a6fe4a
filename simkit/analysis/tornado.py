"""What each single change of a rule does, starting from the baseline of a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.compare import comparisons
from simkit.analysis.table import Axis, axes

if TYPE_CHECKING:
    from simkit.experiment import Cell
    from simkit.runlog import Run


def one_step(run: Run, changes: pl.DataFrame | None = None) -> pl.DataFrame:
    """The rows of `comparisons` whose cell differs from the baseline in one option by one step, with `axis` (option) and `step` in words.

    One step: the next smaller and the next greater value tried of a whole number; any other value of a named choice or flag; options
    that the sweep ties together count as one. `changes` is the table of `comparisons` where it is known.
    Errors: as `comparisons`.
    """
    table = comparisons(run) if changes is None else changes
    base = next(cell for cell in run.cells if cell.baseline)
    found = [
        (cell.index, *step)
        for cell in run.cells
        for step in [_step(cell, base, axes(run))]
        if step is not None
    ]
    return table.join(
        pl.DataFrame(found, schema={"cell": pl.Int64, "axis": pl.String, "step": pl.String}, orient="row"),
        on="cell",
        maintain_order="left",
    )


def _step(cell: Cell, base: Cell, sweep: list[Axis]) -> tuple[str, str] | None:
    """The option and the step in words, where a cell is one step from the baseline."""
    moved = [axis for axis in sweep if any(cell.varied[name] != base.varied[name] for name in axis.options)]
    if len(moved) != 1:
        return None
    (axis,) = moved
    old, new = (tuple(one.varied[name] for name in axis.options) for one in (base, cell))
    if axis.whole_numbers and len(axis.options) == 1:
        ordered = sorted(axis.values)
        if abs(ordered.index(new) - ordered.index(old)) > 1:
            return None
    return axis.label, f"{axis.label} {_said(old)} → {_said(new)}"


def _said(value: tuple[object, ...]) -> str:
    return " / ".join(str(part).lower() if isinstance(part, bool) else str(part) for part in value)
