"""What things are worth: prices, and who wins with them."""

from __future__ import annotations

import polars as pl

from reports.sections.common import (
    PERCENT,
    SHARE,
    TENTH,
    N,
    by_lineup,
    front,
    inches,
    looked_at,
    percent,
    query,
    where,
)
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, Takeaway, table
from simkit.runlog import Run


def ownership_takeaways(run: Run) -> list[Takeaway]:
    """For each lineup looked at: what is bid up most, and whose owners win most."""
    found = looked_at(run, analysis.ownership(run)).filter(pl.col("sold") > 0)
    return [_takeaway(run, rows) for _, rows in found.group_by("cell", maintain_order=True)]


def _takeaway(run: Run, rows: pl.DataFrame) -> Takeaway:
    dearest = rows.sort("premium", descending=True).row(0, named=True)
    strongest = rows.sort("share", descending=True).row(0, named=True)
    setting = f" ({dearest['setting']})" if dearest["setting"] else ""
    text = (
        f"“{dearest['thing'].capitalize()}” is bid up most {analysis.when_played(dearest['lineup'])}{setting}: {dearest['price']:.0f} credits on average "
        f"against a printed {dearest['printed']:.0f}. Seats that end with “{strongest['thing']}” win {percent(strongest['share'])} of their games "
        f"(95 % interval {100 * strongest['low']:.1f} to {100 * strongest['high']:.1f} %, n = {strongest['deals']:,} deals; fair is "
        f"{percent(strongest['fair'])}). Correlational, not causal: who is ahead can afford more."
    )
    return Takeaway(text, query(run, "ownership(run)"))


def ownership_section(run: Run) -> Section:
    """Price above the printed cost, and the share of the wins of owners; a correlation, said so."""
    found = analysis.ownership(run)
    columns = front(found, run) | {
        "thing": Show("upgrade"),
        "sold": Show("sold a game", "{:.2f}"),
        "printed": Show("printed cost", TENTH),
        "price": Show("mean price", TENTH),
        "premium": Show("above it", TENTH, "mean winning bid less the printed cost, credits"),
        "owners": Show("seats owning one", PERCENT),
    }
    columns |= SHARE | {
        "without": Show("share without", PERCENT, "share of the wins of a seat that owns none at the end"),
        "deals": N["deals"],
    }
    text = (
        "What is paid for an upgrade, and how often seats win that own one at the end, against seats that own none. "
        "Correlational: who is ahead can afford more, so a high share does not say that buying the upgrade wins."
    )
    return Section(
        "Upgrades", [text], _pictures(run, found), [table(found, columns, "Price and owners of each upgrade")]
    )


def _pictures(run: Run, found: pl.DataFrame) -> list[Figure]:
    """What is bid above the printed cost, and how often owners win, upgrade by upgrade."""
    shown = looked_at(run, found).with_columns(
        by_lineup(run), pl.col("lineup").alias("kind"), pl.col("thing").alias("label")
    )
    sold = shown.filter(pl.col("premium").is_not_null()).with_columns(pl.col("premium").alias("value"))
    sold = sold.with_columns(pl.lit(None, pl.Float64).alias("low"), pl.lit(None, pl.Float64).alias("high"))
    places = {thing: place for place, thing in enumerate(shown["thing"].unique(maintain_order=True))}
    order = pl.col("thing").replace_strict(places, return_dtype=pl.Int64)
    owned = shown.filter(pl.col("share").is_not_null()).sort(order, "cell", maintain_order=True)
    again = pl.col("label") == pl.col("label").shift(1)
    owned = owned.with_columns(
        pl.when(again.fill_null(False)).then(pl.lit("")).otherwise(pl.col("label")).alias("label")
    )
    lineups = shown["kind"].n_unique()
    return [
        Figure(
            charts.picture(
                "prices",
                charts.bars,
                sold,
                height=inches(sold, lineups),
                unit="Mean winning bid less the printed cost, credits",
            ),
            "What each upgrade is sold for above its printed cost; numbers in the table",
            where(run),
        ),
        Figure(
            charts.picture(
                "owners",
                charts.forest,
                owned,
                height=inches(owned, lineups),
                unit="Share of the games won by seats that own one",
            ),
            "Share of the games won by the owners of each upgrade, with 95 % interval and fair share; numbers in the table",
            where(run),
        ),
    ]
