"""The step to playtest the recommended settings with people."""

from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, labels_of
from simkit.reporting.text.answer import advised, in_order


def section(findings: Findings) -> Section | None:
    """Return the step, or None for a run without a recommended setting."""
    recommended = advised(findings)
    if not recommended:
        return None
    settings = labels_of(findings).settings(in_order(findings, recommended))
    return Section(steps=[Step(f"Playtest {settings} with people: programs do not play like them.")])
