"""What other rules change in the scores of every seat."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.differences import change_section


def section(found: Findings) -> Section:
    unit = f"Change of scores ({found.run.words.score})"
    return change_section(found, "scores-change", "scores", found.comparisons.filter(measure="score"), unit)
