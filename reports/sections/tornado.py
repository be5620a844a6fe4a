"""Effects of each single step away from the baseline on the first player, the greatest first."""

import polars as pl

from simkit.analysis.compare import wins
from simkit.reporting.pages import Findings, Section, axes, labels_of, prose
from simkit.reporting.pages.differences import DIFFERENCE_WORDS, REAL, difference_figure, difference_table
from simkit.reporting.text.perspective import side_of


def tornado(findings: Findings) -> Section | None:
    """Return the steps, or None for a sweep of one option."""
    steps = findings.one_step.filter(wins(findings.run)) if findings.one_step.height else findings.one_step
    if len(axes(findings.run)) < 2 or steps.is_empty():
        return None
    step = pl.col("cell").replace_strict(_steps(findings), return_dtype=pl.String)
    ordered = steps.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    ordered = ordered.with_columns(step.alias("step"))
    text = prose(f"""From the baseline ({labels_of(findings).baseline}) one option is changed at a time: a
        number to the next value tried, a named choice to any other. Dots are paired differences on the same
        deals; {REAL}. Of those the dots farthest from 0 are the rules worth turning first.""")
    unit = f"Change of the {side_of(findings.run).name}'s share"
    picture = difference_figure(findings, ordered, "tornado", unit, "step")
    listed = difference_table(findings, ordered, "One step from the baseline", "step")
    return Section("One step from the baseline", [text], [picture], [listed], words=DIFFERENCE_WORDS)


def _steps(findings: Findings) -> dict[int, str]:
    """Return the option and the step of each cell one step from the baseline, in labels."""
    cells, labels = findings.run.cells, labels_of(findings)
    swept = {axis.label: axis for axis in axes(findings.run)}
    base, names = next(cell.varied for cell in cells if cell.baseline), {}
    for index, name in findings.one_step.select("cell", "axis").unique(maintain_order=True).iter_rows():
        axis, varied = swept[name], next(cell.varied for cell in cells if cell.index == index)
        names[index] = f"{labels.axis(axis)} {labels.on_axis(axis, base)} → {labels.on_axis(axis, varied)}"
    return names
