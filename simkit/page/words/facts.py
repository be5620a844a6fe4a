"""Facts of every page: how a run changed components."""

from simkit.page.words.course import count_different
from simkit.page.words.numbers import capital
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
