"""What a sweep says as a whole: how many cells are fair, the greatest single step and change of length."""

from simkit.pages import Findings, Section, told
from simkit.pages.differences import stopped
from simkit.words.sweeps import sweep

WORDS = {"Setting": "one choice of values for the options varied."}


def section(found: Findings) -> Section:
    return Section(takeaways=told(found, sweep(found)), warnings=stopped(found), words=WORDS)
