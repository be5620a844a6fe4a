"""What a designer should know besides the answer."""

from simkit.analysis import Findings
from simkit.pages.commands import told
from simkit.pages.scope import here_words
from simkit.report import Section
from simkit.words.highlights import highlights


def section(found: Findings) -> Section:
    """Sentences on the first cell to look at."""
    return Section(takeaways=told(found, highlights(found, here_words(found))))
