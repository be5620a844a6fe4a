"""How long games last, why they end, what they score."""

from __future__ import annotations

import polars as pl

from reports.sections.common import (
    HIGH,
    LOW,
    MOST_LINES,
    PERCENT,
    SHARE,
    TENTH,
    N,
    cells_looked_at,
    drawn_cells,
    first_and_all,
    front,
    here,
    looked_at,
    where,
    where_drawn,
)
from reports.sections.drama import trace_command
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
    columns |= {"low": Show("95 % from", TENTH, "of the mean"), "high": Show("to", TENTH, HIGH)}
    columns |= {"p5": Show("5 %"), "p50": Show("50 %"), "p95": Show("95 %"), "games": N["games"]}
    figure = Figure(drawing, "Share of games by number of turns; numbers in the table", f"{where(run)} {some}".strip())
    text = (
        "How long games last: turns of all seats together, and decisions with more than one choice. "
        "sd is the standard deviation; 5, 50 and 95 % of the games are at most as long as the numbers below these heads."
    )
    return Section("Length", [text], [figure], [table(lengths, columns, "Length of a game")])


LOAD = {
    "branching": ("possibilities per decision", "{:.1f}"),
    "most": ("most possibilities at one decision", "{:.0f}"),
    "choice": ("actions that were a choice", "{:.0%}"),
    "per_turn": ("decisions in a turn of one's own", "{:.2f}"),
    "wait": ("decisions of others between two turns", "{:.1f}"),
    "wait_p95": ("the same, in all but 5 % of the waits at most", "{:.0f}"),
}


def load_section(run: Run) -> Section:
    """How much there is to decide and how long one waits, from the trace."""
    looked = cells_looked_at(run)
    if not analysis.has_load(run):
        return Section("Load", [f"How much there is to decide is counted with a turn trace only; to get it: {trace_command(run)}"])
    found = analysis.load(looked)
    if found["branching"].is_null().all():
        return Section("Load", ["In the games traced there was nothing to decide: every action was forced."])
    rows = _load_rows(found)
    text = [
        "What a player has to do. Few possibilities and few choices: quick and light, perhaps played by the game itself; many: heavier, "
        "perhaps slow. Decisions of others between two turns are the wait at the table (downtime)."
    ]
    shown = {"measure": Show("measure"), "value": Show("mean"), "low": Show("95 % from", "{}", LOW), "high": Show("to", "{}", HIGH)} | N
    seats = analysis.load(looked, by_seat=True)
    by_seat = {"seat": Show("seat"), "branching": Show("possibilities", TENTH), "choice": Show("choices", PERCENT)}
    by_seat |= {"per_turn": Show("decisions in a turn", "{:.2f}"), "wait": Show("others between", TENTH), "wait_p95": Show("95 %")} | N
    tables = first_and_all(looked, rows, front(rows, looked) | shown, "Decisions and waiting")
    tables.append(table(seats, front(seats, looked) | by_seat, "Decisions and waiting by seat"))
    return Section("Load", [*text, *filter(None, [here(run)])], [], tables)


def _load_rows(found: pl.DataFrame) -> pl.DataFrame:
    """One row per cell and measure, its numbers as they are read."""
    rows = []
    for row in found.iter_rows(named=True):
        for name, (measure, form) in LOAD.items():
            if row[name] is not None:
                ends = {end: form.format(row[f"{name}_{end}"]) if row.get(f"{name}_{end}") is not None else None for end in ("low", "high")}
                said = {"measure": measure, "value": form.format(row[name])} | ends
                rows.append(
                    {key: text.replace("%", " %") if isinstance(text, str) else text for key, text in said.items()} | {"cell": row["cell"]}
                )
    texts = pl.DataFrame(rows, schema_overrides={"cell": found.schema["cell"], "low": pl.String, "high": pl.String})
    return found.drop("low", "high", strict=False).join(texts, on="cell", how="inner", maintain_order="left")


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
