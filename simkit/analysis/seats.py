"""How often each seat wins, and what the first seat's advantage is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.table import deal_sums, share_columns, with_cells
from simkit.stats.verdicts import verdict

if TYPE_CHECKING:
    from simkit.runlog import Run


def seat_shares(run: Run) -> pl.DataFrame:
    """Per cell and seat: games, deals, share, low, high; for seat 0 also less the fair share: fpa, fpa_low, fpa_high."""
    sums = deal_sums(run, run.seats(), ["cell", "seat"], {"won": pl.col("share")})
    table = with_cells(run, share_columns(sums, "won", "rows"))
    first = pl.when(pl.col("seat") == 0)
    return table.with_columns(
        first.then(pl.col("share") - pl.col("fair")).alias("fpa"),
        first.then(pl.col("low") - pl.col("fair")).alias("fpa_low"),
        first.then(pl.col("high") - pl.col("fair")).alias("fpa_high"),
    )


def first_player_advantage(run: Run, margin: float = 0.02, seats: pl.DataFrame | None = None) -> pl.DataFrame:
    """Per cell (options and lineup): the share of seat 0, its advantage, and the verdict against fair ± margin.

    `seats` is the table of `seat_shares` where it is known already.
    """
    table = (seat_shares(run) if seats is None else seats).filter(pl.col("seat") == 0)
    told = [verdict(low, high, fair, margin) for low, high, fair in table.select("low", "high", "fair").iter_rows()]
    return table.with_columns(pl.Series("verdict", told, dtype=pl.String))


def first_movers(run: Run) -> pl.DataFrame:
    """Per cell: how often another seat than seat 0 moved first (`moved`), and the share of whoever did; empty if none ever did."""
    moved = run.games().group_by("cell").agg((pl.col("first") != 0).mean().alias("moved")).collect(engine="streaming")
    if moved["moved"].max() == 0:
        return pl.DataFrame()
    rows = run.seats().join(run.games().select("play", "deal", "first"), on=["play", "deal"]).filter(pl.col("seat") == pl.col("first"))
    sums = share_columns(deal_sums(run, rows, ["cell"], {"won": pl.col("share")}), "won", "rows")
    return with_cells(run, sums.join(moved, on="cell"))
