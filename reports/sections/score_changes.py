"""What other rules change in the scores of every seat."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.differences import change_section


def section(findings: Findings) -> Section:
    unit = f"Change of scores ({findings.run.words.score})"
    return change_section(
        findings, "scores-change", "scores", findings.comparisons.filter(measure="score"), unit
    )
