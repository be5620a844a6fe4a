"""Reading of the log in blocks of whole deals, once for all tables that need the same rows.

Numbers that add up over blocks are declared as parts of a `Reading`. The first request for one of them reads
the log, and computes all others of the same reading along the way.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import polars as pl

from simkit.runs.folder import Run
from simkit.stats import betting
from simkit.stats.deals import mean_from_moments, share_from_moments
from simkit.stats.sequences import mean_at_every_look
from simkit.tables.findings import Findings, all_findings, cells_to_look_at

BLOCK_GAMES = 100_000  # approximate number of games per block
BLOCK_VALUES = 2_000_000  # approximate number of values per block, for tables of all log columns
LEAST_DEALS = 1_000  # minimum deals per block
B = TypeVar("B")
PartOfBlocks = Callable[[Findings, B], pl.LazyFrame | None]


class Block(NamedTuple):
    """Rows of a range of deals."""

    games: pl.LazyFrame
    seats: pl.LazyFrame
    deals: pl.LazyFrame  # per cell, seat and deal: rows, means of share, score and squared score
    judged: pl.LazyFrame  # the same of the shares that are judged, which may be those of a side


class Reading(Generic[B]):
    """Numbers that add up over blocks of deals and are computed in one pass over the log.

    shared: findings of some cells take their rows from the whole run, rather than read their part of the log.
    """

    def __init__(self, blocks: Callable[[Run], Iterator[B]], shared: bool = True) -> None:
        self.blocks, self.shared = blocks, shared
        self.parts: dict[
            PartOfBlocks[B], list[str]
        ] = {}  # function of findings and block -> columns of its groups

    def __call__(self, *by: str) -> Callable[[PartOfBlocks[B]], Callable[[Findings], pl.DataFrame]]:
        """Return a decorator that turns the numbers of a block, by groups of `by`, into those of all blocks.

        The numbers of a block are None, and the table has no columns, if the run has no such data.
        """

        def declare(part: PartOfBlocks[B]) -> Callable[[Findings], pl.DataFrame]:
            self.parts[part] = list(by)

            @wraps(part)
            def table(findings: Findings) -> pl.DataFrame:
                if findings.whole and self.shared and "cell" in by:
                    return findings.of_part(table(findings.whole))
                return findings.cached(self.read)[part]

            return table

        return declare

    def read(self, findings: Findings) -> dict[PartOfBlocks[B], pl.DataFrame]:
        """Return the tables of all parts."""
        all_findings()  # Import every module, so that all parts are declared.
        return added_up(findings, self.parts, self.blocks(findings.run))


def added_up(
    findings: Findings, parts: Mapping[PartOfBlocks[B], list[str]], blocks: Iterable[B]
) -> dict[PartOfBlocks[B], pl.DataFrame]:
    """Return the table of each part, added up over all blocks and sorted by its groups."""
    totals = dict.fromkeys(parts, pl.DataFrame())
    for block in blocks:
        rows = {part: numbers for part in parts if (numbers := part(findings, block)) is not None}
        for part, table in zip(rows, pl.collect_all(list(rows.values()), engine="streaming"), strict=True):
            totals[part] = pl.concat([totals[part], table], how="diagonal").group_by(parts[part]).sum()
    return {part: total.sort(parts[part]) if total.width else total for part, total in totals.items()}


def sum_over_blocks(
    findings: Findings, cells: list[int], by: list[str], part: PartOfBlocks[Block]
) -> pl.DataFrame:
    """Return numbers that add up over the blocks of some cells, by groups of `by`, read on their own."""
    some = findings.only(sorted(set(cells)))
    return added_up(some, {part: by}, log_blocks(some.run))[part]


def looked_at(findings: Findings, rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return the rows of the cells to look at."""
    return rows.filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))


def ranges(run: Run, games: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of deals with about `games` games each, all cells combined."""
    deals = max(cell.deals for cell in run.cells)
    step = max(LEAST_DEALS, games * deals // max(1, sum(cell.plays for cell in run.cells)))
    for low in range(0, deals, step):
        yield low, min(low + step, deals)


def log_blocks(run: Run, games_per_block: int | None = None) -> Iterator[Block]:
    """Yield the blocks of the log, of about `games_per_block` games each."""
    score = pl.col("score").cast(pl.Float64)
    means = {"share": pl.col("share").mean(), "score": score.mean(), "square": (score**2).mean()}
    for low, high in ranges(run, games_per_block or BLOCK_GAMES):
        inside, part = pl.col("deal").is_between(low, high, closed="left"), run.between(low, high)
        games, seats = part.games().filter(inside).cache(), part.seats().filter(inside).cache()
        deals = seats.group_by("cell", "seat", "deal").agg(rows=pl.len().cast(pl.Int64), **means).cache()
        yield Block(games, seats, deals, _judged_deals(run, seats) if run.one_share else deals)


def _judged_deals(run: Run, seats: pl.LazyFrame) -> pl.LazyFrame:
    """Return per cell and deal the rows and the mean share of a team, or of the first of two sides."""
    rows = run.judged_rows(seats).filter(pl.col("seat") == 0)
    share = {"rows": pl.len().cast(pl.Int64), "share": pl.col("share").mean()}
    return rows.group_by("cell", "seat", "deal").agg(**share)


def small_blocks(run: Run) -> Iterator[Block]:
    """Yield smaller blocks of the log, for tables with a row for each column of the seats."""
    values = run.seats().collect_schema().len() * max(cell.seats for cell in run.cells)
    return log_blocks(run, BLOCK_VALUES // values)


LOG: Reading[Block] = Reading(log_blocks)  # shares, scores, lengths, end reasons
OWN: Reading[Block] = Reading(small_blocks, shared=False)  # the game's own columns
SECOND_OWN = Reading(small_blocks, shared=False)  # second pass over them, which needs the totals of the first


# Sums over deals within groups, and the estimates that follow: the primitive behind all tables.
#
# A deal gives each group one number per value. Means and covariances over deals follow from the sums of these
# numbers and of their products (`deal_sums`); for values with few distinct results, `deal_counts` keeps more.

ALWAYS = "always"  # column of tables whose intervals hold at all interim analyses simultaneously
OFTEN = [0.0, 0.5, 1.0]  # common means of shares over the plays of a deal
COUNT = pl.len().cast(pl.Int64)
MOMENTS = ["mean", "variance", "deals", "games", "off"]
SumsRow = Mapping[str, Any]
Names = Sequence[str]
Pairs = Sequence[tuple[str, str]]
Values = Mapping[str, pl.Expr]


def deal_sums(rows: pl.LazyFrame, by: list[str], values: Values, pairs: Pairs | None = None) -> pl.LazyFrame:
    """Return per group `deals`, `rows`, the sum NAME over deals of each value, and the sums A*B of products.

    values: aggregates over the rows of a deal in a group; pairs: factors of the products (default: squares).
    """
    columns = {name: value.cast(pl.Float64) for name, value in values.items()}
    return sums_of_deals(rows.group_by([*by, "deal"]).agg(rows=COUNT, **columns), by, list(values), pairs)


def sums_of_deals(deals: pl.LazyFrame, by: Names, names: Names, pairs: Pairs | None = None) -> pl.LazyFrame:
    """Return `deal_sums` of rows that are one per deal and group already."""
    both = [(name, name) for name in names] if pairs is None else pairs
    products = [(pl.col(a) * pl.col(b)).sum().alias(f"{a}*{b}") for a, b in both]
    return deals.group_by(by).agg(pl.col("rows", *names).sum(), *products, deals=COUNT)


def every_pair(names: Names) -> Pairs:
    """Return all unordered pairs of the names, each name with itself included."""
    return [(a, b) for i, a in enumerate(names) for b in names[i:]]


def moment(row: SumsRow, name: str) -> tuple[float, float]:
    """Return mean and sample variance over deals of a value, from `deal_sums`; 0 for a single deal."""
    deals, total = row["deals"], row[name]
    return total / deals, max(0.0, row[f"{name}*{name}"] - total**2 / deals) / max(1, deals - 1)


def means(sums: pl.DataFrame, name: str, always: bool = False) -> pl.DataFrame:
    """Return mean, low and high (95 %) of a value, from `deal_sums`.

    always: intervals that hold at all interim analyses simultaneously.
    """
    interval = mean_at_every_look if always else mean_from_moments
    estimates = [interval(*moment(row, name), row["deals"])[:3] for row in sums.rows(named=True)]
    table = pl.DataFrame(estimates, schema=reals("mean", "low", "high"), orient="row").fill_nan(None)
    return mark_always(table, always)


def covariance(row: SumsRow, names: Names) -> tuple[np.ndarray, np.ndarray]:
    """Return means and sample covariance over deals, from a row of `deal_sums` with `every_pair`."""
    deals, means = row["deals"], np.array([row[name] for name in names]) / row["deals"]
    return means, (products(row, names) / deals - np.outer(means, means)) * deals / (deals - 1)


def products(row: SumsRow, names: Names) -> np.ndarray:
    """Return the product sums of some values as a matrix, from a row of `deal_sums` with `every_pair`."""
    return np.array([[row.get(f"{a}*{b}", row.get(f"{b}*{a}")) for b in names] for a in names])


def deal_counts(rows: pl.LazyFrame, by: list[str], value: pl.Expr) -> pl.LazyFrame:
    """Count the deals per group and `value` of a deal: columns `deals`, `rows` and `total`."""
    return counts_of_deals(rows.group_by([*by, "deal"]).agg(rows=COUNT, value=value), by)


def counts_of_deals(deals: pl.LazyFrame, by: list[str]) -> pl.LazyFrame:
    """Return `deal_counts` of rows that are one per deal and group already."""
    value = pl.col("value").cast(pl.Float64)
    return deals.group_by([*by, value.round(9)]).agg(pl.col("rows").sum(), deals=COUNT, total=value.sum())


def row_counts(rows: pl.LazyFrame, by: list[str], value: str) -> pl.LazyFrame:
    """Count the rows (`games`) per group and `value` of a column."""
    return rows.with_columns(value=value).group_by(*by, "value").agg(games=COUNT)


def moments(counts: pl.DataFrame, by: list[str], often: bool = True) -> pl.DataFrame:
    """Return deals, games (rows), mean, variance and off (deals off the commonest mean), from `deal_counts`.

    often: take the commonest mean among those in OFTEN, not among all.
    """
    n, x = pl.col("deals"), pl.col("value")
    centre = pl.col("total").sum() / n.sum()
    spread = (n * (x - centre) ** 2).sum() / (n.sum() - 1).clip(1)
    common = n.filter(x.is_in(OFTEN)).max().fill_null(0) if often else n.max()
    columns = {"games": pl.col("rows").sum(), "mean": centre, "variance": spread, "off": n.sum() - common}
    return counts.group_by(by, maintain_order=True).agg(n.sum(), **columns)


def shares(table: pl.DataFrame) -> pl.DataFrame:
    """Return `moments` of shares as games, deals, share, low and high (95 %)."""
    rows = [share_from_moments(m, v, n, k, off=off) for m, v, n, k, off in table.select(MOMENTS).iter_rows()]
    ends = pl.DataFrame([row[:3] for row in rows], schema=reals("share", "low", "high"), orient="row")
    return table.drop(MOMENTS).hstack(table.select("games", "deals")).hstack(ends)


def shares_of(counts: pl.DataFrame, by: list[str], always: bool) -> pl.DataFrame:
    """Return the `shares` of `deal_counts`; if always, with intervals that hold at all interim analyses."""
    table = shares(moments(counts, by))
    return shares_at_every_look(table, counts, by) if always else table


def shares_at_every_look(table: pl.DataFrame, counts: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Return `shares` of `deal_counts` with low and high that hold at all interim analyses simultaneously."""
    values = sorted(counts["value"].unique())
    named = counts.select(*by, "value", "deals")
    wide = named.pivot(on="value", on_columns=values, index=by, values="deals", aggregate_function="sum")
    deals = wide.drop(by).fill_null(0).to_numpy()
    low, high = betting.confidence_sequence(np.array(values).clip(0, 1), deals)
    ends = wide.select(by).with_columns(low=low, high=high)
    return mark_always(table.drop("low", "high").join(ends, on=by, how="left", maintain_order="left"), True)


def mark_always(table: pl.DataFrame, always: bool) -> pl.DataFrame:
    """Add a column ALWAYS if the intervals hold at all interim analyses; pages mention where they do not."""
    return table.with_columns(pl.lit(True).alias(ALWAYS)) if always else table


def widen_interval(share: float, low: float, high: float, factor: float) -> tuple[float, float]:
    """Return the ends of the interval of a share, moved away from the share by a factor (Dunn 1961)."""
    return max(0.0, share - factor * (share - low)), min(1.0, share + factor * (high - share))


ROUNDING = 1e-12  # relative, of sums of weights; less than one deal of the largest possible cell


def spread_of(counts: pl.DataFrame, by: list[str], parts: tuple[float, ...]) -> pl.DataFrame:
    """Return per group mean, sd, games and quantiles p5, p50 ... of `value`, counted by `games`.

    Games may be weights: cumulative shares that differ only by rounding count as equal.
    """
    games, value = pl.col("games"), pl.col("value")
    centre = (games * value).sum() / games.sum()
    square = (games * (value - centre) ** 2).sum() / (games.sum() - 1).clip(1)
    every = (1 - ROUNDING) * games.sum()
    reached = {f"p{round(100 * part)}": games.cum_sum() >= part * every for part in parts}
    ends = {name: value.filter(far).first() for name, far in reached.items()}
    ordered = counts.sort(*by, "value").group_by(by, maintain_order=True)
    return ordered.agg(games.sum(), mean=centre, sd=square.sqrt(), **ends)


def text_columns(*names: str) -> dict[str, pl.DataType]:
    """Return the schema of text columns; see also `whole` (integers) and `reals` (floats)."""
    return dict.fromkeys(names, pl.String())


def whole(*names: str) -> dict[str, pl.DataType]:
    """Return the schema of integer columns."""
    return dict.fromkeys(names, pl.Int64())


def reals(*names: str) -> dict[str, pl.DataType]:
    """Return the schema of float columns."""
    return dict.fromkeys(names, pl.Float64())
