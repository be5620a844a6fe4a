"""The curves of a search along further options: the first is on the first screen."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.fitted import fitted
from simkit.reporting.text.fairness import title


def section(found: Findings) -> Section | None:
    """Nothing where one option was varied."""
    figures = fitted(found)[1:] if found.fair_values.width else []
    text = "Each option by itself, the others at their fair values."
    return Section(title(found), [text], figures) if figures else None
