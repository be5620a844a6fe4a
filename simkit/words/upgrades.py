"""What things are worth that are sold and owned: what is bid up most, whose owners win most."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.words.labels import labels_of
from simkit.words.phrases import Said, ends, games_of_100, interval, listed, number, percent


def _dearest(found: Findings) -> pl.DataFrame:
    """Of each lineup looked at what is bid up most; the greatest first."""
    looked = pl.col("cell").is_in(cells_to_look_at(found.run))
    sold = found.ownership.filter(looked & (pl.col("sold") > 0)).drop_nulls("over")
    first = sold.sort("over", descending=True, maintain_order=True)
    return labels_of(found).named(first.unique("cell", keep="first", maintain_order=True))


def bid_up_most(found: Findings) -> str:
    """What is bid up most of all, and by whom; where it is the same with all lineups, from the least on."""
    dearest = _dearest(found)
    if dearest.is_empty():
        return "No upgrade is sold"
    row, same = dearest.row(0, named=True), dearest["thing"].n_unique() == 1
    texts = [number(100 * over, 0, sign=True) for over in (dearest["over"][-1], row["over"])]
    size = ends(*texts) if same else texts[1]
    by = ", by who plays" if same and texts[0] != texts[1] else ""
    who = "" if same else f" {labels_of(found).when(row['lineup'])}"
    return f"“{row['thing'].capitalize()}” is bid up most{who}: {size} % above its printed cost{by}"


def upgrades(found: Findings) -> Iterator[Said]:
    """For each lineup looked at: what is bid up most, and whose owners win most."""
    looked = pl.col("cell").is_in(cells_to_look_at(found.run))
    sold = labels_of(found).named(found.ownership.filter(looked & (pl.col("sold") > 0)))
    for rows in sold.partition_by("cell", maintain_order=True):
        dearest = rows.sort("over", descending=True, nulls_last=True).row(0, named=True)
        strongest = rows.sort("share", descending=True, nulls_last=True).row(0, named=True)
        setting = f" ({dearest['setting']})" if dearest["setting"] else ""
        played = labels_of(found).when(dearest["lineup"])
        over = "" if dearest["over"] is None else f", {number(100 * dearest['over'], 0, sign=True)} %"
        printed = f"a printed cost of {dearest['printed']:.0f}{over}"
        text = f"""“{dearest["thing"].capitalize()}” is bid up most {played}{setting}:
            {number(dearest["price"])} credits on average against {printed}.
            Seats that end with “{strongest["thing"]}” win {percent(strongest["share"])} of their games
            ({interval(strongest, "deals")}; fair is {percent(strongest["fair"])})."""
        yield Said(text, "ownership")


def win_most(found: Findings) -> str:
    """Whose owners win most, with every lineup looked at; else by lineup."""
    looked = pl.col("cell").is_in(cells_to_look_at(found.run))
    rows = found.ownership.filter(looked).drop_nulls("share").sort("share", descending=True)
    best = labels_of(found).named(rows.unique("cell", keep="first", maintain_order=True))
    if best.is_empty():
        return "Nobody ends with an upgrade."
    shares = games_of_100(min(best["share"]), max(best["share"]))
    if best["thing"].n_unique() == 1:
        return f"Seats that end with “{best['thing'][0]}” win most: {shares}."
    named = listed(
        f"“{row['thing']}” {labels_of(found).when(row['lineup'])}" for row in best.rows(named=True)
    )
    return f"Those win most that end with {named}: {shares}."
