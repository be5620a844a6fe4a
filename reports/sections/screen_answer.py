"""The first screen of the screening page: options that matter, options that do nothing, and a picture."""

import polars as pl

from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, Takeaway, query, table
from simkit.reporting.pages.screens import pictures
from simkit.reporting.text.screens import (
    amount,
    change_words,
    group_told,
    idle_said,
    interval_said,
    leading,
    measures_of,
    screen_answer,
    seat_label,
)

MAX_OPTIONS_PER_MEASURE = 4  # options in the small table
WORDS = {
    "By itself": "one option is turned, all others are as in the rulebook (or as set for all games).",
    "Averaged over the others": "an option is turned while all others take both their values in a balanced "
    "design (a fractional factorial of resolution IV), so that what pairs of options do together does not "
    "disturb it. It tells of rules far from the rulebook, too.",
    "Matters": "the interval lies beyond the margin, by itself or averaged over the others.",
    "Nothing that counts": "both intervals lie within the margin. Where an interval holds 0 and reaches "
    "beyond the margin nothing is said.",
}


def section(findings: Findings) -> Section | None:
    """Return the first screen, or None for a run without screened options."""
    if not findings.dials.width:
        return None
    summary = screen_answer(findings)
    takeaways = [Takeaway(summary.headline, query(findings, "dials"), "answer")]
    takeaways += [
        Takeaway(
            f"{summary.advice} {idle_said(findings)}".strip(), query(findings, "together"), kind="advice"
        )
    ]
    takeaways += [Takeaway(note, kind="sure") for note in summary.sure]
    picture = pictures(findings, measures_of(findings)[0])[0]
    return Section(
        takeaways=takeaways, picture=picture, glance=_glance(findings), warnings=summary.warnings, words=WORDS
    )


def _glance(findings: Findings) -> Table:
    """Return for each measure the options that change it most by themselves."""
    rows = [
        {
            "measure": group_told(findings, measure),
            "seat_label": seat_label(findings, row),
            "change": change_words(findings, row["option"]),
            "lineup": row["lineup"],
            "by_itself": amount(row),
            "interval": interval_said(row),
        }
        for measure in measures_of(findings)
        for row in leading(findings, measure, MAX_OPTIONS_PER_MEASURE)
        .unique("option", keep="first", maintain_order=True)
        .rows(named=True)
    ]
    frame = pl.DataFrame(rows)
    heads = {"measure": Show("what"), "change": Show("option"), "by_itself": Show("by itself")}
    several = findings.dials["lineup"].n_unique() > 1
    lineup = ["lineup"] if several else []
    seat = ["seat_label"] if any(frame["seat_label"]) else []
    names = ["measure", "change", *lineup, *seat, "by_itself", "interval"]
    caption = "What changes each most"
    caption += ", of the lineup that it changes most" if several else ""
    return table(findings, frame, names, caption, **heads)
