"""What the tables of strategies say of the setting looked at, and whether another is best elsewhere."""

from simkit.pages import Findings, Section, told
from simkit.pages.differences import stopped
from simkit.pages.scope import setting_looked_at
from simkit.words.strength import strength
from simkit.words.teams import team_strength


def section(found: Findings) -> Section:
    say = team_strength if found.run.team else strength
    warnings = stopped(found) if found.run.team else []
    return Section(takeaways=told(found, say(found, setting_looked_at(found))), warnings=warnings)
