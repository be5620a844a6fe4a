"""The first screen of a tuning: what the best weights gain on fresh deals, and the course of the search."""

import polars as pl

from simkit.reporting.document import Figure
from simkit.reporting.pages import Findings, Section, Show, charts, figure, table, takeaways_of
from simkit.reporting.text.tuning import opponent_rows, tune_answer

WORDS = {
    "Defaults": "the weights that the search started from.",
    "Gain": "share of the wins with tuned weights less that with the defaults, on the same deals against the "
    "same opponents, in percentage points.",
    "Panel": "the opponents on which the weights were chosen. The others of the check show whether the gain "
    "is one against these alone.",
    "Dropped": "played on few deals only, where the interval of the paired difference lay below the best "
    "candidate so far.",
    "Fresh deals": "deals that were not used to pick the weights. What was picked as the best of many looks "
    "better than it is; on fresh deals it cannot.",
}


def section(findings: Findings) -> Section | None:
    """Return the first screen, or None for a run that is no tuning."""
    if not findings.tuned.width:
        return None
    summary = tune_answer(findings)
    rows = pl.DataFrame(opponent_rows(findings))
    columns = {f"c{place}": head for place, head in enumerate(rows.columns)}
    frame = rows.rename({head: column for column, head in columns.items()})
    heads = {column: Show(head) for column, head in columns.items()}
    glance = table(findings, frame, [*columns], "On fresh deals, gains in percentage points", **heads)
    return Section(
        takeaways=takeaways_of(findings, summary, "tuned"),
        picture=_course(findings),
        glance=glance,
        warnings=summary.warnings,
        words=WORDS,
    )


def _course(findings: Findings) -> Figure:
    """Return the gain of each candidate with its interval, and the best so far."""
    scaled = [(100 * pl.col(name)).alias(name) for name in ("gain", "low", "high", "best")]
    parts = {"x": "trial", "share": "gain", "subject": pl.col("strategy")}
    alt = f"Gain of each of {findings.trials.height - 1} candidates over the defaults, and the best so far."
    words = {"label": "Trial (0: the defaults)", "unit": "Gain over the defaults, percentage points"}
    note = "Bars: 95 % interval of each candidate by itself, on the deals of the search."
    return figure(
        findings, ("tuning", charts.gains), findings.trials.with_columns(scaled), alt, note, parts, **words
    )
