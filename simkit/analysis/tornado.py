"""What each single change of a rule does, starting from the baseline of a sweep."""

import polars as pl

from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import Axis, axes
from simkit.experiment import Cell


@finding
def one_step(found: Findings) -> pl.DataFrame:
    """The rows of `comparisons` one step of one option away from the baseline, with `axis` and `step`.

    One step: the next smaller and the next greater value tried of a whole number; any other value of a named
    choice or flag; options that the sweep ties together count as one.
    """
    if not found.comparisons.width:
        return pl.DataFrame()
    cells, swept = found.run.cells, axes(found.run)
    base = next(cell for cell in cells if cell.baseline)
    steps = [(cell.index, *step) for cell in cells if (step := _step(cell, base, swept)) is not None]
    kinds = {"cell": pl.Int64, "axis": pl.String, "step": pl.String}
    return found.comparisons.join(
        pl.DataFrame(steps, schema=kinds, orient="row"), on="cell", maintain_order="left"
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
