"""What a sweep says as a whole."""

from simkit.pages import Findings, Section, told
from simkit.pages.differences import stopped
from simkit.words.sweeps import sweep

WORDS = {"Setting": "one choice of values for the options varied."}


def section(found: Findings) -> Section:
    """How many cells are fair, the greatest single step, the greatest change of length."""
    return Section(takeaways=told(found, sweep(found)), warnings=stopped(found), words=WORDS)
