"""Skill against luck: the wins of a player who errs among players who do not."""

from collections.abc import Iterator

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, Show, charts, figure, prose, table
from simkit.reporting.text.numbers import percent, span

REPORTED_RATE = 0.2  # error rate of the beginner that sentences report, or the nearest one played
ERRORS_READING = prose("""An error is a random one of the possible actions in place of the strategy's own,
    which now and then is a good one; people who begin also err in other ways. In the picture a flat line
    means that errors hardly matter, a steep one that they do; 100 % is the share without errors. One of the
    players, in every seat as often, errs.""")


def beginners(findings: Findings) -> Section | None:
    """Return the curve and the table of a player who errs, or None for a run without beginners."""
    if findings.beginners.is_empty():
        return None
    text = [*beginner_sentences(findings), ERRORS_READING]
    heads = {"errs": Show("errs in", "{:.0%}"), "share": "wins", "fair": "without errors"}
    names = "seats strategy errs share low high fair games"
    numbers = table(findings, findings.beginners, names, "Wins of a player who errs", **heads)
    return Section("A player who errs", text, [_errors_figure(findings)], [numbers])


def beginner_sentences(findings: Findings) -> Iterator[str]:
    """Yield for each number of seats what a player who errs at the reported rate wins."""
    distance = (pl.col("errs") - REPORTED_RATE).abs()
    erring = findings.beginners.filter(pl.col("errs") > 0).sort(distance, maintain_order=True)
    winner = "the team" if findings.run.team else "this player"
    for row in erring.unique("seats", keep="first").sort("seats").rows(named=True):
        errs = f"With {row['seats']} players, of whom one errs in {percent(row['errs'])} of the decisions"
        interval = span(row["low"], row["high"], scale=100)
        wins = f"{winner} wins {percent(row['share'])} of the games ({interval})"
        yield f"{errs}, {wins}; without errors it would be {percent(row['fair'])}."


def _errors_figure(findings: Findings) -> Figure:
    """Return shares relative to play without errors, a line per number of seats, from no errors on."""
    rows = findings.beginners.filter(pl.col("fair") > 0)
    start = rows.unique("seats", maintain_order=True).with_columns(errs=0.0, share=1.0, low=1.0, high=1.0)
    ends = [pl.col(end) / pl.col("fair") for end in ("share", "low", "high")]
    curves = pl.concat([start, rows.filter(pl.col("errs") > 0).with_columns(ends)])
    line = pl.format("{} players", "seats")
    curves = curves.with_columns(line=line, x=100 * pl.col("errs"), fair=pl.lit(1.0))
    label = "Decisions in which one player errs, %"
    options = {"label": label, "aim": "", "unit": "Games won, 100 %: as many as without errors"}
    alt = f"How often {'the team' if findings.run.team else 'a player'} wins the more one player errs"
    parts = {"line": pl.col("line"), "x": "x"}
    return figure(findings, ("beginners", charts.curve), curves, alt, "", parts, **options)
