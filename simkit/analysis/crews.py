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
from simkit.analysis.table import cells_to_look_at, columns_of_names, text
from simkit.stats import ratios
from simkit.stats.comparisons import holm, interval_p_value
from simkit.stats.deals import Share, difference_of_shares, share_from_moments

MOST_CREWS = 60  # more different teams than this are too many to tell apart
LEAST_DEALS = 30  # a team that was dealt less often says nothing
PARTS = ["won_with", "with", "won_without", "without"]
SCHEMA = whole("cell") | texts("column", "name") | reals("share", "low", "high", "without_share")
ENDS = ["difference", "difference_low", "difference_high"]
SCHEMA |= reals(*ENDS) | whole("games", "deals")
TEAM = " + "


def named_columns(found: Findings) -> dict[str, list[str]]:
    """The columns of names in the seats table of a team, and the names in them in the cells looked at."""
    seats = found.run.seats()
    names = [name for name in columns_of_names(seats) if name != "strategy"] if found.run.team else []
    if not names:
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

    games, deals: with it; without_share: of the other games of the cell; difference: share − without_share
    (`simkit.stats.deals.difference_of_shares`), null where no game or every game was won; p_adjusted: Holm's,
    over all rows.
    """
    sums = member_sums(found)
    if not sums.width:
        return pl.DataFrame()
    rows = [tuple(_member(row)) for row in sums.rows(named=True) if row["with"] > 0]
    table = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    order = ["cell", "column", "share"]
    ordered = table.sort(order, descending=[False, False, True], maintain_order=True)
    known = ordered.filter(pl.col("difference").is_not_null())
    chances = [interval_p_value(*ends) for ends in known.select(ENDS).iter_rows()]
    adjusted = known.select("cell", "column", "name", p_adjusted=pl.Series(holm(chances), dtype=pl.Float64))
    key = ["cell", "column", "name"]
    return found.with_cells(ordered.join(adjusted, on=key, how="left", maintain_order="left"))


def _member(row: Row) -> Iterator[object]:
    with_it, without = _share(row, "won_with", "with"), _share(row, "won_without", "without")
    yield from (row["cell"], row["column"], row["name"], *with_it[:3])
    both = row["without"] > 0 and 0 < row["won_with"] + row["won_without"] < row["rows"]
    yield without.share if both else None
    yield from difference_of_shares(with_it, without)[:3] if both else [None] * 3
    yield from (with_it.games, with_it.deals)


def _share(row: Row, won: str, played: str) -> Share:
    """The share of some of the games of a cell; nothing is known of none."""
    games = round(row[played])
    if not games:
        return Share(0.0, 0.0, 1.0, 0, 0, 0.0)
    both, deals = products(row, [won, played]), row["deals"]
    found = ratios.ratio_from_sums(row[won], row[played], both[0, 0], both[0, 1], both[1, 1], deals)
    some = max(1, round(games * deals / row["rows"]))  # deals that have it
    return share_from_moments(found.ratio, found.variance * some / deals, some, games)


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

    Teams of fewer than LEAST_DEALS deals are left out, and cells with more than MOST_CREWS different teams.
    """
    counts = crew_counts(found)
    if not counts.width:
        return pl.DataFrame()
    table = shares(moments(counts, ["cell", "column", "crew"], often=False))
    few = table.filter(pl.len().over("cell", "column").is_between(2, MOST_CREWS))
    few = few.filter(pl.col("deals") >= LEAST_DEALS)
    order = ["cell", "column", "share"]
    return found.with_cells(few.sort(order, descending=[False, False, True], maintain_order=True))
