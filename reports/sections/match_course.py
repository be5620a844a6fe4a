"""The course of a match: its log-likelihood ratio at each analysis between the bounds, and deals by score."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, Show, charts, figure, prose, table
from simkit.reporting.text.numbers import in_elo

TEST_TEXT = prose("""The test decides between {alternatives}. It is analysed after 200 deals and then after
    every 5 % more (at least 50), so that neither the clock nor the number of workers decides where it
    stops.""")
LINES = {"llr": "log-likelihood ratio", "llr_high": "upper bound", "llr_low": "lower bound"}


def match_course(findings: Findings) -> Section:
    """Return the course of the test and the deals by score."""
    heads = {"result": Show("score of the deal", "{:.1%}"), "share": Show("part", "{:.1%}", "of all deals")}
    caption = "Deals by the score of the first strategy"
    results = table(findings, findings.match_results, "result deals share", caption, **heads)
    if not findings.match_looks.width:
        return Section("Deals by their score", tables=[results])
    bounds = findings.run.experiment.until_elo, findings.run.experiment.normalized_elo
    text = TEST_TEXT.format(alternatives=in_elo(*bounds))
    heading = "The course of the test, and deals by their score"
    return Section(heading, [text], [_course_figure(findings)], [results])


def _course_figure(findings: Findings) -> Figure:
    """Return the log-likelihood ratio and its two bounds along the deals."""
    rows = findings.match_looks.unpivot(list(LINES), index="deals", variable_name="which")
    style = pl.when(pl.col("which") == "llr").then(0).otherwise(-1)
    parts = {"line": pl.col("which").replace_strict(LINES), "x": "deals", "style": style}
    alt = "Log-likelihood ratio of the match at each analysis, with the bounds at which the test ends"
    options = {"label": "Deals", "unit": "Log-likelihood ratio", "form": "{:+.2f}"}
    return figure(findings, ("course", charts.curve), rows, alt, "", parts, **options)
