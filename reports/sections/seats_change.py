"""Changes by other rules, deal by deal: for two seats the first player's advantage, else each share."""

from simkit.reporting.pages import Findings, Section, labels_of
from simkit.reporting.pages.differences import REAL, WORDS, difference_table


def section(findings: Findings) -> Section | None:
    """Return the changes, or None for a team, whose share the first lines give."""
    if findings.run.team:
        return None
    changes = findings.comparisons
    two_seats = set(findings.cells["seats"]) == {2}  # then the advantage is enough
    base = f"{labels_of(findings).base} ({labels_of(findings).baseline})"
    text = f"Change against the {base} on the same deals; {REAL}."
    shown = changes.filter(measure="fpa" if two_seats else "share")
    heading = "Change of what sitting first is worth" if two_seats else "Change of the share of games won"
    listed = difference_table(findings, shown, heading)
    return Section(heading, [text], tables=[listed], words=WORDS)
