"""The strongest options in all combinations on fresh deals: effects and interactions of two."""

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.pages.screens import effects_table
from simkit.reporting.text.screens import MATTERS, pair_said, pairs_of, told

TEXT = prose("""The strongest options were played in all combinations, on deals that had no part in picking
    them. Two together: half of the difference between the effects of one at both values of the other.""")


def section(findings: Findings) -> Section | None:
    """Return the effects that matter, or None for a run without combinations."""
    if not findings.together.width:
        return None
    rows = [row for row in told(findings, findings.together) if row["verdict"] == MATTERS]
    heading = pair_said(told(findings, pairs_of(findings))) or "What the strongest option changes"
    listed = [effects_table(findings, rows, "On average over the others, and two together")] if rows else []
    return Section(heading.rstrip("."), [TEXT], tables=listed)
