"""Per lineup the setting tried that is nearest to fair, and the command that confirms it."""

from simkit.pages import Findings, Section, Story, labels_of, prose, table
from simkit.pages.commands import confirm_command
from simkit.words.answer import TEAM, side_of

TEXT = prose("""For each lineup the setting tried at which the first player is nearest to its fair share. It
    was picked as the best of many, so it looks a little better than it is: play it on fresh deals, with the
    command below the table, before printing it in a rulebook.""")
WORDS = {"Confirm": "the best of many settings looks better than it is; only fresh deals tell how good."}


def section(found: Findings) -> Section:
    side, names = side_of(found.run), "lineup setting share low high verdict n"
    heading, text = f"Nearest to {side.aim}", TEXT
    if side == TEAM:
        text = TEXT.replace(
            "the first player is nearest to its fair share", "the team is nearest to the target"
        )
    listed = table(found, found.nearest, names, f"{heading} by lineup", setting=f"nearest to {side.aim}")
    rows = labels_of(found).named(found.nearest)
    again = "Run this to see it again on fresh deals"
    cells = rows.select("lineup", "cell").iter_rows()
    stories = [Story(f"{again} ({lineup})", confirm_command(found.run, cell)) for lineup, cell in cells]
    return Section(heading, [text], [], [listed], stories, words=WORDS)
