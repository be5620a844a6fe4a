"""Effects of each option on each measure, alone and averaged over the others, and of two options together."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.screens import effects_table, picture
from simkit.reporting.text.screens import MATTERS, labelled, measures_of, method, pairs_of, spread_said


def section(findings: Findings) -> Section | None:
    """Return the effects, or None for a run without screened options."""
    if not findings.dials.width:
        return None
    rows, pairs = labelled(findings, findings.dials), labelled(findings, pairs_of(findings))
    figures = [picture(findings, rows, measure) for measure in measures_of(rows)[1:2]]
    shown = [*rows, *(row for row in pairs if row["verdict"] == MATTERS)]
    texts = [method(findings), *spread_said(findings)]
    listed = effects_table(findings, shown, "Effects, the greatest first; then of two options together")
    return Section(
        "What each option changes, by itself and averaged over the others", texts, figures, [listed]
    )
