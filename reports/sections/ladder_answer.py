"""The first screen of a ladder: the share of the first player, or of the team, rung by rung."""

import polars as pl

from simkit.reporting import charts
from simkit.reporting.document import Table
from simkit.reporting.pages import Findings, Section, Show, labels_of, table, takeaways_of
from simkit.reporting.pages.pictures import figure
from simkit.reporting.text import seat_name
from simkit.reporting.text.ladder import duration, ladder_answer

WORDS = {
    "Rung": "a player of the ladder. Each plays against itself, in all seats, and against the rung below it.",
    "Search": "plays the game on from each choice many times, with what is hidden dealt again, and takes the "
    "choice that ends best. Its budget is the number of games played on at each decision.",
    "Elo": "a scale of strength: of two strategies 70 points apart the better wins about 60 %, 191 points "
    "75 %.",
}


def section(findings: Findings) -> Section | None:
    """Return the first screen, or None for a run that is no ladder."""
    if findings.run.kind != "ladder":
        return None
    summary = ladder_answer(findings)
    return Section(
        takeaways=takeaways_of(findings, summary, "rungs", "rung_answers"),
        picture=_picture(findings),
        glance=_glance(findings),
        warnings=summary.warnings,
        words=WORDS,
    )


def _picture(findings: Findings):  # type: ignore[no-untyped-def]
    """Return the shares of the first player (the team) by rung and setting, with the fair line."""
    rows, labels = findings.rung_answers.filter(seat=0), labels_of(findings)
    kind = pl.col("setting").map_elements(labels.at, return_dtype=pl.String)
    who = "team" if findings.run.team else seat_name(0)
    parts = {"label": pl.col("strategy"), "kind": kind, "value": "share", "low": "low", "high": "high"}
    margin, unit = findings.run.experiment.margin, f"The {who} wins, share of games"
    chart = ("ladder", charts.dots)
    caption = "The highest rung at the bottom; intervals are 95 %, the band is the margin of fairness."
    return figure(findings, chart, rows, unit, caption, parts | {"fair": "fair"}, unit=unit, margin=margin)


def _glance(findings: Findings) -> Table:
    rows = findings.rungs.sort("rung", descending=True)
    heads = {"strategy": Show("rung", "{}"), "elo": Show("Elo", "{:.0f}", "above the lowest rung")}
    heads |= {"share": Show("wins against the rung below", "{:.0%}", "which plays in all other seats")}
    heads |= {"milliseconds": Show("time per decision", duration, "processor time")}
    heads |= {"agreement": Show("decides like the highest", "{:.0%}", "in positions of its games")}
    names = ["strategy", *([] if findings.run.team else ["elo", "share"]), "milliseconds", "agreement"]
    return table(findings, rows, names, "The rungs, the highest first", **heads)
