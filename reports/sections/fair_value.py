"""The fair value with its interval, the measured curve, the best whole numbers on fresh deals."""

import polars as pl

from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, Takeaway, query, table
from simkit.reporting.pages.fitted import fitted
from simkit.reporting.text import seat_name
from simkit.reporting.text.best_values import best_table
from simkit.reporting.text.fairness import fair_answer, interval_words
from simkit.reporting.text.perspective import beyond_two, side_of

MOST_SEATS = 6  # seats whose shares stand beside each other
WHOLE = "{:.0%}"
WORDS = {
    "Fair value": "where the shares, joined by straight lines, meet the fair share; it may lie between whole "
    "numbers.",
    "Fresh deals": "deals that were not used to pick the value. What was picked as the best of many looks "
    "better than it is; on fresh deals it cannot.",
}


def section(findings: Findings) -> Section | None:
    if not findings.fair_values.width:
        return None
    told = fair_answer(findings)
    said = [Takeaway(told.headline, query(findings, "fair_values", "fair_checks"), "answer")]
    said += [Takeaway(told.advice, kind="advice"), *(Takeaway(one, kind="sure") for one in told.sure)]
    picture, glance = fitted(findings)[0], _glance(findings)
    return Section(takeaways=said, picture=picture, glance=glance, warnings=told.warnings, words=WORDS)


def _glance(findings: Findings) -> Table:
    rows, side = findings.kept(best_table), side_of(findings.run).name
    front = [name for name in ("lineup", "option") if rows[name].n_unique() > 1]
    sure = pl.struct("low", "high").map_elements(lambda row: interval_words(**row), return_dtype=pl.String)
    rows = rows.with_columns(
        pl.when(pl.col("value").is_not_null()).then(sure).alias("interval"),
        pl.col("verdict").str.to_lowercase(),
    )
    meaning = "where the lines through the shares meet the fair share; empty: nowhere in the range exactly"
    heads = {"value": Show("fair value", "{:.1f}", meaning), "whole": Show("fair whole number", "{}")}
    heads |= {"share": Show(f"{side} wins", WHOLE, "at the best whole number, on fresh deals")}
    heads |= {"verdict": Show("verdict", "{}", "on fresh deals")}
    won = ["share"]
    if beyond_two(findings) and findings.run.cells[0].seats <= MOST_SEATS:
        wide = findings.seat_shares.pivot("seat", index="cell", values="share")
        rows = rows.cast({"cell": wide.schema["cell"]})
        rows = rows.join(wide, on="cell", how="left", maintain_order="left")
        won = [name for name in wide.columns if name != "cell"]
        heads |= {name: Show(seat_name(int(name)), WHOLE, "wins, on fresh deals") for name in won}
    caption = "The fair value, and the best whole number on fresh deals"
    return table(findings, rows, [*front, "value", "interval", "whole", *won, "verdict"], caption, **heads)
