"""Description of a search for a fair value before the check on fresh deals."""

from simkit.formatting import counted
from simkit.reporting.text.labels import Labels
from simkit.reporting.text.phrases import listed
from simkit.runs.run import Run


def searched(run: Run) -> str:
    """Return the ranges, settings and method of a search; empty for other runs."""
    if run.kind != "fair":
        return ""
    options, labels, points = run.search.vary, Labels(run), run.search.points
    ranges = listed(f"{labels.option(name)} from {low} to {high}" for name, (low, high) in options.items())
    settings = {tuple(dict(point)[name] for name in options) for point in points}
    stages = counted(len({point.look for point in points}), "look")
    played = f"{counted(len(settings), 'setting')} in {stages}, each on deals of its own"
    return f"{ranges}; {played}"
