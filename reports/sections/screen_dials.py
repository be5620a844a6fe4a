"""Effects of each option on each measure, by itself and averaged over the others."""

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.screens import effects_table, picture
from simkit.reporting.text.screens import kinds, measures_of, method, told


def section(findings: Findings) -> Section | None:
    """Return the effects, or None for a run without screened options."""
    if not findings.dials.width:
        return None
    rows = told(findings, findings.dials)
    figures = [picture(findings, rows, measure) for measure in measures_of(rows)[1:2]]
    listed = effects_table(findings, rows, "Effects, the greatest first as multiples of what does not count")
    return Section(
        f"What {counted(len(kinds(rows)), 'option')} change", [*method(findings)], figures, [listed]
    )
