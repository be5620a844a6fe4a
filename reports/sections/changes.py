"""What other rules change besides who wins: length, draws, scores and requested columns."""

import polars as pl

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.differences import DIFFERENCE_WORDS, difference_figure, difference_table
from simkit.reporting.text.changes import NOT_SEATS, greatest, measure_name


def changes(findings: Findings) -> Section | None:
    """Return all changes and a picture of the greatest change beyond luck; None without a baseline."""
    if findings.comparisons.is_empty():
        return None
    no_draws = (pl.col("measure") == "draw") & (pl.col("base_value") == 0) & (pl.col("value") == 0)
    rows, figures = findings.comparisons.filter(NOT_SEATS & ~no_draws), []
    if change := greatest(rows):
        drawn = rows.filter(pl.col("seat").eq_missing(change["seat"]), measure=change["measure"])
        name = f"Change of {measure_name(change['measure'], change['seat'])}"
        figures.append(difference_figure(findings, drawn, "changes", name))
    listed = difference_table(findings, rows, "Changes on the same deals, the greatest beyond luck first")
    return Section("What else changes", [], figures, [listed], words=DIFFERENCE_WORDS)
