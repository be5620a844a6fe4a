"""The first screen of a page about what an option changes: how long games are, how often who wins."""

from reports.sections import answer
from simkit.reporting.pages import Findings, Section, Takeaway, query
from simkit.reporting.text.effects import effects, over_all


def section(findings: Findings) -> Section:
    """The answer about fairness where there is no baseline to compare with."""
    usual = answer.section(findings)
    if not findings.comparisons.width or findings.comparisons.is_empty():
        return usual
    source = query(findings, "comparisons", "lengths", "first_player_advantage")
    told = [Takeaway(effects(findings), source, "answer"), Takeaway(over_all(findings), kind="advice")]
    told += [one for one in usual.takeaways if one.kind == "sure"]
    return Section(takeaways=told, picture=usual.picture, glance=usual.glance, warnings=usual.warnings)
