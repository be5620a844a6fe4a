"""Skill against luck: the distance between the strategies, and how often the stronger of two is ahead."""

from simkit.reporting.pages import Findings, Section, at_setting, labels_of, where
from simkit.reporting.text.strength import ladder_words, luck_words, meetings_at


def ladder(findings: Findings) -> Section:
    """Return the steps of strength and the wins of favourites at the setting in view."""
    tables = (findings.favourites, findings.ladder, findings.meetings)
    favourites, ladder, met = (labels_of(findings).label(at_setting(findings, table)) for table in tables)
    # Where not all met, shares do not tell who is stronger.
    rows = [row for row in favourites.rows(named=True) if meetings_at(met, row["seats"]).everybody]
    sentences = [*map(luck_words, rows)]
    sentences += map(ladder_words, ladder.rows(named=True))
    return Section("How much is skill", list(filter(None, [where(findings), *sentences])))
