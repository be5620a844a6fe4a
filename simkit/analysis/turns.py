"""What the drama tables are built from: the turn trace in blocks of whole deals, and sums, counts and quantiles over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.table import text, with_cells
from simkit.stats import deals, ratios

if TYPE_CHECKING:
    from simkit.runlog import Run

BLOCK_ROWS = 1_000_000  # rows of the trace that are in memory at once, about
SUMS = ("deals", "games", "n", "y", "yy", "ny", "nn")


def standings(run: Run) -> Iterator[pl.DataFrame]:
    """Blocks of whole deals of the trace, one row per game, turn and seat, in their order.

    Columns: cell, deal, play, turn, seat, score, strategy, share and winner (of the game), turns (T), moment (number of the play and
    turn in the block), best (score), leaders (seats with the best score), leads (this seat, alone).
    """
    for inside in trace_blocks(run):
        yield _standings(run, inside).collect()


def trace_blocks(run: Run) -> Iterator[pl.Expr]:
    """Conditions that cut the trace into blocks of whole deals."""
    rows, deals = run.turns().select(pl.len(), pl.col("deal").max() + 1).collect(engine="streaming").row(0)
    step = max(1, BLOCK_ROWS * (deals or 1) // max(1, rows))
    for low in range(0, deals or 0, step):
        yield pl.col("deal").is_between(low, low + step, closed="left")


def _standings(run: Run, inside: pl.Expr) -> pl.LazyFrame:
    score = pl.col("score").cast(pl.Int64)
    turns = (
        run.turns()
        .filter(inside)
        .select(pl.col("cell", "turn").cast(pl.Int64), "deal", "play", "seat", score)
    )
    run = run.between(0, run.experiment.trace)
    seats = run.seats().filter(inside).select("play", "seat", text("strategy"), "share")
    games = run.games().filter(inside).select("play", "winner")
    table = turns.join(seats.join(games, on="play"), on=["play", "seat"]).sort("play", "turn", "seat")
    moment = (
        pl.struct("play", "turn").rle_id().alias("moment")
    )  # one key instead of two: windows take a third of the time
    table = table.with_columns(pl.col("turn").max().over("play").alias("turns"), moment)
    table = table.with_columns(pl.col("score").max().over("moment").alias("best"))
    at_top = pl.col("score") == pl.col("best")
    table = table.with_columns(at_top.sum().over("moment").alias("leaders"))
    return table.with_columns((at_top & (pl.col("leaders") == 1)).alias("leads"))


def progress_band(bands: int) -> pl.Expr:
    """The band of a turn among `bands` of equal width, 1-based: band b holds (b − 1)/bands < t/T <= b/bands."""
    return ((pl.col("turn") * bands + pl.col("turns") - 1) // pl.col("turns")).cast(pl.Int64)


def band_ends(bands: int) -> list[pl.Expr]:
    """Columns progress_low and progress_high from the column `band`."""
    return [
        ((pl.col("band") - 1) / bands).alias("progress_low"),
        (pl.col("band") / bands).alias("progress_high"),
    ]


def added(parts: Iterable[pl.DataFrame], by: list[str]) -> pl.DataFrame:
    """Tables of numbers of several blocks, added up by group; sorted."""
    return pl.concat(parts).group_by(by).sum().sort(by)


def sums(part: pl.DataFrame, by: list[str], value: pl.Expr, out_of: pl.Expr | None = None) -> pl.DataFrame:
    """Per group: sums over deals of the number n of rows and of the total y of a value, their squares and products; deals, games.

    `out_of`: a value whose total takes the place of n. The block has whole deals, and the columns `by`, deal and play.
    """
    n, y = pl.col("n"), pl.col("y")
    many = pl.len() if out_of is None else out_of.sum()
    seen = [
        many.cast(pl.Float64).alias("n"),
        value.cast(pl.Float64).sum().alias("y"),
        pl.col("play").n_unique().alias("games"),
    ]
    deals = part.group_by([*by, "deal"]).agg(seen)
    squares = [(y * y).sum().alias("yy"), (n * y).sum().alias("ny"), (n * n).sum().alias("nn")]
    whole = [pl.len().cast(pl.Int64).alias("deals"), pl.col("games").cast(pl.Int64).sum()]
    return deals.group_by(by).agg(*whole, n.sum(), y.sum(), *squares).select(*by, *SUMS)


def share_of_rows(total: pl.DataFrame) -> pl.DataFrame:
    """Added `sums` as share, low and high (95 %), with looks (rows), games and deals."""
    found = [deals.share_from_moments(*_ratio(row), round(row["n"])) for row in total.rows(named=True)]
    ends = [(one.share, one.low, one.high) for one in found]
    return _without_sums(total, pl.col("n").cast(pl.Int64).alias("looks")).hstack(
        _numbers(ends, ("share", "low", "high"))
    )


def mean_of_rows(total: pl.DataFrame) -> pl.DataFrame:
    """Added `sums` as mean, low and high (95 %), with games and deals."""
    found = [deals.mean_from_moments(*_ratio(row)) for row in total.rows(named=True)]
    return _without_sums(total).hstack(
        _numbers([(one.mean, one.low, one.high) for one in found], ("mean", "low", "high"))
    )


def _ratio(row: dict[str, float]) -> ratios.Ratio:
    return ratios.ratio_from_sums(row["y"], row["n"], row["yy"], row["ny"], row["nn"], int(row["deals"]))


def _without_sums(total: pl.DataFrame, *more: pl.Expr) -> pl.DataFrame:
    return total.select(pl.exclude(SUMS), *more, "games", "deals")


def _numbers(rows: Sequence[tuple[float, ...]], names: Iterable[str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=dict.fromkeys(names, pl.Float64), orient="row").fill_nan(None)


def counts(part: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Per group: how many rows."""
    return part.group_by(by).agg(pl.len().cast(pl.Int64).alias("rows"))


def quantiles(counted: pl.DataFrame, by: list[str], value: str, parts: Iterable[float]) -> pl.DataFrame:
    """Per group of added `counts` by group and value: sd, and for each part the smallest value that this part of the rows does not exceed (p5, p50 ...)."""
    x, n = pl.col(value), pl.col("rows")
    mean = (x * n).sum() / n.sum()
    sd = ((n * (x - mean) ** 2).sum() / (n.sum() - 1).clip(1)).sqrt().alias("sd")
    found = [x.filter(n.cum_sum() >= part * n.sum()).first().alias(f"p{round(100 * part)}") for part in parts]
    return counted.sort([*by, value]).group_by(by, maintain_order=True).agg(sd, *found)


def for_every_cell(run: Run, table: pl.DataFrame) -> pl.DataFrame:
    """One row per cell of the run with what the cell is in front; nulls where the table has no row."""
    cells = pl.DataFrame({"cell": [cell.index for cell in run.cells]}, schema={"cell": table.schema["cell"]})
    return with_cells(run, cells.join(table, on="cell", how="left", maintain_order="left"))
