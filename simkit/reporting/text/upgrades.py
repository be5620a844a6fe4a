"""Sentences about upgrades: which are bid up most, and whose owners win most."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, number


def _most(findings: Findings, column: str) -> Row | None:
    """Return the labelled row with the greatest value of a column over the lineups in view."""
    looked = pl.col("cell").is_in(cells_to_look_at(findings.run)) & (pl.col("sold") > 0)
    rows = findings.ownership.filter(looked).drop_nulls(column).sort(column, descending=True)
    return next(iter(labels_of(findings).named(rows).rows(named=True)), None)


def _when(findings: Findings, row: Row) -> str:
    several = len(cells_to_look_at(findings.run)) > 1
    return f" {labels_of(findings).when(row['lineup'])}" if several else ""


def bid_up_most(findings: Findings) -> str:
    """Return the upgrade bid up most, with the lineup where there are several."""
    if (row := _most(findings, "over")) is None:
        return "No upgrade is sold"
    size = number(100 * row["over"], 0, sign=True)
    most = f"“{row['thing'].capitalize()}” is bid up most{_when(findings, row)}"
    return f"{most}: {size} % above its printed cost"


def win_most(findings: Findings) -> str:
    """Return the upgrade whose owners gain most, with the lineup where there are several."""
    if (row := _most(findings, "difference")) is None:
        return "No upgrade has owners to compare with others."
    gain = f"{number(100 * row['difference'], sign=True)} games of 100 against the same seats without it"
    return f"Seats that end with “{row['thing']}” gain most{_when(findings, row)}: {gain}."
