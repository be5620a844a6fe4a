"""What each single step away from the baseline does to the first player, the greatest first."""

import polars as pl

from simkit.analysis.compare import wins
from simkit.reporting.pages import Findings, Section, axes, labels_of, prose
from simkit.reporting.pages.differences import REAL, WORDS, difference_figures, difference_tables
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import number
from simkit.reporting.text.rules import capital

NEXT = "from the baseline to the next smaller or greater value tried of a number"
STEP = {"One step": f"{NEXT}, or to any other value of a named choice."}


def section(findings: Findings) -> Section | None:
    """Nothing for a sweep of one option."""
    steps = findings.one_step.filter(wins(findings.run)) if findings.one_step.height else findings.one_step
    if len(axes(findings.run)) < 2 or steps.is_empty():
        return None
    called = pl.col("cell").replace_strict(_steps(findings), return_dtype=pl.String)
    ordered = steps.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    ordered = ordered.with_columns(called.alias("step"))
    text = prose(f"""From the baseline ({labels_of(findings).baseline}) one option is changed at a time, by
        one of the steps tried. Bars are paired differences on the same deals; {REAL}. Of those the longest
        bars are the rules worth turning first.""")
    who = side_of(findings.run).name
    unit = f"Change of the {who}'s share, percentage points"
    figures = difference_figures(findings, ordered, "tornado", unit, "step")
    tables = difference_tables(findings, ordered, "One step from the baseline", "step")
    return Section(_heading(findings, ordered, who), [text], figures, tables, words=STEP | WORDS)


def _heading(findings: Findings, ordered: pl.DataFrame, who: str) -> str:
    """Of the steps beyond luck the greatest."""
    real = labels_of(findings).named(ordered.filter(pl.col("p_adjusted") < SURE))
    if real.is_empty():
        return f"No single step changes how often the {who} wins beyond luck"
    most = real.row(0, named=True)
    more = "more" if most["difference"] > 0 else "less"
    change = f"{number(100 * abs(most['difference']))} percentage points {more}"
    lineup = f" ({most['lineup']})" if ordered["lineup"].n_unique() > 1 else ""
    return f"{capital(most['step'])} matters most: the {who} wins {change}{lineup}"


def _steps(findings: Findings) -> dict[int, str]:
    """Of each cell one step from the baseline: the option and the step, as people call them."""
    cells, labels, swept = (
        findings.run.cells,
        labels_of(findings),
        {axis.label: axis for axis in axes(findings.run)},
    )
    base, called = next(cell.varied for cell in cells if cell.baseline), {}
    for index, name in findings.one_step.select("cell", "axis").unique(maintain_order=True).iter_rows():
        axis, varied = swept[name], next(cell.varied for cell in cells if cell.index == index)
        ends = (labels.on_axis(axis.options, [one[key] for key in axis.options]) for one in (base, varied))
        called[index] = f"{labels.axis(axis)} {' → '.join(ends)}"
    return called
