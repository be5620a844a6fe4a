"""What things are worth that are sold and owned: what is bid up most, whose owners win most."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.words.labels import labels_of
from simkit.words.phrases import Said, interval, number, percent


def upgrades(found: Findings) -> Iterator[Said]:
    """For each lineup looked at: what is bid up most, and whose owners win most."""
    looked = pl.col("cell").is_in(cells_to_look_at(found.run))
    sold = labels_of(found).named(found.ownership.filter(looked & (pl.col("sold") > 0)))
    caution = " Correlational, not causal: who is ahead can afford more."  # once is enough
    for rows in sold.partition_by("cell", maintain_order=True):
        dearest = rows.sort("over", descending=True, nulls_last=True).row(0, named=True)
        strongest = rows.sort("share", descending=True).row(0, named=True)
        setting = f" ({dearest['setting']})" if dearest["setting"] else ""
        played = labels_of(found).when(dearest["lineup"])
        over = "" if dearest["over"] is None else f" ({number(100 * dearest['over'], 0, sign=True)} %)"
        text = f"""“{dearest["thing"].capitalize()}” is bid up most {played}{setting}:
            {dearest["price"]:.0f} credits on average against a printed {dearest["printed"]:.0f}{over}.
            Seats that end with “{strongest["thing"]}” win {percent(strongest["share"])} of their games
            ({interval(strongest, "deals")}; fair is {percent(strongest["fair"])}).{caution}"""
        yield Said(text, "ownership")
        caution = ""
