"""Decision load and waiting times, from the turn trace; intervals as in `simkit.analysis.turns`."""

import polars as pl

from simkit.analysis import turns
from simkit.analysis.deals import row_counts
from simkit.analysis.findings import Findings, finding
from simkit.analysis.shape import spread_of
from simkit.analysis.turns import TRACE, figure, figures, mean_of_rows, ratio_sums, share_of_rows

CELL, SEAT = ["cell"], ["cell", "seat"]
FIGURES = {"branching": mean_of_rows, "choice": share_of_rows, "per_turn": mean_of_rows, "wait": mean_of_rows}


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


def _figures(rows: pl.LazyFrame, key: list[str]) -> pl.LazyFrame:
    decisions = pl.col("decisions")
    parts = {
        "branching": ratio_sums(rows, key, pl.col("choices"), decisions.sum()),
        "choice": ratio_sums(rows, key, decisions, pl.col("steps").sum()),
        "per_turn": ratio_sums(rows.filter("own"), key, decisions),
        "wait": ratio_sums(waits(rows), key, pl.col("wait")),
    }
    return figures(parts)


@TRACE(*SEAT, "figure")
def load_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame | None:
    """Sum over deals the load of each seat, and of all seats combined (`seat` is null)."""
    if not findings.cached(has_load):
        return None
    rows = own_turns(standings)
    return pl.concat([_figures(rows, CELL), _figures(rows, SEAT)], how="diagonal")


@TRACE(*SEAT, "figure", "value")
def load_counts(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame | None:
    """Count the games by seat and wait in decisions, and by most legal actions of a decision in a turn."""
    if not findings.cached(has_load):
        return None
    wait = row_counts(waits(own_turns(standings)), SEAT, "wait")
    return figures({"wait": wait, "most": row_counts(standings, SEAT, "most_choices")})


@finding
def load(findings: Findings) -> pl.DataFrame:
    """Per cell: decision load and waiting times; empty without a trace that counts decisions.

    branching: legal actions per decision (two or more); most: their greatest number; choice: share of all
    steps (actions) that were decisions; per_turn: decisions of a seat in a turn in which it acted most often;
    wait: decisions of others between two such turns; wait_p95: 95 % of the waits are at most as long. Means
    with NAME_low and NAME_high; null where a game has no such quantity.
    """
    return _load(findings, CELL)


@finding
def load_by_seat(findings: Findings) -> pl.DataFrame:
    """Per cell and seat: `load`."""
    return _load(findings, SEAT)


def _load(findings: Findings, key: list[str]) -> pl.DataFrame:
    if not findings.cached(has_load):
        return pl.DataFrame()
    counts, in_key = load_counts(findings), pl.col("seat").is_null() == (key == CELL)
    sums = load_sums(findings).filter(in_key).select(*key, pl.exclude("cell", "seat"))
    table = figure(counts, "most").group_by(key).agg(most=pl.col("value").max()).sort(key)
    waited = figure(counts, "wait").group_by(*key, "value").agg(pl.col("games").sum())
    parts = [average(figure(sums, name).filter(pl.col("n") > 0), name) for name, average in FIGURES.items()]
    parts.append(spread_of(waited, key, (0.95,)).select(*key, wait_p95="p95"))
    for part in [*parts, figure(sums, "choice").select(*key, "games", "deals")]:
        table = table.join(part, on=key, how="left", maintain_order="left")
    return findings.with_cells(table)
