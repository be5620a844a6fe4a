"""The drama of games: lead changes, the moment of decision, comebacks, and the growth of leads."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Figure, Findings, Section, charts, figure, prose, table
from simkit.reporting.pages.commands import trace_command
from simkit.reporting.pages.measures import Measure, measure_tables
from simkit.reporting.pages.scope import first_cell, here, where
from simkit.reporting.text import headings, span
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.leads import of_a_lead
from simkit.reporting.text.pacing import row_of

READING = [
    prose("""Lead changes and the moment of decision tell how long a game stays open. Many changes and a late
        decision: exciting to the end, but if the lead hardly matters before the end, the first turns may feel
        idle. Few changes and an early decision: the rest is played out."""),
    prose("""The runaway slope says what becomes of a lead by the next round of the table: above 1 it grows
        (snowball: those behind may give up), below 1 it shrinks (those behind catch up: good for tension, but
        early success counts for less). Scores are those at the end of each turn; a lead is the best score,
        alone."""),
]
CURVE = prose("""Predictability: how often whoever leads at that moment goes on to win. Flat and low: the lead
    says little, anything can happen. Steep early: decided early. 100 % at the end means that whoever leads by
    the score wins.""")
ENOUGH_LOOKS = 30  # fewest looks of a coloured field
COMEBACK = prose(f"""Comebacks: how often a seat that trails by so much in the score at that stage still wins
    (%). A look is a turn after which a seat trails by so much. High numbers far down and far right are late
    comebacks; a row near 0 says that such a gap is final. Fields of fewer than {ENOUGH_LOOKS} looks stay
    white; several looks come from one game.""")
FAN = prose("""Score fan: how the scores of winners and others spread as the game goes on, with each seat and
    strategy as often among both. Where the bands part early, games are decided early; where they stay
    together, they stay close.""")
PLAYED = "Part of the game played"
WORDS = {
    "Predictability": "how often the seat in the lead at some moment of the game goes on to win it.",
    "Comeback": "a win by a seat that was behind. Behind and ahead go by the scores at the end of each turn.",
    "Decided": "the part of the game after which its winner is in the lead for good.",
    "Runaway slope": "what becomes of a lead by the next round of the table: 1, it stays; above 1 it grows; "
    "below 1 it shrinks.",
}


def section(findings: Findings) -> Section | None:
    """Return pictures and tables of the turn trace, or None for a team, in which no seat leads."""
    run, baseline = findings.run, findings.at_baseline()
    if run.team:
        return None
    if not run.experiment.trace:
        instruction = f"play it with a turn trace: {trace_command(run)}"
        return Section("Who leads when was not recorded", [f"To see it, {instruction}"])
    deals = min(run.experiment.trace, max(cell.deals for cell in baseline.run.cells))
    traced = f"Measured on the first {deals:,} deals of each lineup."
    curve = _with_stage(baseline.predictability)
    comebacks = first_cell(findings, _with_deficit(_with_stage(baseline.comeback)))
    fan = first_cell(findings, baseline.result_fan)
    pictures = [_curve(findings, curve), *([_comebacks(findings, comebacks)] if comebacks.height else [])]
    pictures += [_fan(findings, fan)] if fan["result"].n_unique() > 1 else []
    numbers = measure_tables(baseline, _measures(baseline), "Drama in numbers", "value")
    by_stage = table(
        baseline, curve, "cell stage share low high games", "How often the leader goes on to win"
    )
    names, caption = "stage behind share low high observations n", "How often a trailing seat still wins"
    tables = [*numbers, by_stage, table(baseline, comebacks, names, caption)]
    text = [*filter(None, [_lead_sentence(findings)]), *READING, traced]
    return Section(headings.drama(findings), text, pictures, tables, words=WORDS)


def _lead_sentence(findings: Findings) -> str:
    """Describe what becomes of a lead, with the slope."""
    row = row_of(findings, "runaway")
    text = of_a_lead(row["slope"], row["low"], row["high"])
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


def _in_percent(progress: str) -> pl.Expr:
    return (100 * pl.col(progress)).round().cast(pl.Int64)


def _with_stage(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with the stage of the game in words, and its end in percent."""
    low, high = _in_percent("progress_low"), _in_percent("progress_high")
    return table.with_columns(pl.format("{} to {} %", low, high).alias("stage"), high.alias("played"))


def _with_deficit(table: pl.DataFrame) -> pl.DataFrame:
    low, high = pl.col("deficit_low"), pl.col("deficit_high")
    deficit = pl.when(high == low).then(pl.format("{}", low)).otherwise(pl.format("{} to {}", low, high))
    deficit = pl.when(high.is_null()).then(pl.format("{} or more", low)).otherwise(deficit)
    return table.with_columns(pl.format("{} behind", deficit).alias("behind"))


def _curve(findings: Findings, curve: pl.DataFrame) -> Figure:
    alt = "How often the leader at a moment goes on to win, along the game"
    caption = f"{CURVE} {where(findings)}".strip()
    chart_options = {"label": f"{PLAYED}, %", "unit": "Leader goes on to win"}
    chart, parts = ("predictability", charts.lines), {"line": "lineup", "x": "played"}
    return figure(findings, chart, curve.drop("fair"), alt, caption, parts, "lineup", **chart_options)


def _comebacks(findings: Findings, rows: pl.DataFrame) -> Figure:
    shade = pl.when(pl.col("observations") >= ENOUGH_LOOKS).then("share")
    notes = pl.col("observations").map_elements(lambda count: counted(count, "look"), return_dtype=pl.String)
    parts = {"row": "behind", "column": "stage", "note": notes, "shade": shade}
    stages = rows.sort("played")["stage"].unique(maintain_order=True).to_list()
    alt = "How often a trailing seat still wins, by how far behind and stage"
    caption, drawn = f"{COMEBACK} {here(findings)}".strip(), rows.sort("deficit_low", "played")
    chart = "comeback", charts.heat
    return figure(findings, chart, drawn, alt, caption, parts, across=PLAYED, columns=stages)


def _fan(findings: Findings, rows: pl.DataFrame) -> Figure:
    others = pl.col("result") == "others"
    parts = {"line": "result", "x": _in_percent("progress_high"), "style": -1 - others.cast(pl.Int64)}
    chart_options = {"label": f"{PLAYED}, %", "unit": f"Score ({findings.run.words.score})"}
    alt, caption = "Scores of winners and others along the game", f"{FAN} {here(findings)}".strip()
    drawn, chart = rows.sort(others, "progress_high"), ("fan", charts.fan)
    return figure(findings, chart, drawn, alt, caption, parts, **chart_options)
