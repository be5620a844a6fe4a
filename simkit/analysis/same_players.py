"""Strategies that played every deal alike, in any seating."""

import polars as pl

from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import setting_words

PLACES = ("play", "cell", "rotation", "lineup", "strategy")  # columns that depend on the seating


@finding
def same_players(findings: Findings) -> pl.DataFrame:
    """Per setting and number of seats: pairs of strategies whose games on every deal are identical.

    Games in which only these two strategies sat are compared by all logged data, over all rotations; deals:
    number of deals of the pair.
    """
    pairs = [
        (cell.index, setting_words(cell.varied), cell.seats, *sorted({*cell.labels}), cell.deals)
        for cell in findings.run.cells
        if len({*cell.labels}) == 2
    ]
    if not pairs:
        return pl.DataFrame()
    names = ["cell", "setting", "seats", "strategy", "opponent", "deals"]
    table = pl.DataFrame(pairs, schema=names, orient="row").with_columns(pl.col("cell").cast(pl.Int32))
    logs = [_digests(rows) for rows in (findings.run.games(), findings.run.seats())]
    both = table.join(logs[0].join(logs[1], on=["cell", "rotation"]), on="cell")
    alike = (pl.len() > 1) & (pl.struct("digest", "digest_right").n_unique() == 1)
    return both.group_by(names[1:], maintain_order=True).agg(alike=alike).filter("alike").drop("alike")


def _digests(rows: pl.LazyFrame) -> pl.DataFrame:
    """Return a digest of the games of each cell and rotation, independent of where their logs are."""
    logged = [name for name in rows.collect_schema().names() if name not in PLACES]
    digest = pl.struct(logged).hash().sum()
    return rows.group_by("cell", "rotation").agg(digest=digest).collect(engine="streaming")
