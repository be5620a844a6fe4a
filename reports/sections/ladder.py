"""Skill against luck: the distance between the strategies, and how often the stronger of two is ahead."""

from simkit.reporting.pages import Findings, Section, at_setting, labels_of, prose, table
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.meetings import everybody_met, met_at
from simkit.reporting.text.phrases import games_of_100
from simkit.reporting.text.strength import ladder_words, luck_words

STEP = "the distance at which one wins 60 of 100 games against the other"
TEXT = prose("""Few steps mean that luck decides, or that these plans are alike; other plans may show more
    skill than these.""")
WORDS = {"Step of 60:40": f"70 Elo points: {STEP}."}


def section(findings: Findings) -> Section:
    """Return the steps of strength and the wins of favourites at every setting."""
    labels, favourites = labels_of(findings), at_setting(findings, findings.favourites)
    steps = labels.named(at_setting(findings, findings.ladder))
    met = labels.named(at_setting(findings, findings.meetings))
    all_met = everybody_met(met)  # otherwise shares do not tell which of two is stronger
    rated = favourites.rows(named=True) if favourites.width and all_met else []
    sentences = [luck_words(row) for row in rated]
    for row in steps.rows(named=True):
        sentences.append(ladder_words(row, met_at(met, row["seats"]).met(row["best"], row["worst"])))
    names = "where best worst span steps steps_low steps_high rungs n"
    ladder = table(findings, findings.ladder, names, "From the weakest to the strongest")
    caption = "How often the stronger of two finishes ahead (a tie counts half)"
    often = table(findings, findings.favourites, "where pairs share low high n", caption)
    heading = _heading(findings) + looked_place(findings, favourites)
    return Section(heading, [*map(prose, sentences), TEXT], tables=[ladder, often], words=WORDS)


def _heading(findings: Findings) -> str:
    favourites = at_setting(findings, findings.favourites)
    all_met = everybody_met(at_setting(findings, findings.meetings))
    if not favourites.width or favourites.is_empty() or not all_met:
        return "How much is skill"
    share = favourites["share"][0]
    return f"The stronger of two wins {games_of_100(share)}"
