"""Facts of every page: how a run changed components, and what a study searched."""

from simkit.formatting import counted
from simkit.page.words.course import count_different
from simkit.page.words.labels import Labels
from simkit.page.words.numbers import capital, join_names
from simkit.runs.folder import Run


def word_of(run: Run) -> str:
    """Return the noun for a component of the game."""
    return run.words.ablation.word if run.words.ablation else "component"


def ablation_sentence(run: Run) -> str:
    """Return the sentence that describes the ablation of a run; empty for runs without one."""
    if (ablation := run.words.ablation) is None:
        return ""
    parts = capital(count_different(len(ablation.parts), ablation.word))
    return f"{parts}: each is {ablation.meaning} in {100 * ablation.rate:g} % of the deals, by its own coin."


# Sentences about a search for a fair value: the value, the check on fresh deals, the doubts.

BETWEEN = "between the values played straight lines stand for the shares"


def search_sentence(run: Run) -> str:
    """Return the ranges, settings and method of a search; empty for other runs."""
    if run.kind != "fair":
        return ""
    options, labels, points = run.search.vary, Labels(run), run.search.points
    ranges = join_names(
        f"{labels.option(name)} from {low} to {high}" for name, (low, high) in options.items()
    )
    settings = {tuple(dict(point)[name] for name in options) for point in points}
    stages = counted(len({point.look for point in points}), "look")
    played = f"{counted(len(settings), 'setting')} in {stages}, each on deals of its own"
    return f"{ranges}; {played}"
