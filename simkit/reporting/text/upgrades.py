"""Sentences about upgrades: which are bid up most, and whose owners win most."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import number
from simkit.reporting.text.phrases import Row


def _most(findings: Findings, column: str) -> tuple[Row | None, str]:
    """Return the row with the greatest value over the lineups in view; its lineup if there are several."""
    cells, labels = cells_to_look_at(findings.run), labels_of(findings)
    looked = findings.ownership.filter(pl.col("cell").is_in(cells), pl.col("sold") > 0)
    rows = labels.named(looked.drop_nulls(column).sort(column, descending=True)).rows(named=True)
    return next(iter(rows), None), f" {labels.when(rows[0]['lineup'])}" if rows and len(cells) > 1 else ""


def bid_up_most(findings: Findings) -> str:
    """Return the upgrade bid up most, with the lineup where there are several."""
    row, when = _most(findings, "over")
    if row is None:
        return "No upgrade is sold"
    size = number(100 * row["over"], 0, sign=True)
    return f"“{row['thing'].capitalize()}” is bid up most{when}: {size} % above its printed cost"


def win_most(findings: Findings) -> str:
    """Return the upgrade whose owners gain most, with the lineup where there are several."""
    row, when = _most(findings, "difference")
    if row is None:
        return "No upgrade has owners to compare with others."
    gain = f"{number(100 * row['difference'], sign=True)} games of 100 against the same seats without it"
    return f"Seats that end with “{row['thing']}” gain most{when}: {gain}."
