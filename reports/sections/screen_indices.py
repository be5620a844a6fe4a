"""Sobol indices: the part of each measure's spread that goes back to each option."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, labels_of, prose, table
from simkit.reporting.text.phrases import span
from simkit.reporting.text.screens import index_percent, measure_told

MAX_LUCK = 0.5  # part of the spread that is luck, above which an index says nothing
TEXT = prose("""In {size} points the strongest options took all values between their two, all as likely.
    By itself: the part of the variance between settings that the option explains alone; in total: with
    all that it does together with others. Luck of the deals adds to the totals.""")


def section(findings: Findings) -> Section | None:
    """Return the indices, or None for a run without them."""
    rows = findings.sobol_indices
    if not rows.width:
        return None
    rows = rows.filter(pl.col("luck") < MAX_LUCK)
    if rows.is_empty():
        return Section("Luck of the deals hides where the spread comes from")
    top = rows.sort("total", descending=True, maintain_order=True).row(0, named=True)
    measure, option = measure_told(top["measure"], top["seat"]), labels_of(findings).option(top["option"])
    heading = f"{index_percent(top['total'])} of the spread of {measure} goes back to {option}"
    cells = [
        {"what": measure_told(row["measure"], row["seat"]), "option": row["option"], "lineup": row["lineup"]}
        | {part: index_percent(row[part]) for part in ("first", "total", "luck")}
        | {"interval": f"{span(row['total_low'], row['total_high'], scale=100)} %"}
        for row in rows.rows(named=True)
    ]
    lineup = ["lineup"] if rows["lineup"].n_unique() > 1 else []
    names = ["what", "option", *lineup, "first", "total", "interval", "luck"]
    heads = {
        name: Show(head) for name, head in (("first", "by itself"), ("total", "in total"), ("luck", "luck"))
    }
    listed = table(findings, pl.DataFrame(cells), names, "Sobol indices", **heads)
    return Section(heading, [TEXT.format(size=findings.run.screened.sample)], tables=[listed])
