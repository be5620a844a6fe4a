"""Matchups of strategies: whom each beats beyond luck; their picture is in the brief."""

from simkit.reporting.pages import Findings, Section, at_setting, table, where

CAPTION = "Pairs decided beyond luck (all intervals together right in 95 of 100 such runs)"


def section(findings: Findings) -> Section | None:
    """Return the significant matchups, or None if no two strategies met at the setting shown."""
    met = at_setting(findings, findings.matchups)
    if met.is_empty():
        return None
    won = met.filter(result="beats").sort("share", descending=True)
    names, heads = "strategy opponent share low high", {"share": "wins", "opponent": "against"}
    listed = table(findings, won, names, CAPTION, **heads)
    text = [where(findings), "" if won.height else "No match is settled."]
    return Section("Who beats whom beyond luck", list(filter(None, text)), tables=[listed])
