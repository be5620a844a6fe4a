"""How long games last, why they end, what they score."""

from __future__ import annotations

import polars as pl

from reports.sections.common import MOST_LINES, SHARE, TENTH, N, drawn_cells, front, looked_at, where, where_drawn
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, table
from simkit.runlog import Run


def length_section(run: Run) -> Section:
    """Turns and decisions of a game."""
    bars = looked_at(run, analysis.length_bars(run, "turns"))
    cells = bars["cell"].unique(maintain_order=True).to_list()
    drawn = bars.filter(pl.col("cell").is_in(cells[:MOST_LINES])).rename({"lineup": "line"})
    some = f"The first {MOST_LINES} of {len(cells)} lineups; the table has all." if len(cells) > MOST_LINES else ""
    height = 3.0 + 0.1 * drawn["line"].n_unique()
    drawing = charts.picture("lengths", charts.histogram, drawn, height=height, unit="Turns of all seats together")
    lengths = analysis.lengths(run)
    columns = front(lengths, run) | {"measure": Show("per game"), "mean": Show("mean", TENTH), "sd": Show("sd", TENTH)}
    columns |= {"p5": Show("5 %"), "p50": Show("50 %"), "p95": Show("95 %"), "games": N["games"]}
    figure = Figure(drawing, "Share of games by number of turns; numbers in the table", f"{where(run)} {some}".strip())
    text = (
        "How long games last: turns of all seats together, and decisions with more than one choice. "
        "sd is the standard deviation; 5, 50 and 95 % of the games are at most as long as the numbers below these heads."
    )
    return Section("Length", [text], [figure], [table(lengths, columns, "Length of a game")])


def ending_section(run: Run, seats: pl.DataFrame) -> Section:
    """Why games end, and who wins then."""
    ends = drawn_cells(run, analysis.end_winners(run), seats)
    nobody = pl.when(pl.col("winner").is_null()).then(pl.lit("shared or nobody")).otherwise(pl.format("seat {} wins", pl.col("winner")))
    part = pl.format("{}: {}", pl.col("end_reason"), nobody)
    drawn = ends.with_columns(pl.col("lineup").alias("label"), part.alias("part")).sort("part", "cell")
    rows, parts = drawn["label"].n_unique(), drawn["part"].n_unique()
    drawing = charts.picture("ends", charts.stacked, drawn, height=1.1 + 0.38 * rows + 0.12 * parts)
    reasons = analysis.end_reasons(run).filter(pl.col("share") > 0)
    columns = front(reasons, run) | {"end_reason": Show("ends by")} | SHARE | N
    draws = analysis.draws(run)
    shared = table(draws, front(draws, run) | SHARE | N, "Draws: share of games whose win was shared")
    figure = Figure(drawing, "Share of games by end reason and winning seat; numbers in the table", where_drawn(run))
    return Section("Endings", ["Why games end, and who wins then."], [figure], [table(reasons, columns, "End reasons"), shared])


def score_section(run: Run) -> Section:
    scores = analysis.scores(run)
    columns = front(scores, run) | {"seat": Show("seat"), "mean": Show("mean score", "{:.2f}"), "low": Show("95 % from", "{:.2f}")}
    columns |= {"high": Show("to", "{:.2f}"), "sd": Show("sd", "{:.2f}")} | N
    text = "Final scores by seat: the mean with its 95 % interval, and how far single games scatter around it (sd)."
    return Section("Scores", [text], [], [table(scores, columns, "Score of each seat")])
