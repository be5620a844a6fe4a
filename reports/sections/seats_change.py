"""What other rules change, deal by deal: of two seats what sitting first is worth, else each share."""

from simkit.reporting.pages import Findings, Section, labels_of
from simkit.reporting.pages.differences import REAL, WORDS, difference_figures, difference_tables
from simkit.reporting.text.changes import greatest_change


def section(findings: Findings) -> Section | None:
    """Nothing for a team: the first lines say how its share changes."""
    if findings.run.team:
        return None
    changes, two = findings.comparisons, set(findings.cells["seats"]) == {2}  # then the advantage says it all
    base = f"{labels_of(findings).base} ({labels_of(findings).baseline})"
    text = f"Change against the {base} on the same deals; {REAL}."
    told = changes.filter(measure="fpa" if two else "share")
    if two:
        heading = "what sitting first is worth"
        unit = f"Change of {heading}, percentage points"
        figures = []
    else:
        unit, heading = "Change of shares, percentage points", "the share of games won"
        figures = difference_figures(findings, told, "seats-change", unit)
    tables = difference_tables(findings, told, unit)
    return Section(greatest_change(findings, heading, told), [text], figures, tables, words=WORDS)
