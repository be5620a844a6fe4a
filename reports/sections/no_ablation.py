"""The command for an ablation, for a run without one."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.commands import game_words, instead, lineups
from simkit.reporting.text.phrases import prose


def section(findings: Findings) -> Section | None:
    """Return the command, or None for a run with an ablation."""
    run = findings.run
    if run.words.ablation:
        return None
    text = prose("""Play with the components changed, each in some of the deals by a coin of its own: what
        differs then is what they do.""")
    words = " ".join(["simkit ablate", run.experiment.game, *game_words(run, lineups(run))])
    nothing = "No component was changed in this run, so it says what goes with winning only."
    return instead(nothing, text, words)
