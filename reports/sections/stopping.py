"""Sequential stopping: how many cases stopped early."""

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, prose

TEXT = prose("""This run played each case until it knew enough, at most {:,} deals; {} of {} stopped before
    that. Stopping when the evidence suffices exaggerates a little; the column adjusted of the data takes that
    out.""")


def section(findings: Findings) -> Section | None:
    """Return how a run stopped, or None for a run with a fixed number of deals."""
    experiment, deals = findings.run.experiment, findings.first_player_advantage["deals"]
    if not experiment.adaptive:
        return None
    early = int((deals < experiment.deals).sum())
    text = TEXT.format(experiment.deals, early, counted(len(deals), "case"))
    return Section("Where the run stopped", [text])
