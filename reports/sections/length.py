"""The length of games in turns and decisions."""

import polars as pl

from simkit.reporting.pages import (
    Findings,
    Section,
    Show,
    Table,
    charts,
    figure,
    looked_at,
    prose,
    table,
    where,
    with_extremes,
)
from simkit.reporting.pages.pictures import first_lines
from simkit.reporting.text import headings
from simkit.reporting.text.pacing import at_the_table

WORDS = {"Decision": "an action with at least two possibilities; one without an alternative is not counted."}

MEAN_OF_ALL = pl.col("mean").mean().over("measure")
DEVIATION = (pl.col("mean") - MEAN_OF_ALL).abs() / MEAN_OF_ALL  # turns and decisions alike


def section(findings: Findings) -> Section:
    """Return the histogram of turns, the table of lengths and, where given, the minutes at the table."""
    bars, turns = looked_at(findings, findings.length_bars), f"turns {findings.run.words.turns_of}"
    count, alt = bars["cell"].n_unique(), "Share of games by number of turns"
    lineups = first_lines(count)
    chart, chart_options = ("lengths", charts.histogram), {"style_by": "lineup", "unit": turns.capitalize()}
    picture = figure(
        findings, chart, bars, alt, where(findings, lineups), {"line": "lineup"}, **chart_options
    )
    text = prose(f"""How long games last: {turns}, and decisions with more than one choice. In the picture at
        most one game in a thousand is left out at either end. sd is the standard deviation; 5, 50 and 95 % of
        the games are at most as long as the numbers below these heads.""")
    names = "cell measure mean sd low high p5 p50 p95 games"
    listed = table(findings, findings.lengths, names, "Length of a game", measure="per game")
    listed = with_extremes(listed, findings.lengths, DEVIATION, "the longest and the shortest games")
    tables, texts = [listed, *_minutes(findings)], [text, *map(prose, at_the_table(findings))]
    return Section(headings.length(findings), texts, [picture], tables, words=WORDS)


def _minutes(findings: Findings) -> list[Table]:
    """Return the minutes at the table, or no table for a run without seconds per decision."""
    heads = {"mean": "minutes", "seconds": "seconds per decision", "wait": "seconds between two own turns"}
    names, forms = "cell seconds mean p5 p50 p95 wait games", {"mean": "{:.0f}", "wait": "{:.0f}"}
    shows = {name: Show(head, forms.get(name, "{:g}")) for name, head in heads.items()}
    shows |= {name: Show(f"{name[1:]} %", "{:.0f}") for name in ("p5", "p50", "p95")}
    return (
        [table(findings, findings.minutes, names, "Minutes at the table", **shows)]
        if findings.minutes.height
        else []
    )
