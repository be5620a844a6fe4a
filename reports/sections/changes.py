"""What other rules change: besides who wins, and one step from the baseline at a time."""

import polars as pl

from simkit.page.columns import DIFFERENCE_WORDS, REAL, difference_figure, difference_table
from simkit.page.document.parts import Section
from simkit.page.words.changes import NOT_SEATS, greatest, measure_name
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import prose
from simkit.page.words.verdicts import side_of
from simkit.tables.compare import comparisons, one_step, wins
from simkit.tables.findings import Findings, axes


def changes(findings: Findings) -> Section | None:
    """Return all changes besides who wins, with a picture of the greatest; None without a baseline."""
    if comparisons(findings).is_empty():
        return None
    no_draws = (pl.col("measure") == "draw") & (pl.col("base_value") == 0) & (pl.col("value") == 0)
    rows, figures = comparisons(findings).filter(NOT_SEATS & ~no_draws), []
    if change := greatest(rows):
        drawn = rows.filter(pl.col("seat").eq_missing(change["seat"]), measure=change["measure"])
        name = f"Change of {measure_name(change['measure'], change['seat'])}"
        figures.append(difference_figure(findings, drawn, "changes", name))
    listed = difference_table(findings, rows, "Changes on the same deals, the greatest beyond luck first")
    return Section("What else changes", [], figures, [listed], words=DIFFERENCE_WORDS)


def tornado(findings: Findings) -> Section | None:
    """Return the effect of each single step on the first player; None for a sweep of one option."""
    if len(axes(findings.run)) < 2 or one_step(findings).is_empty():
        return None
    steps = one_step(findings).filter(wins(findings.run))
    if steps.is_empty():
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
    for index, name in one_step(findings).select("cell", "axis").unique(maintain_order=True).iter_rows():
        axis, varied = swept[name], next(cell.varied for cell in cells if cell.index == index)
        names[index] = f"{labels.axis(axis)} {labels.on_axis(axis, base)} → {labels.on_axis(axis, varied)}"
    return names
