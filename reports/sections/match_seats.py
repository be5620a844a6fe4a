"""Shares of the two strategies of a match in each seat."""

from simkit.reporting.pages import Findings, Section, table

TEXT = "A strategy that is stronger in one seat only may owe it to the seat."


def section(findings: Findings) -> Section | None:
    """Return the shares by seat, or None for a run that is no match."""
    rows = findings.match_seats
    if not rows.width:
        return None
    listed = table(findings, rows, "strategy seat share low high n", "By seat", seat="in the place of the")
    return Section("What each strategy wins in each seat", [TEXT], tables=[listed])
