"""Matchups of strategies: whom each beats beyond luck; their picture is in the brief."""

from simkit.analysis.landscape import SEATS_DIFFER
from simkit.reporting.pages import Findings, Section, at_setting, labels_of, table, where
from simkit.reporting.text.strength import seats_differ

MATCHUPS_CAPTION = "Pairs decided beyond luck (all intervals together right in 95 of 100 such runs)"


def matchups(findings: Findings) -> Section | None:
    """Return the significant matchups, or None if no two strategies met at the setting shown."""
    met = at_setting(findings, findings.matchups)
    if met.is_empty():
        return None
    won = met.filter(result="beats").sort("share", descending=True)
    uneven = labels_of(findings).label(met.filter(result=SEATS_DIFFER))["strategy"]
    names, heads = "strategy opponent share low high", {"share": "wins", "opponent": "against"}
    listed = table(findings, won, names, MATCHUPS_CAPTION, **heads)
    text = [where(findings), "" if won.height else "No match is settled."]
    text += [seats_differ(uneven.unique(maintain_order=True))] if len(uneven) else []
    return Section("Who beats whom beyond luck", list(filter(None, text)), tables=[listed])
