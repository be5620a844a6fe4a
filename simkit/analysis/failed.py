"""Games that failed in a run that keeps going: how many, and what was wrong."""

import polars as pl

from simkit.analysis.findings import Findings, finding


@finding
def faults(findings: Findings) -> pl.DataFrame:
    """Per cell and fault: games that failed so; of the first of them play, deal, seat and FILE:LINE.

    Without columns for a run that does not keep going. They are in every table: lost by the seat whose
    strategy failed, the others sharing the win, or by all where the rules failed.
    """
    if not findings.run.experiment.keep_going:
        return pl.DataFrame()
    rows = findings.run.games().filter(pl.col("fault").is_not_null())
    return _first(rows, ["cell", "fault"], pl.len()).sort("cell", "play").collect(engine="streaming")


@finding
def fault_kinds(findings: Findings) -> pl.DataFrame:
    """`faults` of all cells together, the most frequent first."""
    if findings.faults.is_empty():
        return pl.DataFrame()
    kinds = _first(findings.faults.lazy(), ["fault"], pl.col("games").sum())
    return kinds.sort("games", "play", descending=[True, False]).collect()


def _first(rows: pl.LazyFrame, by: list[str], games: pl.Expr) -> pl.LazyFrame:
    """Per group how many games, and what is known of the first."""
    first = {name: pl.col(name).sort_by("play").first() for name in ("play", "deal", "fault_seat")}
    line = pl.col("fault_line").sort_by("play").drop_nulls().first()
    return rows.group_by(by).agg(games=games.cast(pl.Int64), **first, fault_line=line)
