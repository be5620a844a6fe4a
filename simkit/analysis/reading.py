"""Reading of the log in blocks of whole deals, once for all tables that need the same rows.

Numbers that add up over blocks are declared as parts of a `Reading`. The first request for one of them reads
the log, and computes all others of the same reading along the way.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Generic, NamedTuple, TypeVar

import polars as pl

from simkit.analysis.findings import Findings, all_findings
from simkit.analysis.table import cells_to_look_at
from simkit.runs.folder import Run

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


def summed(findings: Findings, cells: list[int], by: list[str], part: PartOfBlocks[Block]) -> pl.DataFrame:
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
        deals = seats.group_by("cell", "seat", "deal").agg(rows=pl.len().cast(pl.Int64), **means)
        yield Block(games, seats, deals.cache())


def small_blocks(run: Run) -> Iterator[Block]:
    """Yield smaller blocks of the log, for tables with a row for each column of the seats."""
    values = run.seats().collect_schema().len() * max(cell.seats for cell in run.cells)
    return log_blocks(run, BLOCK_VALUES // values)


LOG: Reading[Block] = Reading(log_blocks)  # shares, scores, lengths, end reasons
OWN = Reading(small_blocks, shared=False)  # the game's own columns
SECOND_OWN = Reading(small_blocks, shared=False)  # second pass over them, which needs the totals of the first
