"""How much there is to decide, and how long one waits for it: from the turn trace.

Intervals are 95 %; all that happens on one deal counts as one observation (`simkit.stats.ratios`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.table import with_cells
from simkit.analysis.turns import added, counts, mean_of_rows, quantiles, share_of_rows, sums, trace_blocks

if TYPE_CHECKING:
    from simkit.runlog import Run

COLUMNS = ("decisions", "choices", "most_choices", "steps")


def has_load(run: Run) -> bool:
    """Whether the run has a trace that counts decisions."""
    return bool(run.experiment.trace) and set(COLUMNS) <= set(run.turns().collect_schema().names())


def load(run: Run, by_seat: bool = False) -> pl.DataFrame:
    """Per cell (and seat): how much there is to decide, and how long one waits; empty without `has_load`.

    branching: legal actions per decision (decisions have two or more); most: the greatest number of them at one decision.
    choice: share of all steps (actions) that were decisions. per_turn: decisions of a seat in a turn of its own. wait: decisions of
    others between two turns of its own, i.e. in the turns after the one and before the other; p95: the smallest number that 95 % of the
    waits do not exceed. A turn is a seat's own if it acted in it, and no other seat more often.
    Columns: games, deals, branching, most, choice, per_turn, wait, each mean with NAME_low and NAME_high, wait_p95; null where a game
    has no such thing.
    """
    if not has_load(run):
        return pl.DataFrame()
    key = ["cell", "seat"] if by_seat else ["cell"]
    blocks = [_of_block(_rows(run, inside), key) for inside in trace_blocks(run)]
    totals = {
        name: added([block[name] for block in blocks], key)
        for name in ("branching", "choice", "per_turn", "wait")
    }
    table = (
        added([block["most"] for block in blocks], [*key, "most"])
        .group_by(key)
        .agg(pl.col("most").max())
        .sort(key)
    )
    for name, total in totals.items():
        table = table.join(
            _means(name, total.filter(pl.col("n") > 0), key), on=key, how="left", maintain_order="left"
        )
    waits = added([block["waits"] for block in blocks], [*key, "wait"])
    p95 = quantiles(waits, key, "wait", (0.95,)).drop("sd").rename({"p95": "wait_p95"})
    games = totals["choice"].select(*key, "games", "deals")
    return with_cells(
        run,
        table.join(p95, on=key, how="left", maintain_order="left").join(games, on=key, maintain_order="left"),
    )


def _rows(run: Run, inside: pl.Expr) -> pl.DataFrame:
    """The trace of some deals with, for each turn and seat: own (the turn is the seat's), others (decisions of the other seats)."""
    columns = [pl.col(name).cast(pl.Int64) for name in ("cell", "turn", *COLUMNS)]
    rows = run.turns().filter(inside).select("play", "deal", "seat", *columns).sort("play", "turn", "seat")
    rows = rows.with_columns(pl.struct("play", "turn").rle_id().alias("moment"))
    own = (pl.col("steps") > 0) & (pl.col("steps") == pl.col("steps").max().over("moment"))
    others = pl.col("decisions").sum().over("moment") - pl.col("decisions")
    return rows.with_columns(own.alias("own"), others.alias("others")).collect()


def _of_block(rows: pl.DataFrame, key: list[str]) -> dict[str, pl.DataFrame]:
    """The sums of one block for each figure."""
    waits, own = _waits(rows), rows.filter("own")
    return {
        "branching": sums(rows, key, pl.col("choices"), pl.col("decisions")),
        "choice": sums(rows, key, pl.col("decisions"), pl.col("steps")),
        "per_turn": sums(own, key, pl.col("decisions")),
        "wait": sums(waits, key, pl.col("wait")),
        "waits": counts(waits, [*key, "wait"]),
        "most": rows.group_by(key).agg(pl.col("most_choices").max().alias("most")),
    }


def _waits(rows: pl.DataFrame) -> pl.DataFrame:
    """One row per turn of one's own but the first: the others' decisions since the last one."""
    so_far = pl.col("others").cum_sum().over("play", "seat")
    own = rows.with_columns(so_far.alias("so_far")).filter("own")
    before = pl.col("so_far").shift(1).over("play", "seat")
    return own.with_columns((pl.col("so_far") - pl.col("others") - before).alias("wait")).drop_nulls("wait")


def _means(name: str, total: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """A figure with its interval, as columns of its name."""
    made: Callable[[pl.DataFrame], pl.DataFrame] = share_of_rows if name == "choice" else mean_of_rows
    value = "share" if name == "choice" else "mean"
    table = made(total)
    return table.select(
        *key,
        pl.col(value).alias(name),
        pl.col("low").alias(f"{name}_low"),
        pl.col("high").alias(f"{name}_high"),
    )
