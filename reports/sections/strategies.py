"""How often each of the strategies that met wins, over all lineups in which it met another."""

from itertools import islice

from simkit.reporting.pages import Findings, Section, at_setting, labels_of
from simkit.reporting.pages.strengths import pictures
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.meetings import DIFFERENT, met_at
from simkit.reporting.text.strength import weakest


def section(findings: Findings) -> Section | None:
    """Return the ranking at every setting, or None for a team or where no strategies met."""
    if findings.ranking.is_empty() or findings.run.team:
        return None
    ranked = at_setting(findings, findings.ranking)
    rows = labels_of(findings).named(ranked.filter(seats=ranked["seats"][0])).rows(named=True)
    all_met = met_at(at_setting(findings, findings.meetings), ranked["seats"][0]).everybody
    heading = weakest(rows) if all_met else "How often each plan wins against those that it met"
    text = [] if all_met else [DIFFERENT]
    return Section(heading + looked_place(findings, ranked), text, [*islice(pictures(findings), 1)])
