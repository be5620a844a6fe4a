"""The drama of games: lead changes, the moment of decision, and the growth of leads."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, charts, figure, prose
from simkit.reporting.pages.commands import trace_command
from simkit.reporting.pages.differences import Measure, measure_table
from simkit.reporting.pages.scope import where, with_other_rules
from simkit.reporting.text import headings, span
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.leads import of_leads
from simkit.reporting.text.pacing import row_of

READING = prose("""The curve says how often whoever leads at that moment goes on to win. Flat and low:
    anything can happen. Steep early: decided early.""")
WORDS = {
    "Decided": "the part of the game after which its winner is in the lead for good.",
    "Runaway slope": "what becomes of a lead by the next round of the table: 1, it stays; above 1 it grows; "
    "below 1 it shrinks. A lead is the best score at the end of a turn, alone.",
}


def section(findings: Findings) -> Section | None:
    """Return the curve and the numbers of the turn trace, or None for a team, in which no seat leads."""
    run, baseline = findings.run, findings.at_baseline()
    if run.team:
        return None
    if not run.experiment.trace:
        instruction = f"play it with a turn trace: {trace_command(run)}"
        return Section(headings.untraced(baseline.game_counters), [f"To see when, {instruction}"])
    deals = min(run.experiment.trace, max(cell.deals for cell in baseline.run.cells))
    text = [_lead_sentence(findings), f"{READING} Measured on the first {deals:,} deals of each lineup."]
    shown = with_other_rules(findings)
    compared = shown.cells["setting"].n_unique() > 1
    numbers = measure_table(shown, _measures(shown), "Drama in numbers", "value", compared)
    curve = _curve(findings, shown, "setting" if compared else "lineup")
    return Section(headings.drama(findings), list(filter(None, text)), [curve], [numbers], words=WORDS)


def _lead_sentence(findings: Findings) -> str:
    """Describe what becomes of a lead, with the slope."""
    row = row_of(findings, "runaway")
    text = of_leads(row["slope"], row["low"], row["high"])
    if not text:
        return ""
    return f"{text[0].upper()}{text[1:]} (slope {span(row['low'], row['high'], 2)}{of_first(findings)})."


def _measures(baseline: Findings) -> list[Measure]:
    changes, decided = baseline.lead_changes, baseline.decided_at.drop("games").rename({"single": "games"})
    return [
        (changes, "mean", "", "lead changes per game", "{:.1f}"),
        (changes, "none", "none", "games in which the lead never changes", "{:.0%}"),
        (decided, "mean", "", "part of the game after which the winner leads for good", "{:.0%}"),
        (decided, "early", "early", "games decided before half-way", "{:.0%}"),
        (baseline.runaway, "slope", "", "runaway slope (1: leads neither grow nor shrink)", "{:.2f}"),
    ]


def _curve(findings: Findings, shown: Findings, line: str) -> Figure:
    """Return how often the leader goes on to win, along the game, a line for each lineup or setting."""
    played = (100 * pl.col("progress_high")).round().cast(pl.Int64)
    curve = shown.predictability.with_columns(played=played).drop("fair")
    alt = "How often the leader at a moment goes on to win"
    chart_options = {"label": "Part of the game played, %", "unit": "Leader goes on to win"}
    chart, parts = ("predictability", charts.curve), {"line": line, "x": "played"}
    caption = where(findings) if line == "lineup" else ""
    return figure(findings, chart, curve, alt, caption, parts, line, **chart_options)
