"""Skill against luck: how long the ladder is, and how often the stronger of two is ahead."""

from simkit.pages import Findings, Section, prose, table

STEP = "the distance at which one wins 60 of 100 games against the other"
TEXT = prose(f"""A step: {STEP} (70 Elo). Many steps between the weakest and the strongest: skill has room to
    grow; few: luck decides, or these strategies are alike. It is a property of the strategies that took part,
    and at least that much skill is in the game.""")
WORDS = {"Step of 60:40": f"70 Elo points: {STEP}."}


def section(found: Findings) -> Section:
    names = "where best worst span steps steps_low steps_high rungs n"
    steps = table(found, found.ladder, names, "Ladder from the weakest to the strongest")
    caption = "How often the stronger of two finishes ahead (a tie counts half)"
    ahead = table(found, found.favourites, "where pairs share low high n", caption)
    return Section("Skill and luck", [TEXT], tables=[steps, ahead], words=WORDS)
