"""What things are worth that are sold and owned: prices, and who wins with them."""

import polars as pl

from simkit.errors import UsageError
from simkit.pages import Figure, Findings, Section, charts, figure, looked_at, prose, table, told, where
from simkit.words.highlights import upgrades

TEXT = prose("""What is paid for an upgrade, and how often seats win that own one at the end, against seats
    that own none. Correlational: who is ahead can afford more, so a high share does not say that buying the
    upgrade wins. """)


def section(found: Findings) -> Section:
    worth = found.ownership
    if worth.is_empty():
        needed = "the report needs columns sold_X, price_X, printed_X and own_X"
        raise UsageError(f"{found.run.experiment.game} does not log sales and owners: {needed}")
    names = "cell thing sold printed price premium owners share low high without deals"
    listed = table(found, worth, names, "Price and owners of each upgrade")
    sentences = told(found, upgrades(found))
    return Section("Upgrades", [TEXT], _pictures(found, worth), [listed], takeaways=sentences)


def _pictures(found: Findings, worth: pl.DataFrame) -> list[Figure]:
    shown, parts = looked_at(found, worth), {"label": "thing", "kind": "lineup"}
    places = {thing: place for place, thing in enumerate(shown["thing"].unique(maintain_order=True))}
    order = pl.col("thing").replace_strict(places, return_dtype=pl.Int64)
    alt, about = "What each upgrade is sold for above its printed cost", where(found)
    of_owners = "Share of the games won by the owners of each upgrade, with 95 % interval and fair share"
    bid = "Mean winning bid less the printed cost, credits"
    won = "Share of the games won by seats that own one"
    unknown = pl.lit(None, pl.Float64)
    paid, sold = parts | {"value": "premium", "low": unknown, "high": unknown}, shown.drop_nulls("premium")
    owned = shown.drop_nulls("share").sort(order, "cell", maintain_order=True)
    return [
        figure(found, ("prices", charts.bars), sold, alt, about, paid, "lineup", unit=bid),
        figure(found, ("owners", charts.forest), owned, of_owners, about, parts, "lineup", unit=won),
    ]
