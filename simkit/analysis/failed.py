"""Failed games of a run that keeps going: their number and the faults."""

import polars as pl

from simkit.analysis.findings import Findings, finding


@finding
def faults(findings: Findings) -> pl.DataFrame:
    """Per cell and fault: number of failed games, and play, deal, seat and FILE:LINE of the first.

    Without columns for a run that does not keep going. Failed games are part of every table: lost by the seat
    whose strategy failed, with the win shared by the others, or lost by all seats where the rules failed.
    """
    if not findings.run.experiment.keep_going:
        return pl.DataFrame()
    rows = findings.run.games().filter(pl.col("fault").is_not_null())
    return _first(rows, ["cell", "fault"], pl.len()).sort("cell", "play").collect(engine="streaming")


@finding
def fault_kinds(findings: Findings) -> pl.DataFrame:
    """Per fault: `faults` of all cells combined, the most frequent first."""
    if findings.faults.is_empty():
        return pl.DataFrame()
    kinds = _first(findings.faults.lazy(), ["fault"], pl.col("games").sum())
    return kinds.sort("games", "play", descending=[True, False]).collect()


def _first(rows: pl.LazyFrame, by: list[str], games: pl.Expr) -> pl.LazyFrame:
    """Return per group the number of games and the details of the first game."""
    first = {name: pl.col(name).sort_by("play").first() for name in ("play", "deal", "fault_seat")}
    line = pl.col("fault_line").sort_by("play").drop_nulls().first()
    return rows.group_by(by).agg(games=games.cast(pl.Int64), **first, fault_line=line)
