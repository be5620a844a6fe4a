"""Skill against luck: the distance between the strategies, and how often the stronger of two is ahead."""

from simkit.reporting.pages import Findings, Section, at_setting, labels_of
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.meetings import everybody_met, met_at
from simkit.reporting.text.phrases import games_of_100
from simkit.reporting.text.strength import ladder_words, luck_words


def section(findings: Findings) -> Section:
    """Return the steps of strength and the wins of favourites at the setting in view."""
    labels, favourites = labels_of(findings), at_setting(findings, findings.favourites)
    met = labels.named(at_setting(findings, findings.meetings))
    rated = (
        favourites.rows(named=True) if everybody_met(met) else []
    )  # else shares do not tell who is stronger
    heading = f"The stronger of two wins {games_of_100(rated[0]['share'])}" if rated else "How much is skill"
    sentences = [luck_words(row) for row in rated]
    for row in labels.named(at_setting(findings, findings.ladder)).rows(named=True):
        sentences.append(ladder_words(row, met_at(met, row["seats"]).met(row["best"], row["worst"])))
    return Section(heading + looked_place(findings, favourites), sentences)
