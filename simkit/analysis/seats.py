"""How often each seat wins, and what the first seat's advantage is."""

import math

import numpy as np
import polars as pl

from simkit import adaptive
from simkit.analysis.cells import with_cells
from simkit.analysis.deals import counts_of_deals, deal_counts, moments, reals, shares
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block, Reading, log_blocks
from simkit.stats import betting, verdicts
from simkit.stats.deals import share_from_moments
from simkit.stats.proportions import joint_level
from simkit.stats.verdicts import Evidence

FIRST = Reading(log_blocks)  # who moved first, where that is not always seat 0
MOST = 100  # times the deals played; a share so near the margin is not settled by playing
KEY = ["cell", "seat"]


@LOG("cell", "seat", "value")
def share_counts(found: Findings, block: Block) -> pl.LazyFrame:
    """How many deals gave a seat which share."""
    return counts_of_deals(block.deals.with_columns(value="share"), KEY)


@finding
def seat_shares(found: Findings) -> pl.DataFrame:
    """Per cell and seat: games, deals, share with intervals, and the evidence that it is fair or not.

    low, high: 95 %; ever_low, ever_high: 95 % at every look at once; joint_low, joint_high: the intervals of
    all seats of a cell together hold with 95 % (for two seats the same as low and high). log_fair,
    log_unfair: natural logarithms of the e-values for "this seat is within the margin of its fair share" and
    "it is not"; bar: what they must reach, all cells of the run together. In a run that stopped by itself low
    and high are ever_low and ever_high, and `adjusted` is the share less the bias of stopping (null where a
    deal has too many outcomes). For seat 0 also less the fair share: fpa, fpa_low, fpa_high, fpa_ever_low,
    fpa_ever_high.
    """
    if found.whole:
        return found.of_part(found.whole.seat_shares)
    counts = share_counts(found)
    known = moments(counts, KEY, often=False)
    table = with_cells(found, shares(known))
    table = table.hstack(_joint(table["seats"].to_list(), known))
    table = table.join(_evidence(found, counts), on=KEY, maintain_order="left")
    table = _stopped(found, table) if found.run.experiment.adaptive else table
    table = table.drop("ever_joint_low", "ever_joint_high")
    table = table.with_columns(bar=pl.lit(verdicts.threshold(_cell_evidence(table))))
    first = pl.when(pl.col("seat") == 0)
    ends = ("share", "low", "high", "ever_low", "ever_high")
    less = [first.then(pl.col(end) - pl.col("fair")).alias(f"fpa_{end}") for end in ends]
    return table.with_columns(less).rename({"fpa_share": "fpa"})


def _joint(seats: list[int], known: pl.DataFrame) -> pl.DataFrame:
    """The intervals that hold for all seats of a cell together."""
    rows = known.select("mean", "variance", "deals", "games", "off").iter_rows()
    each = [joint_level(k) for k in seats]
    ends = [
        share_from_moments(m, v, n, k, level, off)[1:3]
        for level, (m, v, n, k, off) in zip(each, rows, strict=True)
    ]
    return pl.DataFrame(ends, schema=reals("joint_low", "joint_high"), orient="row")


def _evidence(found: Findings, counts: pl.DataFrame) -> pl.DataFrame:
    """Per cell and seat: what `betting` and `verdicts` say."""
    keys, rows = found.run.experiment, []
    seats_of = {cell.index: cell.seats for cell in found.run.cells}
    for (cell, seat), part in counts.group_by(KEY, maintain_order=True):
        values, deals = part["value"].to_numpy().clip(0, 1), part["deals"].to_numpy()
        seats = seats_of[int(str(cell))]
        each = betting.confidence_sequence(values, deals)
        jointly = keys.adaptive and seats > 2
        joint = betting.confidence_sequence(values, deals, joint_level(seats)) if jointly else each
        evidence = verdicts.evidence(values, deals, 1 / seats, keys.margin)
        rows.append((cell, seat, *each, *joint, float(evidence.fair), float(evidence.unfair)))
    ends = ("ever_low", "ever_high", "ever_joint_low", "ever_joint_high", "log_fair", "log_unfair")
    kinds = {name: counts.schema[name] for name in KEY} | reals(*ends)
    return pl.DataFrame(rows, schema=kinds, orient="row")


def _stopped(found: Findings, table: pl.DataFrame) -> pl.DataFrame:
    """Shares of cells that stopped by themselves: intervals that hold at every look, the adjusted share."""
    run, bar = found.run, verdicts.threshold(_cell_evidence(table))
    adjusted = {cell.index: adaptive.adjusted_shares(run, cell, bar) for cell in run.cells}
    rows = [(cell, seat, share) for cell, each in adjusted.items() for seat, share in enumerate(each or [])]
    kinds = {name: table.schema[name] for name in KEY} | reals("adjusted")
    known = table.join(
        pl.DataFrame(rows, schema=kinds, orient="row"), on=KEY, how="left", maintain_order="left"
    )
    ends = ("low", "high", "joint_low", "joint_high")
    return known.with_columns(pl.col(f"ever_{end}").alias(end) for end in ends)


@finding
def first_player_advantage(found: Findings) -> pl.DataFrame:
    """Per cell: the share of seat 0, its advantage, and the verdict on all seats against the margin.

    farthest, farthest_share: the seat farthest from the fair share; elo, elo_low, elo_high: the first seat's
    lead over the second in Elo, for two seats (null where it won all or none).
    """
    first = found.seat_shares.filter(pl.col("seat") == 0).drop("log_fair", "log_unfair", "bar")
    first = first.join(cell_verdicts(found.seat_shares), on="cell", maintain_order="left")
    names = {"elo": "share", "elo_low": "low", "elo_high": "high"}
    return first.with_columns(_elo(name).alias(head) for head, name in names.items())


def _elo(share: str) -> pl.Expr:
    """A share between two seats as a difference in Elo: −400 log10(1/p − 1)."""
    known = (pl.col("seats") == 2) & pl.col(share).is_between(0, 1, closed="none")
    return pl.when(known).then(-400 * (1 / pl.col(share) - 1).log10())


def cell_verdicts(seats: pl.DataFrame) -> pl.DataFrame:
    """From `seat_shares`, per cell: verdict, e_value (of the stronger claim), farthest, farthest_share.

    The bar is that of the whole run, so that a part of the table has the same verdicts.
    """
    off, evidence = (pl.col("share") - pl.col("fair")).abs(), _cell_evidence(seats)
    heads = {"farthest": "seat", "farthest_share": "share"}
    farthest = [pl.col(name).sort_by(off).last().alias(head) for head, name in heads.items()]
    told = [_verdict(one, float(seats["bar"][0])) for one in evidence]
    strongest = [math.exp(min(700.0, float(max(one.fair, one.unfair)))) for one in evidence]
    columns = [pl.Series("verdict", told, pl.String), pl.Series("e_value", strongest, pl.Float64)]
    return seats.group_by("cell", maintain_order=True).agg(farthest).with_columns(columns)


def _verdict(one: Evidence, bar: float) -> str:
    if one.fair >= bar:
        return verdicts.FAIR
    return verdicts.UNFAIR if one.unfair >= bar else verdicts.UNDECIDED


def _cell_evidence(seats: pl.DataFrame) -> list[Evidence]:
    """The evidence about each cell, in the order of the table."""
    rows = seats.group_by("cell", maintain_order=True).agg("log_fair", "log_unfair").iter_rows()
    return [
        verdicts.evidence_of_cell(
            [Evidence(np.asarray(fair), np.asarray(unfair)) for fair, unfair in zip(*logs, strict=True)]
        )
        for _, *logs in rows
    ]


@LOG("cell")
def moves_first(found: Findings, block: Block) -> pl.LazyFrame:
    """Games, and in how many another seat than seat 0 moved first."""
    moved = (pl.col("first") != 0).sum().cast(pl.Int64).alias("moved")
    return block.games.group_by("cell").agg(pl.len().cast(pl.Int64).alias("games"), moved)


@FIRST("cell", "value")
def mover_counts(found: Findings, block: Block) -> pl.LazyFrame:
    """How many deals gave whoever moved first which share."""
    rows = block.seats.join(block.games.select("play", "deal", "first"), on=["play", "deal"])
    return deal_counts(rows.filter(pl.col("seat") == pl.col("first")), ["cell"], pl.col("share").mean())


@finding
def first_movers(found: Findings) -> pl.DataFrame:
    """Per cell: how often another seat than seat 0 moved first (`moved`), and the share of whoever did."""
    moved = moves_first(found)
    if moved["moved"].sum() == 0:
        return pl.DataFrame()
    part = moved.select("cell", pl.col("moved") / pl.col("games"))
    return with_cells(found, shares(moments(mover_counts(found), ["cell"])).join(part, on="cell"))


@finding
def deals_to_settle(found: Findings) -> pl.DataFrame:
    """Per cell that is UNDECIDED: deals, needed: about how many deals settle it if all shares stay as now.

    Null: more than MOST times as many, since a seat is about as far from fair as the margin.
    """
    bar, counts = float(found.seat_shares["bar"][0]), share_counts(found)
    open_cells = found.first_player_advantage.filter(pl.col("verdict") == verdicts.UNDECIDED)[
        "cell"
    ].to_list()
    cells = [cell for cell in found.run.cells if cell.index in open_cells]
    margin = found.run.experiment.margin
    rows = [
        (cell.index, cell.deals, _needed(counts.filter(cell=cell.index), cell.seats, margin, bar))
        for cell in cells
    ]
    kinds = {"cell": counts.schema["cell"], "deals": pl.Int64(), "needed": pl.Int64()}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def _needed(counts: pl.DataFrame, seats: int, margin: float, bar: float) -> int | None:
    """The deals at which one of the two claims reaches the bar, in steps of a tenth."""
    parts = [
        (part["value"].to_numpy().clip(0, 1), part["deals"].to_numpy())
        for part in counts.partition_by("seat", maintain_order=True)
    ]
    times = 1.0
    while times < MOST:
        times *= 1.1
        each = [verdicts.evidence(values, times * deals, 1 / seats, margin) for values, deals in parts]
        if _verdict(verdicts.evidence_of_cell(each), bar) != verdicts.UNDECIDED:
            return round(times * int(parts[0][1].sum()))
    return None
