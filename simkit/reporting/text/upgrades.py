"""Sentences about upgrades: which are bid up most, and whose owners win most."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Sentence, ends, listed, number, span


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


def upgrades(findings: Findings) -> Iterator[Sentence]:
    """Yield for each lineup in view the upgrade bid up most and the one whose owners win most."""
    looked = pl.col("cell").is_in(cells_to_look_at(findings.run))
    sold = labels_of(findings).named(findings.ownership.filter(looked & (pl.col("sold") > 0)))
    for rows in sold.partition_by("cell", maintain_order=True):
        dearest = rows.sort("over", descending=True, nulls_last=True).row(0, named=True)
        strongest = rows.sort("difference", descending=True, nulls_last=True).row(0, named=True)
        setting = f" ({dearest['setting']})" if dearest["setting"] else ""
        played = labels_of(findings).when(dearest["lineup"])
        over = "" if dearest["over"] is None else f", {number(100 * dearest['over'], 0, sign=True)} %"
        printed = f"a printed cost of {dearest['printed']:.0f}{over}"
        text = f"""“{dearest["thing"].capitalize()}” is bid up most {played}{setting}:
            {number(dearest["price"])} credits on average against {printed}."""
        yield Sentence(text + _owners(strongest), "ownership")


def _owners(row: Row) -> str:
    """Return the wins of owners of an upgrade compared with others of the same seat and strategy."""
    if row["difference"] is None:
        return ""
    sure = f"95 % interval {span(row['difference_low'], row['difference_high'], 1, True, 100)}"
    return f""" Seats that end with “{row["thing"]}” win {points(row)} games of 100 against those of the same
        place and strategy without it ({sure}, n = {row["deals"]:,} deals)."""


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
    if best["thing"].n_unique() == 1:
        more = f"{ends(least, most)} games of 100 against the same seats without it"
        return f"Seats that end with “{best['thing'][0]}” gain most: {more}."
    named = listed(
        f"“{row['thing']}” {labels_of(findings).when(row['lineup'])}" for row in best.rows(named=True)
    )
    more = f"{ends(least, most)} games of 100 against the same seats without"
    return f"Those gain most that end with {named}: {more}."
