"""Reading of the log in blocks of whole deals, once for all tables that need the same rows.

Numbers that add up over blocks are declared as `Sums` of a reading. The first request for one of them reads
the log, and computes all others of the same reading along the way.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import polars as pl

from simkit.analysis.findings import Findings, all_findings
from simkit.runs.run import Run

BLOCK_GAMES = 100_000  # approximate number of games per block
BLOCK_VALUES = 2_000_000  # approximate number of values per block, for tables of all log columns
LEAST_DEALS = 1_000  # minimum deals per block
B = TypeVar("B")
Part = Callable[[Findings, B], pl.LazyFrame | None]


class Block(NamedTuple):
    """Rows of a range of deals."""

    games: pl.LazyFrame
    seats: pl.LazyFrame
    deals: pl.LazyFrame  # per cell, seat and deal: rows, means of share, score and squared score


@dataclass(frozen=True, eq=False)
class Sums(Generic[B]):
    """Numbers that add up over blocks of deals, per group of `by`; a table without columns if empty."""

    reading: "Reading[B]"
    by: list[str]
    of: Part[B]  # numbers of a block; None if the run has no such data

    def __call__(self, findings: Findings) -> pl.DataFrame:
        if findings.whole and self.reading.shared and "cell" in self.by:
            return findings.of_part(self(findings.whole))
        return findings.cached(self.reading.read)[self]


class Reading(Generic[B]):
    """Set of sums that are computed in one pass over the log.

    shared: findings of some cells take their rows from the whole run, rather than read their part of the log.
    """

    def __init__(self, blocks: Callable[[Run], Iterator[B]], shared: bool = True) -> None:
        self.blocks, self.shared = blocks, shared
        self.sums: list[Sums[B]] = []

    def __call__(self, *by: str) -> Callable[[Part[B]], Sums[B]]:
        """Return a decorator that adds a function of findings and block, by groups of `by`, to the sums."""

        def declare(part: Part[B]) -> Sums[B]:
            self.sums.append(Sums(self, list(by), part))
            return self.sums[-1]

        return declare

    def read(self, findings: Findings) -> dict[Sums[B], pl.DataFrame]:
        """Return the tables of all declared sums."""
        all_findings()  # Import every module, so that all sums are declared.
        return added_up(findings, self.sums, self.blocks(findings.run))


def added_up(findings: Findings, every: list[Sums[B]], blocks: Iterable[B]) -> dict[Sums[B], pl.DataFrame]:
    """Return each table of sums, added up over all blocks and sorted by its groups."""
    totals = dict.fromkeys(every, pl.DataFrame())
    for block in blocks:
        parts = {sums: part for sums in every if (part := sums.of(findings, block)) is not None}
        tables = pl.collect_all(list(parts.values()), engine="streaming")
        for sums, table in zip(parts, tables, strict=True):
            totals[sums] = pl.concat([totals[sums], table], how="diagonal").group_by(sums.by).sum()
    return {sums: total.sort(sums.by) if total.width else total for sums, total in totals.items()}


def summed(
    findings: Findings, cells: list[int], by: list[str], of: Callable[[Block], pl.LazyFrame]
) -> pl.DataFrame:
    """Return numbers that add up over the blocks of some cells, by groups of `by`, read on their own."""
    part, sums = findings.only(sorted(set(cells))), Sums(LOG, by, lambda _, block: of(block))
    return added_up(part, [sums], log_blocks(part.run))[sums]


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
        deals = seats.group_by("cell", "seat", "deal").agg(rows=pl.len().cast(pl.Int64), **means)
        yield Block(games, seats, deals.cache())


def small_blocks(run: Run) -> Iterator[Block]:
    """Yield smaller blocks of the log, for tables with a row for each column of the seats."""
    values = run.seats().collect_schema().len() * max(cell.seats for cell in run.cells)
    return log_blocks(run, BLOCK_VALUES // values)


LOG = Reading(log_blocks)  # shares, scores, lengths, end reasons
OWN = Reading(small_blocks, shared=False)  # the game's own columns
SECOND_OWN = Reading(small_blocks, shared=False)  # second pass over them, which needs the totals of the first
