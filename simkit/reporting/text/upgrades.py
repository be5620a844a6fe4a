"""Sentences about upgrades: which are bid up most, and whose owners win most."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, ends, listed, number


def _dearest(findings: Findings) -> pl.DataFrame:
    """Return for each lineup in view the upgrade bid up most; the greatest first."""
    looked = pl.col("cell").is_in(cells_to_look_at(findings.run))
    sold = findings.ownership.filter(looked & (pl.col("sold") > 0)).drop_nulls("over")
    first = sold.sort("over", descending=True, maintain_order=True)
    return labels_of(findings).named(first.unique("cell", keep="first", maintain_order=True))


def bid_up_most(findings: Findings) -> str:
    """Return the upgrade bid up most, with the lineup, or as a range if it is the same with all lineups."""
    dearest = _dearest(findings)
    if dearest.is_empty():
        return "No upgrade is sold"
    row, same = dearest.row(0, named=True), dearest["thing"].n_unique() == 1
    texts = [number(100 * over, 0, sign=True) for over in (dearest["over"][-1], row["over"])]
    size = ends(*texts) if same else texts[1]
    note = ", by who plays" if same and texts[0] != texts[1] else ""
    lineup = "" if same else f" {labels_of(findings).when(row['lineup'])}"
    return f"“{row['thing'].capitalize()}” is bid up most{lineup}: {size} % above its printed cost{note}"


def points(row: Row) -> str:
    """Return a row's difference in signed percentage points."""
    return number(100 * row["difference"], sign=True)


def win_most(findings: Findings) -> str:
    """Return the upgrade whose owners gain most, for all lineups in view or by lineup."""
    looked = pl.col("cell").is_in(cells_to_look_at(findings.run))
    rows = findings.ownership.filter(looked).drop_nulls("difference").sort("difference", descending=True)
    best = labels_of(findings).named(rows.unique("cell", keep="first", maintain_order=True))
    if best.is_empty():
        return "No upgrade has owners to compare with others."
    least, most = (points(best.row(place, named=True)) for place in (-1, 0))
    named = f"“{best['thing'][0]}”"
    if best["thing"].n_unique() > 1:
        when = labels_of(findings).when
        named = listed(f"“{row['thing']}” {when(row['lineup'])}" for row in best.rows(named=True))
    more = f"{ends(least, most)} games of 100 against the same seats without it"
    return f"Seats that end with {named} gain most: {more}."
