"""How long games last, why they end, what they score."""

from __future__ import annotations

import polars as pl

from reports.sections.common import (
    HIGH,
    LOW,
    MOST_LINES,
    PERCENT,
    SEAT,
    SHARE,
    TENTH,
    N,
    by_lineup,
    cells_looked_at,
    drawn_cells,
    first_and_all,
    front,
    here,
    looked_at,
    measured,
    where,
    where_drawn,
)
from reports.sections.drama import trace_command
from reports.sections.who import score_word, turns_of
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, table
from simkit.runlog import Run


def length_section(run: Run) -> Section:
    """Turns and decisions of a game."""
    bars = looked_at(run, analysis.length_bars(run, "turns"))
    cells = bars["cell"].unique(maintain_order=True).to_list()
    drawn = (
        bars.filter(pl.col("cell").is_in(cells[:MOST_LINES]))
        .with_columns(by_lineup(run))
        .rename({"lineup": "line"})
    )
    some = (
        f"The first {MOST_LINES} of {len(cells)} lineups; the table has all."
        if len(cells) > MOST_LINES
        else ""
    )
    height = 3.0 + 0.1 * drawn["line"].n_unique()
    drawing = charts.picture("lengths", charts.histogram, drawn, height=height, unit=f"Turns {turns_of(run)}")
    lengths = analysis.lengths(run)
    columns = front(lengths, run) | {
        "measure": Show("per game"),
        "mean": Show("mean", TENTH),
        "sd": Show("sd", TENTH),
    }
    columns |= {"low": Show("95 % from", TENTH, "of the mean"), "high": Show("to", TENTH, HIGH)}
    columns |= {"p5": Show("5 %"), "p50": Show("50 %"), "p95": Show("95 %"), "games": N["games"]}
    figure = Figure(
        drawing, "Share of games by number of turns; numbers in the table", f"{where(run)} {some}".strip()
    )
    text = (
        f"How long games last: turns {turns_of(run)}, and decisions with more than one choice. "
        "In the picture at most one game in a thousand is left out at either end. sd is the standard deviation; 5, 50 and 95 % of the games are at most as long as the numbers below these heads."
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
        return Section(
            "Load",
            [
                f"How much there is to decide is counted with a turn trace only; to get it: {trace_command(run)}"
            ],
        )
    found = analysis.load(looked)
    if found["branching"].is_null().all():
        return Section("Load", ["In the games traced there was nothing to decide: every action was forced."])
    rows = _load_rows(found)
    text = [
        "What a player has to do. Few possibilities and few choices: quick and light, perhaps played by the game itself; many: heavier, "
        "perhaps slow. Decisions of others between two turns are the wait at the table (downtime)."
    ]
    shown = {
        "measure": Show("measure"),
        "value": Show("mean"),
        "low": Show("95 % from", "{}", LOW),
        "high": Show("to", "{}", HIGH),
    } | N
    seats = analysis.load(looked, by_seat=True)
    by_seat = SEAT | {"branching": Show("possibilities", TENTH), "choice": Show("choices", PERCENT)}
    by_seat |= {
        "per_turn": Show("decisions in a turn", "{:.2f}"),
        "wait": Show("others between", TENTH),
        "wait_p95": Show("95 %"),
    } | N
    tables = first_and_all(looked, rows, front(rows, looked) | shown, "Decisions and waiting")
    tables.append(table(seats, front(seats, looked) | by_seat, "Decisions and waiting by seat"))
    return Section("Load", [*text, *filter(None, [here(run)])], [], tables)


def _load_rows(found: pl.DataFrame) -> pl.DataFrame:
    """One row per cell and measure, its numbers as they are read."""
    rows = []
    for row in found.iter_rows(named=True):
        for name, (measure, form) in LOAD.items():
            if row[name] is not None:
                texts = measured(row[name], row.get(f"{name}_low"), row.get(f"{name}_high"), form)
                words = dict(zip(("value", "low", "high"), texts, strict=True))
                rows.append({"measure": measure, "cell": row["cell"]} | words)
    said = pl.DataFrame(
        rows, schema_overrides={"cell": found.schema["cell"], "low": pl.String, "high": pl.String}
    )
    return found.drop("low", "high", strict=False).join(said, on="cell", how="inner", maintain_order="left")


def ending_section(run: Run, seats: pl.DataFrame) -> Section:
    """Why games end, and who wins then."""
    ends = drawn_cells(run, analysis.end_winners(run), seats)
    nobody = (
        pl.when(pl.col("winner").is_null())
        .then(pl.lit("shared or nobody"))
        .otherwise(
            pl.format("{} wins", pl.col("winner").map_elements(analysis.seat_name, return_dtype=pl.String))
        )
    )
    part = pl.format("{}: {}", pl.col("end_reason").cast(pl.String).str.replace_all("_", " "), nobody)
    style = pl.col("winner").cast(pl.Int64).fill_null(-2).alias("style")
    drawn = ends.with_columns(pl.col("lineup").alias("label"), part.alias("part"), style)
    tone = (pl.col("end_reason").rank("dense") - 1).cast(pl.Int64).alias("tone")
    drawn = drawn.with_columns(tone).sort("end_reason", pl.col("winner"), "cell", nulls_last=True)
    rows, parts = drawn["label"].n_unique(), drawn["part"].n_unique()
    drawing = charts.picture("ends", charts.stacked, drawn, height=1.1 + 0.38 * rows + 0.12 * parts)
    reasons = analysis.end_reasons(run).filter(pl.col("share") > 0)
    columns = (
        front(reasons, run)
        | {"end_reason": Show("ends by", lambda name: str(name).replace("_", " "))}
        | SHARE
        | N
    )
    draws = analysis.draws(run)
    shared = [table(draws, front(draws, run) | SHARE | N, "Draws: share of games whose win was shared")]
    text = ["Why games end, and who wins then.", *_always(reasons, draws)]
    listed = [table(reasons, columns, "End reasons")] if reasons["end_reason"].n_unique() > 1 else []
    listed += shared if draws["share"].max() else []
    figure = Figure(
        drawing, "Share of games by end reason and winning seat; numbers in the table", where_drawn(run)
    )
    return Section("Endings", text, [figure], listed)


def _always(reasons: pl.DataFrame, draws: pl.DataFrame) -> list[str]:
    """What needs no table: one end reason, no draw."""
    games = f"n = {draws['games'].sum():,} games"
    only = (
        [f"All games end in the same way: {str(reasons['end_reason'][0]).replace('_', ' ')} ({games})."]
        if reasons["end_reason"].n_unique() == 1
        else []
    )
    return only + ([] if draws["share"].max() else [f"No game was drawn ({games})."])


def score_section(run: Run) -> Section:
    scores = analysis.scores(run)
    columns = (
        front(scores, run)
        | SEAT
        | {"mean": Show(f"mean score ({score_word(run)})", "{:.2f}"), "low": Show("95 % from", "{:.2f}")}
    )
    columns |= {"high": Show("to", "{:.2f}"), "sd": Show("sd", "{:.2f}")} | N
    text = f"Final scores ({score_word(run)}) by seat: the mean with its 95 % interval, and how far single games scatter around it (sd)."
    return Section("Scores", [text], [], [table(scores, columns, "Score of each seat")])
