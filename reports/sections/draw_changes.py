"""Changes of draws by other rules, in runs with draws."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.differences import change_section, drawn_sometimes


def section(findings: Findings) -> Section | None:
    """Return the changes of draws, or None for a run without draws."""
    changes = findings.comparisons.filter(drawn_sometimes()).filter(measure="draw")
    unit = "Change of draws, percentage points"
    return change_section(findings, "draws-change", "draws", changes, unit) if changes.height else None
