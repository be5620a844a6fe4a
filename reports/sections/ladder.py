"""Skill against luck: how far the plans are apart, and how often the stronger of two is ahead."""

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
    labels, ahead = labels_of(findings), at_setting(findings, findings.favourites)
    steps = labels.named(at_setting(findings, findings.ladder))
    met = labels.named(at_setting(findings, findings.meetings))
    all_met = everybody_met(met)  # else the stronger of two is not known by its share
    said = [luck_words(row) for row in ahead.rows(named=True)] if ahead.width and all_met else []
    for row in steps.rows(named=True):
        said.append(ladder_words(row, met_at(met, row["seats"]).met(row["best"], row["worst"])))
    names = "where best worst span steps steps_low steps_high rungs n"
    far = table(findings, findings.ladder, names, "From the weakest to the strongest")
    caption = "How often the stronger of two finishes ahead (a tie counts half)"
    often = table(findings, findings.favourites, "where pairs share low high n", caption)
    heading = _heading(findings) + looked_place(findings, ahead)
    return Section(heading, [*map(prose, said), TEXT], tables=[far, often], words=WORDS)


def _heading(findings: Findings) -> str:
    ahead = at_setting(findings, findings.favourites)
    if not ahead.width or ahead.is_empty() or not everybody_met(at_setting(findings, findings.meetings)):
        return "How much is skill"
    share = ahead["share"][0]
    return f"The stronger of two wins {games_of_100(share)}"
