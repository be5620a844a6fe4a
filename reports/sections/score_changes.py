"""Changes of every seat's score by other rules."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.differences import change_section


def section(findings: Findings) -> Section:
    """Return the changes of scores against the baseline."""
    unit = f"Change of scores ({findings.run.words.score})"
    return change_section(
        findings, "scores-change", "scores", findings.comparisons.filter(measure="score"), unit
    )
