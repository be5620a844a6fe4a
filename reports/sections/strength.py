"""What the tables of strategies say of the setting looked at, and whether another is best elsewhere."""

from simkit.pages import Findings, Section, told
from simkit.pages.scope import setting_looked_at
from simkit.words.strength import strength


def section(found: Findings) -> Section:
    return Section(takeaways=told(found, strength(found, setting_looked_at(found))))
