"""Upgrades sold and owned: prices above the printed cost, and wins of their owners."""

import polars as pl

from simkit.errors import UsageError
from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    Show,
    charts,
    figure,
    looked_at,
    prose,
    table,
    where,
)
from simkit.reporting.text.upgrades import bid_up_most, upgrades

TEXT = prose("""What is paid for an upgrade, and how often seats win that own one at the end, against seats
    of the same place and strategy that own none. Correlational: who is ahead can afford more, so a great
    difference does not say that buying the upgrade wins; at equal standing it is compared among the
    purchases, where games are traced. """)
OVER = Show("above printed cost", "{:+.0%}", "mean winning bid above the printed cost")
SOLD_OF = Show("sold of offered", "{:.0%}", "copies sold of those that came on offer, in traced games")


def section(findings: Findings) -> Section:
    """Return prices and owners of each upgrade."""
    ownership = findings.ownership
    if ownership.is_empty():
        needed = "the report needs columns sold_X, price_X, printed_X and own_X"
        raise UsageError(f"{findings.run.experiment.game} does not log sales and owners: {needed}")
    ownership, offered = _with_offered(findings, ownership)
    names = f"cell thing sold {offered} printed price over owners difference difference_low "
    names += "difference_high deals"
    heads = {"over": OVER, "used": SOLD_OF, "difference": "adjusted difference"}
    listed = table(findings, ownership, names, "Price and owners of each upgrade", **heads)
    sentences = [sentence.text for sentence in upgrades(findings)]
    return Section(bid_up_most(findings), [*sentences, TEXT], _pictures(findings, ownership), [listed])


def _with_offered(findings: Findings, ownership: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """Return the table with `used`, the share of copies offered that were sold, where traced."""
    if not findings.pieces.width:
        return ownership, ""
    used = findings.pieces.select(pl.col("cell").cast(ownership.schema["cell"]), "used", thing="piece")
    return ownership.join(used, on=["cell", "thing"], how="left", maintain_order="left"), "used"


def _pictures(findings: Findings, ownership: pl.DataFrame) -> list[Figure]:
    shown, parts = looked_at(findings, ownership), {"label": "thing", "kind": "lineup"}
    places = {thing: place for place, thing in enumerate(shown["thing"].unique(maintain_order=True))}
    order = pl.col("thing").replace_strict(places, return_dtype=pl.Int64)
    alt, about = "What each upgrade is sold for above its printed cost", where(findings)
    of_owners = "By how much owners of each upgrade win more often than others, with 95 % interval"
    bid = "Mean winning bid above the printed cost"
    won = "Games won more than by the same seats without one, of 100"
    gains = {"value": "difference", "low": "difference_low", "high": "difference_high"}
    gained = parts | {end: 100 * pl.col(name) for end, name in gains.items()}
    paid, sold = parts | {"value": "over"}, shown.drop_nulls("over")
    owned = shown.drop_nulls("difference").sort(order, "cell", maintain_order=True)
    return [
        figure(
            findings, ("prices", charts.forest), sold, alt, about, paid, "lineup", unit=bid, form="{:+.0%}"
        ),
        figure(
            findings,
            ("owners", charts.forest),
            owned,
            of_owners,
            about,
            gained,
            "lineup",
            unit=won,
            form="{:+.1f}",
        ),
    ]
