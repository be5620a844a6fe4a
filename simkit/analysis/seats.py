"""How often each seat wins, and what the first seat's advantage is."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from simkit import adaptive
from simkit.analysis.table import deal_counts, deal_sums, moments, share_columns, with_cells
from simkit.stats import betting, verdicts
from simkit.stats.deals import share_from_moments
from simkit.stats.proportions import joint_level
from simkit.stats.verdicts import Evidence

if TYPE_CHECKING:
    from simkit.runlog import Run


def seat_shares(run: Run) -> pl.DataFrame:
    """Per cell and seat: games, deals, share, low, high (95 %), ever_low, ever_high (95 % at every look at once), the evidence.

    joint_low, joint_high: the intervals of all seats of a cell together hold with 95 % (for two seats the same as low and high).
    log_fair, log_unfair: natural logarithms of the e-values for "this seat is within the margin of its fair share" and "it is not"; bar:
    what they must reach, all cells of the run together.
    In a run that stopped by itself low and high are ever_low and ever_high, and `adjusted` is the share less the bias of stopping
    (null where a deal has too many outcomes).
    For seat 0 also less the fair share: fpa, fpa_low, fpa_high, fpa_ever_low, fpa_ever_high.
    """
    counts = deal_counts(run, lambda part: part.seats(), ["cell", "seat"], pl.col("share"))
    found = moments(counts, ["cell", "seat"], "won")
    table = with_cells(run, share_columns(found, "won", "rows"))
    table = table.hstack(_joint(table["seats"].to_list(), found))
    table = table.join(_evidence(run, counts), on=["cell", "seat"], maintain_order="left")
    if run.experiment.adaptive:
        table = table.join(_adjusted(run, table), on=["cell", "seat"], maintain_order="left")
        table = table.with_columns(pl.col(f"ever_{end}").alias(end) for end in ("low", "high"))
        table = table.with_columns(
            pl.col(f"ever_joint_{end}").alias(f"joint_{end}") for end in ("low", "high")
        )
    table = table.drop("ever_joint_low", "ever_joint_high")
    table = table.with_columns(pl.lit(verdicts.threshold(_cell_evidence(table))).alias("bar"))
    first = pl.when(pl.col("seat") == 0)
    less = [
        first.then(pl.col(end) - pl.col("fair")).alias(f"fpa_{end}")
        for end in ("share", "low", "high", "ever_low", "ever_high")
    ]
    return table.with_columns(less).rename({"fpa_share": "fpa"})


def _joint(seats: list[int], found: pl.DataFrame) -> pl.DataFrame:
    """The intervals that hold for all seats of a cell together."""
    rows = found.select("won", "won_var", "deals", "rows", "won_off").iter_rows()
    each = [joint_level(k) for k in seats]
    ends = [
        share_from_moments(won, var, n, games, level, off)[1:3]
        for level, (won, var, n, games, off) in zip(each, rows, strict=True)
    ]
    return pl.DataFrame(ends, schema=dict.fromkeys(("joint_low", "joint_high"), pl.Float64), orient="row")


def _evidence(run: Run, counts: pl.DataFrame) -> pl.DataFrame:
    """Per cell and seat: what `betting` and `verdicts` say."""
    rows = []
    seats_of = {cell.index: cell.seats for cell in run.cells}
    for (cell, seat), part in counts.group_by("cell", "seat", maintain_order=True):
        values, deals = part["value"].to_numpy().clip(0, 1), part["deals"].to_numpy()
        seats = seats_of[int(str(cell))]
        each = betting.confidence_sequence(values, deals)
        joint = (
            betting.confidence_sequence(values, deals, joint_level(seats))
            if run.experiment.adaptive and seats > 2
            else each
        )
        found = verdicts.evidence(values, deals, 1 / seats, run.experiment.margin)
        rows.append((cell, seat, *each, *joint, float(found.fair), float(found.unfair)))
    kinds = {name: counts.schema[name] for name in ("cell", "seat")}
    kinds |= dict.fromkeys(
        ("ever_low", "ever_high", "ever_joint_low", "ever_joint_high", "log_fair", "log_unfair"), pl.Float64()
    )
    return pl.DataFrame(rows, schema=kinds, orient="row")


def _adjusted(run: Run, seats: pl.DataFrame) -> pl.DataFrame:
    """Per cell and seat: the stopping-adjusted share."""
    bar = verdicts.threshold(_cell_evidence(seats))
    unknown: list[float | None] = [None]
    found = {
        cell.index: adaptive.adjusted_shares(run, cell, bar) or unknown * cell.seats for cell in run.cells
    }
    rows = [(cell, seat, share) for cell, shares in found.items() for seat, share in enumerate(shares)]
    kinds = {name: seats.schema[name] for name in ("cell", "seat")} | {"adjusted": pl.Float64()}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def first_player_advantage(run: Run, seats: pl.DataFrame | None = None) -> pl.DataFrame:
    """Per cell (options and lineup): the share of seat 0, its advantage, and the verdict on all seats against the margin of the experiment.

    `farthest`: the seat farthest from the fair share, and `farthest_share`; `elo`, `elo_low`, `elo_high`: the first seat's lead over the
    second in Elo, for two seats (null where it won all or none). `seats` is the table of `seat_shares` where it is known.
    """
    table = seat_shares(run) if seats is None else seats
    told = cell_verdicts(table)
    first = (
        table.filter(pl.col("seat") == 0)
        .drop("log_fair", "log_unfair", "bar")
        .join(told, on="cell", maintain_order="left")
    )
    return first.with_columns(
        _elo(name).alias(head) for head, name in (("elo", "share"), ("elo_low", "low"), ("elo_high", "high"))
    )


def _elo(share: str) -> pl.Expr:
    """A share between two seats as a difference in Elo: −400 log10(1/p − 1)."""
    known = (pl.col("seats") == 2) & pl.col(share).is_between(0, 1, closed="none")
    return pl.when(known).then(-400 * (1 / pl.col(share) - 1).log10())


def cell_verdicts(seats: pl.DataFrame) -> pl.DataFrame:
    """From `seat_shares`, per cell: verdict, e_value (of the stronger claim), farthest, farthest_share.

    The bar is that of the whole run, so that a part of the table has the same verdicts.
    """
    off = (pl.col("share") - pl.col("fair")).abs()
    farthest = [
        pl.col(name).sort_by(off).last().alias(head)
        for name, head in (("seat", "farthest"), ("share", "farthest_share"))
    ]
    cells = _cell_evidence(seats)
    bar = float(seats["bar"][0])
    told = [
        verdicts.FAIR if one.fair >= bar else verdicts.UNFAIR if one.unfair >= bar else verdicts.UNDECIDED
        for one in cells
    ]
    strongest = [math.exp(min(700.0, float(max(one.fair, one.unfair)))) for one in cells]
    columns = [pl.Series("verdict", told, dtype=pl.String), pl.Series("e_value", strongest, dtype=pl.Float64)]
    return seats.group_by("cell", maintain_order=True).agg(farthest).with_columns(columns)


def _cell_evidence(seats: pl.DataFrame) -> list[Evidence]:
    """The evidence about each cell, in the order of the table."""
    rows = (
        seats.group_by("cell", maintain_order=True)
        .agg("log_fair", "log_unfair")
        .select("log_fair", "log_unfair")
        .iter_rows()
    )
    return [
        verdicts.evidence_of_cell([Evidence(np.asarray(f), np.asarray(u)) for f, u in zip(*row, strict=True)])
        for row in rows
    ]


def first_movers(run: Run) -> pl.DataFrame:
    """Per cell: how often another seat than seat 0 moved first (`moved`), and the share of whoever did; empty if none ever did."""
    moved = (
        run.games()
        .group_by("cell")
        .agg((pl.col("first") != 0).mean().alias("moved"))
        .collect(engine="streaming")
    )
    if moved["moved"].max() == 0:
        return pl.DataFrame()
    rows = (
        run.seats()
        .join(run.games().select("play", "deal", "first"), on=["play", "deal"])
        .filter(pl.col("seat") == pl.col("first"))
    )
    sums = share_columns(deal_sums(run, rows, ["cell"], {"won": pl.col("share")}), "won", "rows")
    return with_cells(run, sums.join(moved, on="cell"))
