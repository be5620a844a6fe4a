"""Which setting meets all wishes on fresh deals, or comes nearest; all that were tried, as a picture."""

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
    if not findings.wishes.width:
        return None
    told = design_answer(findings)
    said = [Takeaway(told.headline, query(findings, "checked_settings", "wishes"), "answer")]
    said += [Takeaway(told.advice, kind="advice"), *(Takeaway(one, kind="sure") for one in told.sure)]
    picture = pictures(findings)[0]
    return Section(
        takeaways=said, picture=picture, glance=_glance(findings), warnings=told.warnings, words=WORDS
    )


def _glance(findings: Findings) -> Table:
    rows = setting_rows(findings)
    named = {name: f"c{place}" for place, name in enumerate(rows[0])}
    frame = pl.DataFrame([{named[name]: value for name, value in row.items()} for row in rows])
    heads = {column: Show(name) for name, column in named.items()}
    return table(
        findings, frame, list(frame.columns), "On fresh deals, the nearest to the wishes first", **heads
    )
