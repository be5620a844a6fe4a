"""The first player's wins where both sides choose best, if every strategy met every other."""

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.text.equilibrium import equilibrium_answer

BEST_CHOICES_TEXT = prose("""Mirrors say what first place is worth to a player; this says what it is worth
    where either side chooses whoever does best there, knowing how the other side chooses.""")


def best_choices(findings: Findings) -> Section | None:
    """Return the equilibrium of the setting shown; `simkit equilibrium` computes the other settings."""
    baseline = findings.at_baseline()
    if not baseline.equilibrium.width:
        return None
    summary = equilibrium_answer(baseline)
    return Section("If both choose best", [summary.headline, summary.advice, BEST_CHOICES_TEXT])
