"""Games between two sides: what a seat wins by the side on which it is."""

import polars as pl

from simkit.engine.game import SIDE
from simkit.tables.findings import Findings, as_text, finding
from simkit.tables.reading import LOG, Block, deal_counts, shares_of

BY = ["cell", SIDE, "seat"]


@LOG(*BY, "value")
def side_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the deals by side, seat and how often the side wins; a win of both sides counts half."""
    if not findings.run.sides:
        return None
    return deal_counts(block.seats.with_columns(as_text(SIDE)), BY, pl.col("share").mean())


@finding
def seats_by_side(findings: Findings) -> pl.DataFrame:
    """Per cell, side and seat: games of the seat on that side, and how often the side wins them.

    Where a lot or the players decide who is on which side, the seat may matter to a side.
    """
    counts = side_counts(findings)
    if not counts.width:
        return counts
    is_first = pl.col(SIDE) == findings.run.cells[0].side
    rows = shares_of(counts, BY, findings.always).sort("cell", ~is_first, "seat")
    return findings.with_cells(rows)
