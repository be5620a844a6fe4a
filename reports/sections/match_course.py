"""The course of a match: its log-likelihood ratio look by look between the bounds, deals by score."""

import polars as pl

from simkit.reporting.document import Figure, Table
from simkit.reporting.pages import Findings, Section, Show, charts, figure, prose, table
from simkit.reporting.text.phrases import in_elo, number

TEXT = prose("""The test is analysed after 200 deals and then after every 5 % more (at least 50), so that
    neither the clock nor the number of workers decides where it stops.""")


def section(findings: Findings) -> Section | None:
    if not findings.match_results.width:
        return None
    looks, counted = findings.match_looks, _counted(findings)
    if not looks.width:
        return Section("Deals by their score", figures=[_bars(findings)], tables=[counted])
    last = looks.row(-1, named=True)
    between = in_elo(findings.run.experiment.until_elo, findings.run.experiment.normalized_elo)
    bounds = f"between {number(last['llr_low'], 2)} and {number(last['llr_high'], 2)}"
    side = "reached its bound" if not last["llr_low"] < last["llr"] < last["llr_high"] else f"is {bounds}"
    text = f"The test decides between {between}. {TEXT}"
    heading = f"The log-likelihood ratio {side} after {last['deals']:,} deals"
    return Section(heading, [text], [_picture(findings), _bars(findings)], [counted, _looks(findings)])


def _picture(findings: Findings) -> Figure:
    """The ratio and its two bounds along the deals."""
    lines = {"llr": "log-likelihood ratio", "llr_high": "upper bound", "llr_low": "lower bound"}
    rows = findings.match_looks.unpivot(list(lines), index="deals", variable_name="which", value_name="share")
    nothing = pl.lit(None, pl.Float64)
    style = pl.col("which").replace_strict({"llr": 0}, default=-1, return_dtype=pl.Int64)
    rows = rows.with_columns(low=nothing, high=nothing, baseline=pl.lit(False), style=style)
    parts = {"line": pl.col("which").replace_strict(lines), "x": "deals"}
    parts["tick"] = pl.col("deals").map_elements(lambda deals: f"{deals:,}", return_dtype=pl.String)
    alt = "Log-likelihood ratio of the match after each look, with the bounds at which the test ends"
    how = {"label": "Deals", "unit": "Log-likelihood ratio"}
    return figure(findings, ("course", charts.trend), rows, alt, "", parts, **how)


def _bars(findings: Findings) -> Figure:
    """The deals by score: of two seats the pentanomial counts."""
    nothing = pl.lit(None, pl.Float64)
    rows = findings.match_results.with_columns(low=nothing, high=nothing)
    said = pl.col("result").map_elements(
        lambda one: f"{100 * one:.0f} % of the points", return_dtype=pl.String
    )
    parts = {"label": said, "kind": pl.lit(""), "value": "share", "style": pl.lit(0)}
    alt = "Deals by the score of the first strategy over all games of a deal"
    return figure(
        findings, ("results", charts.bars), rows, alt, "", parts, unit="Part of the deals", form="{:.1%}"
    )


def _counted(findings: Findings) -> Table:
    heads = {"result": Show("score of the deal", "{:.1%}", "points per game of the first strategy")}
    heads["share"] = Show("part", "{:.1%}", "of all deals")
    rows = findings.match_results
    return table(findings, rows, "result deals share", "Deals by the score of the first strategy", **heads)


def _looks(findings: Findings) -> Table:
    heads = {"llr": Show("LLR", "{:+.2f}", "log-likelihood ratio")}
    heads["score"] = Show("score so far", "{:.1%}", "of the first strategy, as played")
    return table(findings, findings.match_looks, "deals games score llr", "Look by look", **heads)
