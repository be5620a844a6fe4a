"""Who is part of a team: how often teams win with each character or the like, and which teams win most.

For co-operative games whose seats table has columns of names.
"""

from collections.abc import Iterator

import polars as pl

from simkit.analysis.deals import (
    MANY,
    Row,
    deal_counts,
    every_pair,
    moments,
    products,
    reals,
    shares,
    sums_of_deals,
    texts,
    whole,
)
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.analysis.table import cells_to_look_at, text
from simkit.stats import ratios
from simkit.stats.deals import share_from_moments

MOST_CREWS = 60  # more different teams than this are too many to tell apart
PARTS = ["won_with", "with", "won_without", "without"]
SCHEMA = whole("cell") | texts("column", "name") | reals("share", "low", "high", "without_share")
SCHEMA |= reals("difference", "difference_low", "difference_high") | whole("games", "deals")
TEAM = " + "


def named_columns(found: Findings) -> dict[str, list[str]]:
    """The columns of names in the seats table of a team, and the names in them in the cells looked at."""
    seats = found.run.seats()
    names = [name for name, kind in seats.collect_schema().items() if not kind.is_numeric()]
    names = [name for name in names if name != "strategy" and seats.collect_schema()[name] != pl.Boolean]
    if not found.run.team or not names:
        return {}
    rows = seats.filter(pl.col("cell").is_in(cells_to_look_at(found.run)))
    held = rows.select(text(name).unique().sort().implode() for name in names).collect(engine="streaming")
    return {name: held[name][0].to_list() for name in names if len(held[name][0]) > 1}


def _looked(found: Findings, block: Block) -> pl.LazyFrame:
    return block.seats.filter(pl.col("cell").is_in(cells_to_look_at(found.run)))


@LOG("cell", "column", "name")
def member_sums(found: Findings, block: Block) -> pl.LazyFrame | None:
    """Over deals: games won and played with a name among the seats, and without it."""
    parts = []
    for column, names in found.kept(named_columns).items():
        has = {f"has{i}": (text(column) == name).any() for i, name in enumerate(names)}
        games = _looked(found, block).group_by("cell", "deal", "play").agg(pl.col("share").first(), **has)
        for i, name in enumerate(names):
            there, won = pl.col(f"has{i}"), pl.col("share")
            counts = (won * there).sum(), there.sum(), (won * ~there).sum(), (~there).sum()
            values = dict(zip(PARTS, (one.cast(pl.Float64) for one in counts), strict=True))
            deals = games.group_by("cell", "deal").agg(rows=MANY, **values)
            named = deals.with_columns(column=pl.lit(column), name=pl.lit(name))
            parts.append(sums_of_deals(named, ["cell", "column", "name"], PARTS, every_pair(PARTS)))
    return pl.concat(parts) if parts else None


@finding
def members(found: Findings) -> pl.DataFrame:
    """Per cell to look at, column of names and name: how often teams win that have it, the best first.

    games, deals: with it; without_share: of the other games of the cell; difference: share − without_share,
    which says nothing where no game or every game was won. Formula and source: `simkit.stats.ratios`.
    """
    sums = member_sums(found)
    if not sums.width:
        return pl.DataFrame()
    rows = [tuple(_member(row)) for row in sums.rows(named=True) if row["with"] > 0]
    table = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    order = ["cell", "column", "share"]
    return found.with_cells(table.sort(order, descending=[False, False, True], maintain_order=True))


def _member(row: Row) -> Iterator[object]:
    deals, of_all = row["deals"], products(row, PARTS)
    sums = row["won_with"], row["with"], of_all[0, 0], of_all[0, 1], of_all[1, 1]
    with_it = ratios.ratio_from_sums(*sums, deals)
    games, n = round(row["with"]), round(row["with"] * deals / row["rows"])
    variance = with_it.variance * n / deals  # of as many deals as have it
    yield from (row["cell"], row["column"], row["name"])
    yield from share_from_moments(with_it.ratio, variance, n, games)[:3]
    if row["without"] > 0 and 0 < row["won_with"] + row["won_without"] < row["rows"]:
        yield row["won_without"] / row["without"]
        yield from ratios.ratio_difference([row[name] for name in PARTS], of_all, deals)[:3]
    else:
        yield from [None] * 4
    yield from (games, n)


@LOG("cell", "column", "crew", "value")
def crew_counts(found: Findings, block: Block) -> pl.LazyFrame | None:
    parts = []
    for column in found.kept(named_columns):
        together = text(column).sort().str.join(TEAM)
        games = (
            _looked(found, block).group_by("cell", "deal", "play").agg(pl.col("share").first(), crew=together)
        )
        counts = deal_counts(games, ["cell", "crew"], pl.col("share").mean())
        parts.append(counts.with_columns(column=pl.lit(column)))
    return pl.concat(parts) if parts else None


@finding
def crews(found: Findings) -> pl.DataFrame:
    """Per cell to look at and column of names: how often each team of names wins, the best first.

    Cells with more than MOST_CREWS different teams are left out.
    """
    counts = crew_counts(found)
    if not counts.width:
        return pl.DataFrame()
    table = shares(moments(counts, ["cell", "column", "crew"], often=False))
    few = table.filter(pl.len().over("cell", "column").is_between(2, MOST_CREWS))
    order = ["cell", "column", "share"]
    return found.with_cells(few.sort(order, descending=[False, False, True], maintain_order=True))
