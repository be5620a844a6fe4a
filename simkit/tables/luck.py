"""Luck and late choices: what each kind of luck decides, kingmaking, random errors, spread beyond luck."""

import json
from pathlib import Path

import polars as pl

from simkit.runs.folder import BEGINNERS, LUCK_STUDY, open_run
from simkit.runs.kingmaking import FILE
from simkit.runs.plan import Cell
from simkit.runs.storage import checksums
from simkit.stats import deals, spread
from simkit.stats.deals import difference_from_moments, share_from_moments
from simkit.stats.parts import Part, variance_parts
from simkit.tables.findings import Findings, add_holm_p, finding
from simkit.tables.players import strategy_shares
from simkit.tables.reading import (
    LOG,
    Block,
    SumsRow,
    covariance,
    deal_sums,
    every_pair,
    reals,
    text_columns,
    whole,
)
from simkit.tables.seats import seat_shares

TOGETHER = "together"
STREAMS = "streams"  # key of the file's metadata: names of the streams of each kind of luck
NAMES = [f"{name}{end}" for name in ("alone", "total") for end in ("", "_low", "_high")]
LUCK_SCHEMA = (
    whole("cell")
    | text_columns("part")
    | reals(*NAMES)
    | whole("plays", "games", "deals")
    | text_columns("streams")
)


@finding
def luck_parts(findings: Findings) -> pl.DataFrame:
    """Per cell to look at and kind of luck: part of the variance of the result; empty without a luck study.

    part: setup (shuffles and rolls before play), play (draws during play), choices (random choices of
    strategies, and random errors), as far as the game has them, and together (the remainder that none decides
    alone). alone: part decided by this luck alone; total: part in which it is involved; with 95 % intervals
    over deals. Variance: of the shares of the win, summed over the seats (for a team, or the first of two
    sides: of its share), between games of the same lineup in the same seats. plays: per deal, with all
    combinations of old and new luck; streams: names of the random streams. Formula and source:
    `simkit.stats.parts`. Null where all games end alike.
    """
    study = read(findings.run.folder)
    if study is None:
        return pl.DataFrame()
    plays, streams = study
    own = plays.filter(pl.col("cell").is_in([cell.index for cell in findings.run.cells]))
    rows = [
        row for part in own.partition_by("cell", maintain_order=True) for row in _luck_rows(part, streams)
    ]
    return (
        findings.with_cells(pl.DataFrame(rows, schema=LUCK_SCHEMA, orient="row")) if rows else pl.DataFrame()
    )


def read(folder: Path) -> tuple[pl.DataFrame, dict[str, list[str]]] | None:
    """Return the plays of a luck study and the streams of each kind of luck, or None if there is none."""
    if not checksums.valid_files(folder, [LUCK_STUDY]):
        return None
    streams = pl.read_parquet_metadata(folder / LUCK_STUDY)[STREAMS]
    return pl.read_parquet(folder / LUCK_STUDY, glob=False), json.loads(streams)


def _luck_rows(plays: pl.DataFrame, streams: dict[str, list[str]]) -> list[tuple[object, ...]]:
    """Return the rows of a cell."""
    kinds, deals = list(streams), plays["deal"].n_unique()
    ordered = plays.sort("deal", *kinds, "seat")
    shape = deals, *(2,) * len(kinds), plays["seat"].n_unique()
    turns = ordered["rotation"].to_numpy().reshape(deals, -1)[:, 0]
    parts = variance_parts(ordered["share"].to_numpy().reshape(shape), turns)
    per_deal, cell = 2 ** len(kinds), plays["cell"][0]
    none = (None,) * 3
    each: list[tuple[Part | tuple[None, ...], Part | tuple[None, ...]]] = [(none, none)] * (len(kinds) + 1)
    if parts is not None:
        each = [*zip(parts.alone, parts.total, strict=True), (parts.together, none)]
    return [
        (cell, part, *alone, *total, per_deal, per_deal * deals, deals, ", ".join(streams.get(part, [])))
        for part, (alone, total) in zip([*kinds, TOGETHER], each, strict=True)
    ]


# Kingmaking: how often the choice of the seat in last place decides which other seat wins.

KING_ENDS = [f"{name}{end}" for name in ("king", "others", "wins") for end in ("", "_low", "_high")]


@finding
def kingmaking(findings: Findings) -> pl.DataFrame:
    """Per cell of three or more seats and role: effect of late choices; empty unless the run measured it.

    A sample is a decision after two thirds of the turns, by the seat that alone is last (role last) or first
    (leader) at the end of the turn before, one of each per deal, in a random game. The game is continued
    eight times with the action taken and eight times with each alternative (three random ones if more),
    with the same eight redraws of later luck; cards shuffled earlier keep their order. others: how much more
    often the best of the other seats differs between two such games with different actions than with the same
    action, averaged over samples: 0 if luck alone decides, 1 if the action alone (`stats.gaps.between`).
    king: the same, with 0 for samples in which the seat wins one of these games: only a seat that can no
    longer win makes the king. wins: share of samples in which the seat wins one. NAME_low, NAME_high: 95 %
    interval; a deal has one sample of a role. choices: mean number of legal actions. games = deals: samples.
    """
    if not findings.run.experiment.kingmaking:
        return pl.DataFrame()
    rows = pl.read_parquet(findings.run.folder / FILE, glob=False)
    rows = rows.sort("cell", "role", descending=[False, True])
    parts = rows.partition_by("cell", "role", maintain_order=True)
    kinds = whole("cell") | text_columns("role") | reals("choices", *KING_ENDS) | whole("games", "deals")
    return findings.with_cells(pl.DataFrame(map(_kingmaking_row, parts), schema=kinds, orient="row"))


def _kingmaking_row(part: pl.DataFrame) -> tuple[object, ...]:
    n, wins = part.height, part["wins"].cast(pl.Float64)
    share = float(wins.mean())  # type: ignore[arg-type]
    won = share_from_moments(share, share * (1 - share) * n / max(1, n - 1), n, n)
    ends = *_mean_ends(part["others"] * (1 - wins)), *_mean_ends(part["others"]), *won[:3]
    return part["cell"][0], part["role"][0], part["choices"].mean(), *ends, n, n


def _mean_ends(values: pl.Series) -> list[float]:
    """Return a mean with its interval, cut off at 0, which the true value cannot fall below."""
    mean, variance = float(values.mean()), float(values.var() or 0)  # type: ignore[arg-type]
    estimate = difference_from_moments(mean, variance, 0, values.len(), bound=1)
    return [max(0.0, end) for end in estimate[:3]]


# Win rate of a player who makes random errors, from the side run of a run.

BEGINNERS_SCHEMA = whole("seats") | text_columns("strategy") | reals("errs", "share", "low", "high", "fair")
BEGINNERS_SCHEMA |= whole("games", "deals")


def beginner_findings(findings: Findings) -> Findings | None:
    """Return the findings of the side run with errors; None if the experiment did not request it."""
    if not findings.run.experiment.beginners:
        return None
    if findings.whole:
        return findings.whole.cached(beginner_findings)
    return Findings(open_run(findings.run.folder / BEGINNERS))


@finding
def beginners(findings: Findings) -> pl.DataFrame:
    """Per number of seats and error rate of one player (errs): the share that this player wins.

    strategy: the strategy of all players. An error is a random legal action. The player with errors sits in
    every seat equally often. fair: the share without errors, 1 / seats where every game has a winner. For a
    team: the share of the team; errs = 0, and fair, is its share without errors. Rules and seats:
    `simkit.runs.plan`.
    """
    small = findings.cached(beginner_findings)
    if small is None:
        return pl.DataFrame()
    parts = [_beginner_row(small, cell) for cell in small.run.cells]
    return pl.DataFrame(parts, schema=BEGINNERS_SCHEMA, orient="row").sort("seats", "errs")


def _beginner_row(small: Findings, cell: Cell) -> tuple[object, ...]:
    seats = seat_shares(small)
    if small.run.team:
        row, steady = seats.filter(cell=cell.index).row(0, named=True), _without_errors(small, cell)
        fair = seats.filter(cell=steady.index)["share"][0]
    else:
        shares = strategy_shares(small)
        row = shares.filter(cell=cell.index, strategy=cell.labels[0]).row(0, named=True)
        fair = row["fair"] if small.run.one_side else seats.filter(cell=cell.index)["fair"][0]
    ends = row["share"], row["low"], row["high"], fair, row["games"], row["deals"]
    return cell.seats, str(cell.usual_player), cell.error_rate, *ends


def _without_errors(small: Findings, cell: Cell) -> Cell:
    """Return the cell with the same number of seats and no errors."""
    return next(other for other in small.run.cells if other.seats == cell.seats and not other.error_rate)


# Spread of seat shares beyond luck, and how much of a result the deal decides.

GAP = reals("gap_seen", "gap_by_luck", "gap", "gap_low", "gap_high", "p_value")  # as in `spread.Spread`
FIXED = ("gap_low", "gap_high", "p_value")  # unknown with sequential stopping


def _names(count: int) -> list[str]:
    """Return names of values."""
    return [f"v{i}" for i in range(count)]


def _products(rows: pl.LazyFrame, column: str, count: int) -> pl.LazyFrame:
    """Sum over deals the shares of the rows with values 0, 1 ... of a column, and their products."""
    values = {name: (pl.col("share") * (pl.col(column) == i)).sum() for i, name in enumerate(_names(count))}
    return deal_sums(rows, ["cell"], values, every_pair(_names(count)))


@LOG("cell")
def seat_products(findings: Findings, block: Block) -> pl.LazyFrame:
    """Sum over deals the shares of the seats, and their products."""
    return _products(block.deals, "seat", max(cell.seats for cell in findings.run.cells))


@LOG("cell")
def rotation_products(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals the shares of seat 0 in the rotations, and their products."""
    count = max(cell.rotations for cell in findings.run.cells)
    steps = {cell.index: cell.rotation_step for cell in findings.run.cells}
    turn = pl.col("rotation") // pl.col("cell").replace_strict(steps)
    first = block.seats.filter(pl.col("seat") == 0).with_columns(rotation=turn)
    return _products(first, "rotation", count) if count > 1 else None


@finding
def seat_spread(findings: Findings) -> pl.DataFrame:
    """Per cell: spread of the seat shares (`simkit.stats.spread`), over deals.

    gap_seen: largest share minus smallest; gap_by_luck: expected from a fair game; gap: corrected for luck,
    with gap_low and gap_high (95 %); p_value: for equality of all seats; p_adjusted: Holm's adjustment over
    all cells. Null for a single deal; limits and p-values null with sequential stopping.
    """
    if findings.run.team:  # all seats win or lose together
        return pl.DataFrame()
    seats = {cell.index: cell.seats for cell in findings.run.cells}
    rows = seat_products(findings).with_columns(seats=pl.col("cell").replace_strict(seats))
    alike = [name for name in rows.columns if name != "cell"]  # Equal sums have equal gaps.
    kinds = rows.group_by(alike, maintain_order=True).agg(pl.col("cell").cast(pl.Int32))
    gaps = [_cell_gap(row) for row in kinds.rows(named=True)]
    table = kinds.select("cell", "deals").hstack(pl.DataFrame(gaps, schema=GAP, orient="row"))
    if findings.run.experiment.adaptive:
        table = table.with_columns(pl.lit(None, pl.Float64).alias(name) for name in FIXED)
    return findings.with_cells(add_holm_p(table.explode("cell"), "p_value"))


def _cell_gap(row: SumsRow) -> tuple[float | None, ...]:
    """Return the values of GAP for a cell; None for a single deal."""
    if row["deals"] < 2:
        return (None,) * len(GAP)
    means, products = covariance(row, _names(row["seats"]))
    return spread.largest_gap(deals.SeatCovariance(means, products / row["deals"], row["deals"]))


@finding
def deal_luck(findings: Findings) -> pl.DataFrame:
    """Per cell with several plays per deal: how far the deal decides the result (intraclass correlation).

    Everything fixed by the deal counts, including draws during play; `luck_parts` distinguishes the kinds of
    luck. 0: one play of a deal is not informative about the others; 1: the deal alone decides. Each rotation
    is centred on its own mean, so that a change of seats between strategies does not count. plays: per deal;
    cells that never vary have no row.
    """
    plays = {cell.index: cell.rotations for cell in findings.run.cells if cell.rotations > 1 < cell.deals}
    rows = []
    for row in rotation_products(findings).rows(named=True):
        count = plays.get(row["cell"])
        if count and (correlation := deals.intraclass(covariance(row, _names(count))[1], row["deals"])):
            rows.append((row["cell"], count, row["deals"], *correlation))
    if not rows:
        return pl.DataFrame()
    kinds = {"cell": pl.Int32()} | whole("plays", "deals") | reals("correlation", "low", "high")
    return findings.with_cells(pl.DataFrame(rows, schema=kinds, orient="row"))
