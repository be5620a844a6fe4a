"""Worth of things that are sold and owned: price against printed cost, and win rate of their owners.

For games that log sold_KIND, price_KIND, printed_KIND (totals of a game) and own_KIND (of a seat at the end).
"""

import polars as pl

from simkit.analysis.deals import COUNT
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import OWN, Block
from simkit.analysis.within import CELL_COLUMN, Divided

SALES = ("sold", "price", "printed")
FRONT = ["cell", "sold", "price", "printed", "premium", "over", "owners", "deals", "difference"]
FRONT += ["difference_low", "difference_high"]


def things(findings: Findings) -> list[str]:
    """Return the kinds of things whose sales and owners are logged, in the order of the log."""
    games, seats = findings.run.games().collect_schema(), findings.run.seats().collect_schema()
    kinds = [name.removeprefix("own_") for name in seats if name.startswith("own_")]
    return [kind for kind in kinds if all(f"{part}_{kind}" in games for part in SALES)]


@OWN("cell", "column")
def sales(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum games, and per kind the number sold, their prices and their printed costs."""
    parts, games = [], block.games.group_by("cell")
    for kind in findings.cached(things):
        sums = {part: pl.col(f"{part}_{kind}").cast(pl.Float64).sum() for part in SALES}
        parts.append(games.agg(games=COUNT, column=pl.lit(f"own_{kind}"), **sums))
    return pl.concat(parts) if parts else None


@Divided
def owners(findings: Findings) -> pl.DataFrame:
    """Split points that separate seats with at least one thing from seats with none."""
    names = pl.DataFrame({"column": [f"own_{kind}" for kind in findings.cached(things)]})
    every = findings.cells.select("cell").join(names, how="cross")
    return every.with_columns(low=pl.lit(0.0), high=pl.lit(1.0))


@finding
def ownership(findings: Findings) -> pl.DataFrame:
    """Per cell and kind of thing: number sold per game, price and printed cost, win share of owners.

    premium: price less printed; over: premium / printed; owners: share of the seats that own one;
    difference: share won by owners less that won by seats of the same place and strategy that own none.
    Formula and source: `simkit.analysis.within`. Correlational, not causal.
    """
    names = [f"own_{kind}" for kind in findings.cached(things)]
    if not names:
        return pl.DataFrame()
    own = pl.col("n").filter(pl.col("side") == 1).sum() / pl.col("n").sum()
    owner_shares = owners.totals(findings).group_by(CELL_COLUMN).agg(owners=own)
    sold, price, printed = (pl.col(part) for part in SALES)
    each = {name: pl.when(sold > 0).then(pl.col(name) / sold) for name in ("price", "printed")}
    table = sales(findings).with_columns(sold / pl.col("games"), **each)
    table = table.with_columns(premium=price - printed, over=price / printed - 1)
    table = table.join(owner_shares, on=CELL_COLUMN).join(
        owners.compared(findings), on=CELL_COLUMN, how="left"
    )
    ordered = table.sort("cell", pl.col("column").cast(pl.Enum(names)))
    thing = pl.col("column").str.strip_prefix("own_").str.replace_all("_", " ")
    return findings.with_cells(ordered.select(*FRONT, thing=thing))
