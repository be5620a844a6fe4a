"""The brief of a team's defeats: what ends lost games, and which rules make them fewer."""

from simkit.reporting.pages import Findings, Section, Show, Takeaway, looked_at, query, table
from simkit.reporting.text.losses import how_lost, what_helps

from . import answer, rule_sets


def section(findings: Findings) -> Section:
    """Return the brief about defeats; for a competitive game the answer about fairness."""
    usual = answer.section(findings)
    if not findings.losses.width:
        return usual
    source = query(findings, "losses", "comparisons")
    takeaways = [
        Takeaway(how_lost(findings), source, "answer"),
        Takeaway(what_helps(findings), kind="advice"),
    ]
    takeaways += [takeaway for takeaway in usual.takeaways if takeaway.kind == "sure"]
    rows = looked_at(findings, findings.losses).sort("cell", "share", descending=[False, True])
    heads = {"share": Show("of lost games", "{:.0%}")}
    glance = table(findings, rows, "lineup end_reason share games", "What ends lost games", **heads)
    compared = rule_sets.section(findings)
    picture = compared.picture if compared else usual.picture
    return Section(takeaways=takeaways, picture=picture, glance=glance, warnings=usual.warnings)
