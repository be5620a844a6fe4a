"""What a designer should know besides the answer, about the first cell to look at."""

from simkit.pages import Findings, Section, told
from simkit.pages.scope import looked_words
from simkit.words.highlights import highlights


def section(found: Findings) -> Section:
    return Section(takeaways=told(found, highlights(found, looked_words(found))))
