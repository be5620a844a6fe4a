"""The first screen of a page about how a team loses: what ends lost games, which rules make them fewer."""

from reports.sections import answer, rule_sets
from simkit.reporting.pages import Findings, Section, Show, Takeaway, looked_at, query, table
from simkit.reporting.text.losses import how_lost, what_helps


def section(findings: Findings) -> Section:
    """The usual answer for a game that is no team's."""
    usual = answer.section(findings)
    if not findings.losses.width:
        return usual
    source = query(findings, "losses", "comparisons")
    told = [Takeaway(how_lost(findings), source, "answer"), Takeaway(what_helps(findings), kind="advice")]
    told += [one for one in usual.takeaways if one.kind == "sure"]
    rows = looked_at(findings, findings.losses).sort("cell", "share", descending=[False, True])
    heads = {"share": Show("of lost games", "{:.0%}")}
    glance = table(findings, rows, "lineup end_reason share games", "What ends lost games", **heads)
    compared = rule_sets.section(findings)
    picture = compared.picture if compared else usual.picture
    return Section(takeaways=told, picture=picture, glance=glance, warnings=usual.warnings)
