"""Decision load and waiting times, from the turn trace; intervals as in `simkit.analysis.turns`."""

import polars as pl

from simkit.analysis import turns
from simkit.analysis.deals import row_counts
from simkit.analysis.findings import Findings, finding
from simkit.analysis.shape import spread_of
from simkit.analysis.turns import TRACE, figure, figures, mean_of_rows, ratio_sums, share_of_rows

CELL = ["cell"]
LOAD_NUMBERS = {
    "branching": mean_of_rows,
    "choice": share_of_rows,
    "per_turn": mean_of_rows,
    "wait": mean_of_rows,
}


def has_load(findings: Findings) -> bool:
    """Return whether the run has a turn trace that counts decisions."""
    run = findings.run
    return bool(run.experiment.trace) and set(turns.LOAD) <= set(run.turns().collect_schema().names())


def own_turns(standings: pl.LazyFrame) -> pl.LazyFrame:
    """Add own (the turn is the seat's) and others (decisions of the other seats in the turn) to the trace."""
    own = (pl.col("steps") > 0) & (pl.col("steps") == pl.col("steps").max().over("moment"))
    others = pl.col("decisions").sum().over("moment") - pl.col("decisions")
    return standings.with_columns(own=own, others=others)


def waits(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per own turn except the first: decisions of other seats since the previous own turn."""
    own = rows.with_columns(so_far=pl.col("others").cum_sum().over("play", "seat")).filter("own")
    before = pl.col("so_far").shift(1).over("play", "seat")
    return own.with_columns(wait=pl.col("so_far") - pl.col("others") - before).drop_nulls("wait")


@TRACE("cell", "figure")
def load_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame | None:
    """Sum over deals the load of all seats combined."""
    if not findings.cached(has_load):
        return None
    rows, decisions = own_turns(standings), pl.col("decisions")
    parts = {
        "branching": ratio_sums(rows, CELL, pl.col("choices"), decisions.sum()),
        "choice": ratio_sums(rows, CELL, decisions, pl.col("steps").sum()),
        "per_turn": ratio_sums(rows.filter("own"), CELL, decisions),
        "wait": ratio_sums(waits(rows), CELL, pl.col("wait")),
    }
    return figures(parts)


@TRACE("cell", "figure", "value")
def load_counts(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame | None:
    """Count the games by wait in decisions, and by most legal actions of a decision in a turn."""
    if not findings.cached(has_load):
        return None
    wait = row_counts(waits(own_turns(standings)), CELL, "wait")
    return figures({"wait": wait, "most": row_counts(standings, CELL, "most_choices")})


@finding
def load(findings: Findings) -> pl.DataFrame:
    """Per cell: decision load and waiting times; empty without a trace that counts decisions.

    branching: legal actions per decision (two or more); most: their greatest number; choice: share of all
    steps (actions) that were decisions; per_turn: decisions of a seat in a turn in which it acted most often;
    wait: decisions of others between two such turns; wait_p95: 95 % of the waits are at most as long. Means
    with NAME_low and NAME_high; null where a game has no such quantity.
    """
    if not findings.cached(has_load):
        return pl.DataFrame()
    counts, sums = load_counts(findings), load_sums(findings)
    table = figure(counts, "most").group_by(CELL).agg(most=pl.col("value").max()).sort(CELL)
    parts = [
        average(figure(sums, name).filter(pl.col("n") > 0), name) for name, average in LOAD_NUMBERS.items()
    ]
    parts.append(spread_of(figure(counts, "wait"), CELL, (0.95,)).select("cell", wait_p95="p95"))
    for part in [*parts, figure(sums, "choice").select("cell", "games", "deals")]:
        table = table.join(part, on=CELL, how="left", maintain_order="left")
    return findings.with_cells(table)
