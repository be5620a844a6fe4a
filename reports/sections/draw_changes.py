"""What other rules change in draws, where there are any."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.differences import change_section, drawn_sometimes


def section(findings: Findings) -> Section | None:
    changes = findings.comparisons.filter(drawn_sometimes()).filter(measure="draw")
    unit = "Change of draws, percentage points"
    return change_section(findings, "draws-change", "draws", changes, unit) if changes.height else None
