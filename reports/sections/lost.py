"""The brief of a team's defeats: what ends lost games, and which rules make them fewer."""

from dataclasses import replace

from simkit.reporting.pages import Findings, Section, Show, Takeaway, looked_at, query, table
from simkit.reporting.text.losses import how_lost, what_helps

from .answer import answer
from .rule_sets import rule_sets


def defeats(findings: Findings) -> Section:
    """Return the brief about defeats; for a competitive game the answer about fairness."""
    usual = rule_sets(findings) or answer(findings)
    if not findings.losses.width:
        return answer(findings)
    first = Takeaway(how_lost(findings), query(findings, "losses", "comparisons"), "answer")
    sure = [takeaway for takeaway in usual.takeaways if takeaway.kind == "sure"]
    takeaways = [first, Takeaway(what_helps(findings), kind="advice"), *sure]
    rows = looked_at(findings, findings.losses).sort("cell", "share", descending=[False, True])
    heads = {"share": Show("of lost games", "{:.0%}")}
    glance = table(findings, rows, "lineup end_reason share games", "What ends lost games", **heads)
    return replace(usual, takeaways=takeaways, glance=glance, stamp=None, tiles=[], step=None)
