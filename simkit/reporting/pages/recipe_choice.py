"""Choice of the page that suits a run: by its experiment's request, else by its form."""

from simkit.analysis import axes
from simkit.engine import registry
from simkit.runs.folder import Run

MIN_VALUES = 3  # values of a whole-number option that are enough for a line


def recipe_for(run: Run) -> str:
    """Return the recipe for a run: that of its search, its experiment's own, or one by its cells.

    Rule sets are compared with a baseline where no option has enough values for a line.
    """
    if run.kind:
        return run.kind
    if run.experiment.report:
        return run.experiment.report
    if run.experiment.until_elo or run.experiment.until_outclassed:
        return "match" if run.experiment.until_elo else "equilibrium"
    if run.experiment.ablate:
        return "ablation"
    if axes(run):
        numeric = [axis for axis in axes(run) if len(axis.options) == 1 and axis.whole_numbers]
        along = any(len(axis.values) >= MIN_VALUES for axis in numeric)
        return "compare" if not along and any(cell.baseline for cell in run.cells) else "sweep"
    if any(len(set(cell.labels)) > 1 and cell.rotations == cell.seats for cell in run.cells):
        return "strategies"
    sizes = {cell.seats for cell in run.cells}
    return "seats" if len(sizes) > 1 and "seats" in registry.recipes() else "balance"
