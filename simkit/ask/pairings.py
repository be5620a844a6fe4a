"""Pairings: what a player wins alone at a table of another, and what a seat is worth to them.

The levels of `simkit skill` and the rungs of a ladder meet in this way.
"""

from collections.abc import Sequence

import polars as pl

from simkit.runs.folder import Run
from simkit.tables.findings import Findings, as_text
from simkit.tables.players import mixed_cells, strategy_shares
from simkit.tables.reading import deal_sums, mark_always, means
from simkit.tables.seats import nobody_wins

PAIRING = ["row", "column"]  # who sits alone, and who sits in all other seats


def pairings(run: Run) -> pl.DataFrame:
    """Return per cell who sits alone (`row`) at a table of whom (`column`), of two seats both ways round."""
    pairs = [(cell.index, cell.labels[0], cell.labels[-1]) for cell in run.cells]
    if run.cells[0].seats == 2:
        pairs += [(cell, column, row) for cell, row, column in pairs if row != column]
    schema = {"cell": pl.Int64, "row": pl.String, "column": pl.String}
    return pl.DataFrame(pairs, schema=schema, orient="row")


def alone_shares(findings: Findings) -> pl.DataFrame:
    """Return per pairing of two players what `row` wins over all seats, each on every deal.

    fair: the share if both were as good, of the games that somebody wins.
    """
    if not mixed_cells(findings):
        return pl.DataFrame()
    lost, seats = findings.cached(nobody_wins), findings.run.cells[0].seats
    won = 1 - pl.col("cell").replace_strict(lost, default=0.0, return_dtype=pl.Float64)
    table = strategy_shares(findings).rename({"strategy": "row"}).with_columns(pl.col("cell").cast(pl.Int64))
    pairs = pairings(findings.run).join(table, on=["cell", "row"])
    if not findings.run.sides:
        pairs = pairs.with_columns(fair=won / seats)
    shown = pairs.select(*PAIRING, "games", "deals", "share", "low", "high", "fair")
    return mark_always(shown, findings.always)


def seat_worths(findings: Findings) -> pl.DataFrame:
    """Return per pairing and seat the share of `row` there, less its mean over all seats of the same deal.

    If it is the same on all D deals, others may be met as rarely as 1 − 0.025^(1/D) (Clopper & Pearson 1934),
    which is the half of the interval.
    """
    share, places = pl.col("share").cast(pl.Float64), range(findings.run.cells[0].seats)
    seats = findings.run.seats().with_columns(pl.col("cell").cast(pl.Int64), as_text("strategy"))
    rows = seats.join(pairings(findings.run).lazy(), left_on=["cell", "strategy"], right_on=["cell", "row"])
    values = {f"seat{seat}": share.filter(pl.col("seat") == seat).mean() - share.mean() for seat in places}
    sums = deal_sums(rows.rename({"strategy": "row"}), PAIRING, values).collect(engine="streaming")
    tables = [
        sums.select(*PAIRING, pl.lit(seat, pl.Int64).alias("seat"), "deals").hstack(
            means(sums, f"seat{seat}", findings.always).rename({"mean": "worth"})
        )
        for seat in places
    ]
    rare = 1 - 0.025 ** (1 / pl.col("deals"))
    constant, worth = pl.col("low") >= pl.col("high"), pl.col("worth")
    ends = {"low": worth - rare, "high": worth + rare}
    return pl.concat(tables).with_columns(
        pl.when(constant).then(end).otherwise(pl.col(name)).alias(name) for name, end in ends.items()
    )


def in_order(table: pl.DataFrame, players: Sequence[str], *more: str) -> pl.DataFrame:
    """Return the rows of pairings with rows and columns in the order of the players."""
    places = [pl.col(side).replace_strict(players, range(len(players))) for side in PAIRING]
    return table.sort(*places, *more)
