"""The brief of the effects page: changes of game length and wins by the options varied."""

from dataclasses import replace

from simkit.reporting.pages import Findings, Section, Takeaway, query
from simkit.reporting.text.effects import effects, over_all

from . import answer


def section(findings: Findings) -> Section:
    """Return the effects against the baseline; without a baseline the answer about fairness."""
    usual = answer.section(findings)
    if not findings.comparisons.width or findings.comparisons.is_empty():
        return usual
    source = query(findings, "comparisons", "lengths", "first_player_advantage")
    takeaways = [Takeaway(effects(findings), source, "answer"), Takeaway(over_all(findings), kind="advice")]
    sure = [takeaway for takeaway in usual.takeaways if takeaway.kind == "sure"]
    return replace(usual, takeaways=[*takeaways, *sure], stamp=None)
