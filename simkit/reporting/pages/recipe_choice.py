"""Which page suits a run: what its experiment asks for, else what its form says."""

from simkit.analysis import axes
from simkit.engine import registry
from simkit.runs.run import Run

LINE = 3  # values of an option of whole numbers that make a line


def recipe_for(run: Run) -> str:
    """The name of the recipe: that of a search, the experiment's own, or by what the cells differ in."""
    if run.answer:
        return run.kind
    if run.experiment.report:
        return run.experiment.report
    if run.experiment.until_elo or run.experiment.until_outclassed:
        return "match" if run.experiment.until_elo else "equilibrium"
    if run.experiment.ablate:
        return "ablation"
    if axes(run):
        return "compare" if _rules_compared(run) else "sweep"
    if any(len(set(cell.labels)) > 1 and cell.rotations == cell.seats for cell in run.cells):
        return "strategies"
    sizes = {cell.seats for cell in run.cells}
    return "seats" if len(sizes) > 1 and "seats" in registry.recipes() else "balance"


def _rules_compared(run: Run) -> bool:
    """Whether rule sets are held against one of them, and none of them lie on a line."""
    along = any(len(one.options) == 1 and one.whole_numbers and len(one.values) >= LINE for one in axes(run))
    return not along and any(cell.baseline for cell in run.cells)
