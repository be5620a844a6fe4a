"""Turn trace for the drama tables: blocks of whole deals, and sums over them.

x_t(s): the score of seat s at the end of turn t of T; a seat leads if its score is the best and no other's.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars as pl

from simkit.analysis.deals import COUNT, deal_sums, every_pair, reals
from simkit.analysis.reading import Reading
from simkit.analysis.table import text
from simkit.runs.folder import Run
from simkit.stats import deals, ratios

BLOCK_ROWS = 1_000_000  # approximate number of trace rows in memory
LOAD = ["decisions", "choices", "most_choices", "steps"]  # counts that a trace may have besides scores


def trace_blocks(run: Run) -> Iterator[pl.LazyFrame]:
    """Yield the standings of blocks of deals, about BLOCK_ROWS rows each."""
    rows, deals = run.turns().select(pl.len(), pl.col("deal").max() + 1).collect(engine="streaming").row(0)
    step = max(1, BLOCK_ROWS * (deals or 1) // max(1, rows))
    for low in range(0, deals or 0, step):
        yield standings(run, pl.col("deal").is_between(low, low + step, closed="left")).collect().lazy()


TRACE = Reading(trace_blocks, shared=False)
SECOND_TRACE = Reading(trace_blocks, shared=False)  # second pass, which needs the sums of the first


def standings(run: Run, inside: pl.Expr) -> pl.LazyFrame:
    """Return one row per game, turn and seat of some deals of the trace, in this order.

    share, winner: of the game; turns: T; moment: index of play and turn; best: the best score; leads: whether
    the seat alone has it.
    """
    traced, part = run.turns(), run.between(0, run.experiment.trace)
    counted = [pl.col(name).cast(pl.Int64) for name in LOAD if name in traced.collect_schema()]
    columns = [pl.col("cell", "turn", "score").cast(pl.Int64), "deal", "play", "seat", *counted]
    seats = part.seats().filter(inside).select("play", "seat", text("strategy"), "share")
    games = part.games().filter(inside).select("play", "winner")
    table = traced.filter(inside).select(columns).join(seats.join(games, on="play"), on=["play", "seat"])
    # Windows over a single key of play and turn take a third of the time.
    moment, score = pl.struct("play", "turn").rle_id(), pl.col("score")
    table = table.sort("play", "turn", "seat")
    table = table.with_columns(turns=pl.col("turn").max().over("play"), moment=moment)
    table = table.with_columns(best=score.max().over("moment"))
    alone = (score == pl.col("best")).sum().over("moment") == 1
    return table.with_columns(leads=(score == pl.col("best")) & alone)


def ratio_sums(rows: pl.LazyFrame, by: list[str], value: pl.Expr, n: pl.Expr = COUNT) -> pl.LazyFrame:
    """Return per group deals, games, and sums over deals of a value y, its denominator n and products."""
    values = {"n": n, "y": value.cast(pl.Float64).sum(), "games": pl.col("play").n_unique()}
    sums = deal_sums(rows, by, values, every_pair(["n", "y"]))
    return sums.drop("rows").with_columns(pl.col("games").cast(pl.Int64))


def figures(parts: Mapping[str, pl.LazyFrame]) -> pl.LazyFrame:
    """Return the tables concatenated, with their names in the column `figure`."""
    return pl.concat(part.with_columns(figure=pl.lit(name)) for name, part in parts.items())


def figure(table: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return one of the tables of `figures`."""
    return table.filter(figure=name).drop("figure")


def share_of_rows(sums: pl.DataFrame, name: str = "") -> pl.DataFrame:
    """Return `ratio_sums` as share, low, high (95 %), observations (n), games, deals.

    With a name: as NAME, NAME_low, NAME_high.
    """
    ends = [deals.share_from_moments(*ratio, round(n)) for ratio, n in _ratios(sums)]
    table = _with_ends(sums, name, "share", ends)
    return table if name else table.with_columns(observations=sums["n"].cast(pl.Int64))


def mean_of_rows(sums: pl.DataFrame, name: str = "") -> pl.DataFrame:
    """Return `ratio_sums` as mean, low, high (95 %), games, deals.

    With a name: as NAME, NAME_low, NAME_high.
    """
    return _with_ends(sums, name, "mean", [deals.mean_from_moments(*ratio) for ratio, _ in _ratios(sums)])


def _ratios(sums: pl.DataFrame) -> Iterator[tuple[ratios.Ratio, float]]:
    """Yield the ratio of each row, with its denominator."""
    for y, n, yy, ny, nn, count in sums.select("y", "n", "y*y", "n*y", "n*n", "deals").iter_rows():
        yield ratios.ratio_from_sums(y, n, yy, ny, nn, int(count)), n


def _with_ends(sums: pl.DataFrame, name: str, usual: str, rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    heads = [name, f"{name}_low", f"{name}_high"] if name else [usual, "low", "high"]
    ends = pl.DataFrame([row[:3] for row in rows], schema=reals(*heads), orient="row").fill_nan(None)
    return sums.drop("n", "y", "n*n", "n*y", "y*y", *(["games", "deals"] if name else [])).hstack(ends)
