"""How the game feels, in a line of the first screen."""

from simkit.pages import Findings, Section, told
from simkit.words.feel import feel_line


def section(found: Findings) -> Section:
    return Section(takeaways=told(found, feel_line(found), "feel"))
