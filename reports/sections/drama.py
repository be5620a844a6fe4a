"""The drama of games: lead changes, the moment of decision, and the growth of leads."""

import polars as pl

from simkit.reporting.pages import Findings, Section, charts, figure, prose
from simkit.reporting.pages.differences import measure_table
from simkit.reporting.pages.scope import where, with_other_rules
from simkit.reporting.text.commands import trace_command

CURVE_READING = prose("""The curve says how often whoever leads at that moment goes on to win. Flat and low:
    anything can happen. Steep early: decided early. Measured on the first {deals:,} deals of each lineup.""")
DRAMA_WORDS = {
    "Decided": "the part of the game after which its winner is in the lead for good.",
    "Runaway slope": "what becomes of a lead by the next round of the table: 1, it stays; above 1 it grows; "
    "below 1 it shrinks. A lead is the best score at the end of a turn, alone.",
}


def drama(findings: Findings) -> Section | None:
    """Return the curve and the numbers of the turn trace, or None for a team, in which no seat leads."""
    run = findings.run
    if run.team:
        return None
    if not run.experiment.trace:
        return Section("Who leads when was not recorded", [f"A turn trace tells: {trace_command(run)}"])
    deals = min(run.experiment.trace, max(cell.deals for cell in findings.at_baseline().run.cells))
    shown = with_other_rules(findings)
    compared = shown.cells["setting"].n_unique() > 1
    decided = shown.decided_at.drop("games").rename({"single": "games"})
    measures = [
        (shown.lead_changes, "mean", "", "lead changes per game", "{:.1f}"),
        (shown.lead_changes, "none", "none", "games in which the lead never changes", "{:.0%}"),
        (decided, "mean", "", "part of the game after which the winner leads for good", "{:.0%}"),
        (decided, "early", "early", "games decided before half-way", "{:.0%}"),
        (shown.runaway, "slope", "", "runaway slope (1: leads neither grow nor shrink)", "{:.2f}"),
    ]
    numbers = measure_table(shown, measures, "Drama in numbers", "value", compared)
    played = (100 * pl.col("progress_high")).round().cast(pl.Int64)
    curve = shown.predictability.with_columns(played=played).drop("fair")
    line, caption = ("setting", "") if compared else ("lineup", where(findings))
    how = {"label": "Part of the game played, %", "unit": "Leader goes on to win"}
    chart, alt = ("predictability", charts.curve), "How often the leader at a moment goes on to win"
    picture = figure(findings, chart, curve, alt, caption, {"line": line, "x": "played"}, line, **how)
    text = CURVE_READING.format(deals=deals)
    return Section("Who leads when", [text], [picture], [numbers], words=DRAMA_WORDS)
