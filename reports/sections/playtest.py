"""What only people can tell: a playtest of the setting that looks best."""

from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, labels_of
from simkit.reporting.text.answer import advised, in_order


def section(findings: Findings) -> Section | None:
    good = advised(findings)
    if not good:
        return None
    what = labels_of(findings).settings(in_order(findings, good))
    return Section(steps=[Step(f"Playtest {what} with people: programs do not play like them.")])
