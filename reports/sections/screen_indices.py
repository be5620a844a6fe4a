"""Sobol indices: the part of each measure's spread that goes back to each option."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, labels_of, prose, table
from simkit.reporting.text.phrases import percent, span
from simkit.reporting.text.screens import index_percent, measure_told

TEXT = prose("""The strongest options took all values between their two (of named choices these two), each as
    likely as any other, in a sample of {size} points. First order: the part of the variance between settings
    that goes back to the option by itself; total: with all that it does together with others. Intervals are
    95 %, each for itself. Luck: the part that is luck of the deals played; it adds to the totals.""")


def section(findings: Findings) -> Section | None:
    """Return the indices, or None for a run without them."""
    rows = findings.sobol_indices
    if not rows.width:
        return None
    labels, records = labels_of(findings), rows.rows(named=True)
    described = pl.DataFrame(
        {
            "what": [measure_told(findings, row["measure"], row["seat"]) for row in records],
            "option": [row["option"] for row in records],
            "lineup": [row["lineup"] for row in records],
            "first": [index_percent(row["first"]) for row in records],
            "interval": [_interval(row, "first") for row in records],
            "total": [index_percent(row["total"]) for row in records],
            "total_interval": [_interval(row, "total") for row in records],
            "luck": [percent(row["luck"]) for row in records],
        }
    )
    heads = {"what": Show("what"), "first": Show("first order"), "total": Show("total")}
    heads |= {"total_interval": Show("its interval"), "luck": Show("luck")}
    lineup = ["lineup"] if described["lineup"].n_unique() > 1 else []
    names = ["what", "option", *lineup, "first", "interval", "total", "total_interval", "luck"]
    listed = table(findings, described, names, "Sobol indices", **heads)
    top = rows.sort("total", descending=True, maintain_order=True).row(0, named=True)
    measure = measure_told(findings, top["measure"], top["seat"])
    heading = f"Most of the spread of {measure} goes back to {labels.option(top['option'])}"
    text = TEXT.format(size=findings.run.screened.sample)
    return Section(
        heading if top["total"] > 1 / 2 else "How much goes back to which option", [text], tables=[listed]
    )


def _interval(row: dict[str, float], name: str) -> str:
    return f"{span(row[f'{name}_low'], row[f'{name}_high'], scale=100)} %"
