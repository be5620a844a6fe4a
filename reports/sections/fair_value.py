"""The fair value with its interval, the measured curve and the best whole numbers on fresh deals."""

import polars as pl

from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, Takeaway, query, table
from simkit.reporting.pages.fitted import fitted
from simkit.reporting.text import seat_name
from simkit.reporting.text.best_values import best_of_all, best_table
from simkit.reporting.text.fairness import fair_answer
from simkit.reporting.text.perspective import beyond_two, side_of
from simkit.reporting.text.phrases import interval_words
from simkit.reporting.text.stamps import value_stamp

MAX_SEATS_SIDE_BY_SIDE = 6  # seats with a column each
WHOLE = "{:.0%}"
WORDS = {
    "Fair value": "where the shares, joined by straight lines, meet the fair share; it may lie between whole "
    "numbers.",
    "Fresh deals": "deals that were not used to pick the value. What was picked as the best of many looks "
    "better than it is; on fresh deals it cannot.",
}


def section(findings: Findings) -> Section | None:
    """Return the brief, or None for a run that is no search for a fair value."""
    if not findings.fair_values.width:
        return None
    summary = fair_answer(findings)
    takeaways = [Takeaway(summary.headline, query(findings, "fair_values", "fair_checks"), "answer")]
    takeaways += [
        Takeaway(summary.advice, kind="advice"),
        *(Takeaway(note, kind="sure") for note in summary.sure),
    ]
    picture, glance = fitted(findings)[0], _glance(findings)
    best = best_of_all(findings)
    return Section(
        takeaways=takeaways,
        stamp=value_stamp(best.setting, best.kinds),
        picture=picture,
        glance=glance,
        warnings=summary.warnings,
        words=WORDS,
    )


def _glance(findings: Findings) -> Table:
    rows, side = findings.cached(best_table), side_of(findings.run).name
    key_columns = [name for name in ("lineup", "option") if rows[name].n_unique() > 1]
    ends = pl.struct("low", "high")
    interval = ends.map_elements(lambda row: interval_words(**row), return_dtype=pl.String)
    rows = rows.with_columns(pl.when(pl.col("value").is_not_null()).then(interval).alias("interval"))
    meaning = "where the lines through the shares meet the fair share; empty: nowhere in the range exactly"
    heads = {"value": Show("fair value", "{:.1f}", meaning), "whole": Show("fair whole number", "{}")}
    heads |= {"share": Show(f"{side} wins", WHOLE, "at the best whole number, on fresh deals")}
    heads |= {"verdict": Show("verdict", "{}", "on fresh deals")}
    share_columns = ["share"]
    if beyond_two(findings) and findings.run.cells[0].seats <= MAX_SEATS_SIDE_BY_SIDE:
        by_seat = findings.seat_shares.pivot("seat", index="cell", values="share")
        rows = rows.cast({"cell": by_seat.schema["cell"]})
        rows = rows.join(by_seat, on="cell", how="left", maintain_order="left")
        share_columns = [name for name in by_seat.columns if name != "cell"]
        heads |= {name: Show(seat_name(int(name)), WHOLE, "wins, on fresh deals") for name in share_columns}
    caption = "The fair value, and the best whole number on fresh deals"
    names = [*key_columns, "value", "interval", "whole", *share_columns, "verdict"]
    return table(findings, rows, names, caption, **heads)
