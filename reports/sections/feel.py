"""The feel of the game in a line of the first screen."""

from simkit.reporting.pages import Findings, Section, as_takeaways
from simkit.reporting.text.pacing import feel_line


def section(findings: Findings) -> Section:
    """Return one takeaway about length, pace and drama."""
    return Section(takeaways=as_takeaways(findings, feel_line(findings), "feel"))
