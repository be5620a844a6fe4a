"""Wording for columns of the log that divide seats into those with much and with little of something."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.labels import titled


def sides(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the labels of the seats with much and with little.

    >>> sides({"has": True, "low": 0, "high": 2}), sides({"has": False, "low": 2, "high": 5})
    (('some', 'none'), ('at least 5', 'at most 2'))
    >>> sides({"has": False, "low": 0, "high": 1})
    ('some', 'none')
    """
    if row["has"] or (row["low"], row["high"]) == (0, 1):
        return "some", "none"
    return f"at least {row['high']:g}", f"at most {row['low']:g}"


def named_columns(findings: Findings, rows: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Add `component`: the meaning of each column in the words of the log."""
    if not rows.width:
        return rows
    meanings = findings.run.meanings(kind)
    texts = [titled(meanings.get(name) or name) for name in rows["column"]]
    return rows.with_columns(pl.Series("component", texts, dtype=pl.String))


def sided(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Add `much` and `little` as text, and `lever`: whether the column is fixed when play begins."""
    both = [sides(row) for row in rows.iter_rows(named=True)]
    much, little = ([pair[side] for pair in both] for side in (0, 1))
    levers = pl.col("column").is_in(findings.run.words.levers)
    return rows.with_columns(
        pl.Series("much", much, pl.String), pl.Series("little", little, pl.String), lever=levers
    )
