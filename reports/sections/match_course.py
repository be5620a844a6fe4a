"""The course of a match: its log-likelihood ratio at each analysis between the bounds, and deals by score."""

import polars as pl

from simkit.reporting.document import Figure, Table
from simkit.reporting.pages import Findings, Section, Show, charts, figure, prose, table
from simkit.reporting.text.phrases import in_elo, number

TEXT = prose("""The test is analysed after 200 deals and then after every 5 % more (at least 50), so that
    neither the clock nor the number of workers decides where it stops.""")


def section(findings: Findings) -> Section | None:
    """Return the course of the test and the deals by score, or None for a run that is no match."""
    if not findings.match_results.width:
        return None
    analyses, results = findings.match_looks, _results_table(findings)
    if not analyses.width:
        return Section("Deals by their score", figures=[_results(findings)], tables=[results])
    last = analyses.row(-1, named=True)
    alternatives = in_elo(findings.run.experiment.until_elo, findings.run.experiment.normalized_elo)
    bounds = f"between {number(last['llr_low'], 2)} and {number(last['llr_high'], 2)}"
    outcome = "reached its bound" if not last["llr_low"] < last["llr"] < last["llr_high"] else f"is {bounds}"
    text = f"The test decides between {alternatives}. {TEXT}"
    heading = f"The log-likelihood ratio {outcome} after {last['deals']:,} deals"
    tables = [results, _analyses_table(findings)]
    return Section(heading, [text], [_picture(findings), _results(findings)], tables)


def _picture(findings: Findings) -> Figure:
    """Return the log-likelihood ratio and its two bounds along the deals."""
    lines = {"llr": "log-likelihood ratio", "llr_high": "upper bound", "llr_low": "lower bound"}
    rows = findings.match_looks.unpivot(list(lines), index="deals", variable_name="which")
    style = pl.col("which").replace_strict({"llr": 0}, default=-1, return_dtype=pl.Int64)
    rows = rows.with_columns(style=style)
    parts = {"line": pl.col("which").replace_strict(lines), "x": "deals"}
    alt = "Log-likelihood ratio of the match after each look, with the bounds at which the test ends"
    chart_options = {"label": "Deals", "unit": "Log-likelihood ratio", "form": "{:+.2f}"}
    return figure(findings, ("course", charts.curve), rows, alt, "", parts, **chart_options)


def _results(findings: Findings) -> Figure:
    """Return the deals by score; for two seats these are the pentanomial counts."""
    label = pl.col("result").map_elements(
        lambda score: f"{100 * score:.0f} % of the points", return_dtype=pl.String
    )
    parts = {"label": label, "kind": pl.lit(""), "value": "share", "style": pl.lit(0)}
    alt = "Deals by the score of the first strategy over all games of a deal"
    rows, how = findings.match_results, {"unit": "Part of the deals", "form": "{:.1%}", "aim": ""}
    return figure(findings, ("results", charts.forest), rows, alt, "", parts, **how)


def _results_table(findings: Findings) -> Table:
    heads = {"result": Show("score of the deal", "{:.1%}", "points per game of the first strategy")}
    heads["share"] = Show("part", "{:.1%}", "of all deals")
    rows = findings.match_results
    return table(findings, rows, "result deals share", "Deals by the score of the first strategy", **heads)


def _analyses_table(findings: Findings) -> Table:
    heads = {"llr": Show("LLR", "{:+.2f}", "log-likelihood ratio")}
    heads["score"] = Show("score so far", "{:.1%}", "of the first strategy, as played")
    return table(findings, findings.match_looks, "deals games score llr", "Look by look", **heads)
