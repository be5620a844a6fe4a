"""The curves of a search along further options; the first curve is on the brief."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.fitted import fitted
from simkit.reporting.text.fairness import title


def section(findings: Findings) -> Section | None:
    """Return the curves, or None for a search along one option."""
    figures = fitted(findings)[1:] if findings.fair_values.width else []
    text = "Each option by itself, the others at their fair values."
    return Section(title(findings), [text], figures) if figures else None
