"""The first screen of a design search: the setting that meets all wishes on fresh deals, or comes nearest."""

import polars as pl

from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, Takeaway, query, table
from simkit.reporting.pages.designs import pictures
from simkit.reporting.text.designs import design_answer, setting_rows

WORDS = {
    "Tolerance": "how distances from wishes are made comparable: half a range (of fairness the margin), "
    "of a wish with one end a tenth of that number. The distance from several wishes is the sum over those "
    "that are not met.",
    "Dropped": "measured on few deals only, where even the best ends of its intervals were farther from the "
    "wishes than the best setting so far.",
    "Fresh deals": "deals that were not used to pick the settings. What was picked as the best of many looks "
    "better than it is; on fresh deals it cannot.",
}


def section(findings: Findings) -> Section | None:
    """Return the first screen, or None for a run that is no design search."""
    if not findings.wishes.width:
        return None
    summary = design_answer(findings)
    takeaways = [Takeaway(summary.headline, query(findings, "checked_settings", "wishes"), "answer")]
    takeaways += [
        Takeaway(summary.advice, kind="advice"),
        *(Takeaway(note, kind="sure") for note in summary.sure),
    ]
    picture = pictures(findings)[0]
    return Section(
        takeaways=takeaways, picture=picture, glance=_glance(findings), warnings=summary.warnings, words=WORDS
    )


def _glance(findings: Findings) -> Table:
    rows = setting_rows(findings)
    column_names = {name: f"c{place}" for place, name in enumerate(rows[0])}
    frame = pl.DataFrame([{column_names[name]: value for name, value in row.items()} for row in rows])
    heads = {column: Show(name) for name, column in column_names.items()}
    return table(
        findings, frame, list(frame.columns), "On fresh deals, the nearest to the wishes first", **heads
    )
