"""Skill against luck: the distance between the strategies, and how often the stronger of two is ahead."""

from simkit.reporting.pages import Findings, Section, at_setting, labels_of, where
from simkit.reporting.text.meetings import everybody_met, met_at
from simkit.reporting.text.strength import ladder_words, luck_words


def section(findings: Findings) -> Section:
    """Return the steps of strength and the wins of favourites at the setting in view."""
    labels, favourites = labels_of(findings), at_setting(findings, findings.favourites)
    met = labels.named(at_setting(findings, findings.meetings))
    # Where not all met, shares do not tell who is stronger.
    sentences = [luck_words(row) for row in favourites.rows(named=True) if everybody_met(met)]
    for row in labels.named(at_setting(findings, findings.ladder)).rows(named=True):
        sentences.append(ladder_words(row, met_at(met, row["seats"]).met(row["best"], row["worst"])))
    return Section("How much is skill", list(filter(None, [where(findings), *sentences])))
