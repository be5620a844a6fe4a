"""Members of teams: win rate of teams with each character or the like, and of each combination.

For co-operative games whose seats table has columns of names.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from simkit.analysis.deals import (
    COUNT,
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
from simkit.stats.comparisons import holm, interval_p_value
from simkit.stats.deals import Share, difference_of_shares, share_from_moments

MOST_CREWS = 60  # different teams per cell; more are too many to distinguish
LEAST_DEALS = 30  # teams with fewer deals are left out
PARTS = ["won_with", "with", "won_without", "without"]
SCHEMA = whole("cell") | texts("column", "name") | reals("share", "low", "high", "without_share")
ENDS = ["difference", "difference_low", "difference_high"]
SCHEMA |= reals(*ENDS) | whole("games", "deals")
TEAM = " + "


def named_columns(findings: Findings) -> dict[str, list[str]]:
    """Return a team's columns of names in the seats table, and their names in the cells to look at."""
    seats = findings.run.seats()
    names = [name for name in columns_of_names(seats) if name != "strategy"] if findings.run.team else []
    if not names:
        return {}
    rows = seats.filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))
    held = rows.select(text(name).unique().sort().implode() for name in names).collect(engine="streaming")
    return {name: held[name][0].to_list() for name in names if len(held[name][0]) > 1}


def _looked(findings: Findings, block: Block) -> pl.LazyFrame:
    return block.seats.filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))


def _counts(has_name: pl.Expr, in_rotation: pl.Expr) -> Iterator[pl.Expr]:
    """Yield the expressions of PARTS for the games of a rotation."""
    for games in (has_name & in_rotation, ~has_name & in_rotation):
        yield from ((pl.col("share") * games).sum(), games.sum())


def _turns(findings: Findings) -> int:
    """Return the greatest number of rotations of a cell."""
    return max(cell.rotations for cell in findings.run.cells)


def _parts(turn: int) -> list[str]:
    """Return the names of PARTS for a rotation."""
    return [f"{part} {turn}" for part in PARTS]


@LOG("cell", "column", "name")
def member_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals, by rotation, the games won and played with a name among the seats, and without it."""
    parts, turns = [], range(_turns(findings))
    every = [name for turn in turns for name in _parts(turn)]
    for column, names in findings.cached(named_columns).items():
        has = {f"has{i}": (text(column) == name).any() for i, name in enumerate(names)}
        game = _looked(findings, block).group_by("cell", "deal", "play")
        games = game.agg(pl.col("share", "rotation").first(), **has)
        for i, name in enumerate(names):
            has_name = pl.col(f"has{i}")
            counts = [count for turn in turns for count in _counts(has_name, pl.col("rotation") == turn)]
            values = dict(zip(every, (count.cast(pl.Float64) for count in counts), strict=True))
            deals = games.group_by("cell", "deal").agg(rows=COUNT, **values)
            named = deals.with_columns(column=pl.lit(column), name=pl.lit(name))
            parts.append(sums_of_deals(named, ["cell", "column", "name"], every, every_pair(every)))
    return pl.concat(parts) if parts else None


@finding
def members(findings: Findings) -> pl.DataFrame:
    """Per cell to look at, column of names and name: win share of the teams that include it, best first.

    games, deals: with the name; without_share: win share of the other games of the cell; difference:
    share − without_share (`simkit.stats.deals.difference_of_shares`), null where no game or every game was
    won; p_adjusted: Holm's adjustment over all rows. Where strategies change seats, both shares are
    Σ w_r p_r / Σ w_r over the rotations r, with p_r the win share of the n₁ games with the name or of the n₀
    without, w_r = n₁n₀/(n₁ + n₀) (Mantel-Haenszel, see `simkit.analysis.within`), so that the seating is the
    same on both sides.
    """
    sums = member_sums(findings)
    if not sums.width:
        return pl.DataFrame()
    turns = range(_turns(findings))
    rows = [row for row in sums.rows(named=True) if any(row[f"with {turn}"] for turn in turns)]
    members = [tuple(_member(row, turns)) for row in rows]
    table = pl.DataFrame(members, schema=SCHEMA, orient="row")
    order = ["cell", "column", "share"]
    ordered = table.sort(order, descending=[False, False, True], maintain_order=True)
    tested = ordered.filter(pl.col("difference").is_not_null())
    chances = [interval_p_value(*ends) for ends in tested.select(ENDS).iter_rows()]
    adjusted = tested.select("cell", "column", "name", p_adjusted=pl.Series(holm(chances), dtype=pl.Float64))
    key = ["cell", "column", "name"]
    return findings.with_cells(ordered.join(adjusted, on=key, how="left", maintain_order="left"))


def _member(row: Row, turns: range) -> Iterator[object]:
    """Yield the values of one row of `members`."""
    won, played, won_without, without = np.array([[row[name] for name in _parts(turn)] for turn in turns]).T
    varied = 0 < won.sum() + won_without.sum() < row["rows"]
    compared = varied and bool((played * without).any())
    weights = played * without / (played + without).clip(1) if compared else played
    share_with, share_without = (
        _share(row, *names, weights) for names in (("won_with", "with"), ("won_without", "without"))
    )
    yield from (row["cell"], row["column"], row["name"], *share_with[:3])
    yield share_without.share if compared else None
    yield from difference_of_shares(share_with, share_without)[:3] if compared else [None] * 3
    yield from (share_with.games, share_with.deals)


def _share(row: Row, won: str, played: str, weights: np.ndarray) -> Share:
    """Return the win share of some games of a cell, with weighted rotations; [0, 1] if there are no games."""
    turns = range(len(weights))
    y, n = (np.array([row[f"{name} {turn}"] for turn in turns]) for name in (won, played))
    games = round(n.sum())
    if not games or not (weights * n).any():
        return Share(0.0, 0.0, 1.0, 0, 0, 0.0)
    part, deals = np.where(n > 0, weights, 0) / weights[n > 0].sum(), row["deals"]
    shares = y / n.clip(1)
    names = [f"{name} {turn}" for name in (won, played) for turn in turns]
    away = deals * np.concatenate([part / n.clip(1), -part * shares / n.clip(1)])
    variance = float(away @ products(row, names) @ away) / max(1, deals - 1)
    having = max(1, round(games * deals / row["rows"]))  # deals with such games
    return share_from_moments(float(part @ shares), max(0.0, variance) * having / deals, having, games)


@LOG("cell", "column", "crew", "value")
def crew_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the deals by cell, column of names, team of names and win share."""
    parts = []
    for column in findings.cached(named_columns):
        together = text(column).sort().str.join(TEAM)
        games = (
            _looked(findings, block)
            .group_by("cell", "deal", "play")
            .agg(pl.col("share").first(), crew=together)
        )
        counts = deal_counts(games, ["cell", "crew"], pl.col("share").mean())
        parts.append(counts.with_columns(column=pl.lit(column)))
    return pl.concat(parts) if parts else None


@finding
def crews(findings: Findings) -> pl.DataFrame:
    """Per cell to look at and column of names: win share of each team of names, best first.

    Teams with fewer than LEAST_DEALS deals are left out, and cells with more than MOST_CREWS different teams.
    All rotations are pooled: a team that occurs with some seatings only is not separated from these seatings.
    """
    counts = crew_counts(findings)
    if not counts.width:
        return pl.DataFrame()
    table = shares(moments(counts, ["cell", "column", "crew"], often=False))
    teams = table.filter(pl.len().over("cell", "column").is_between(2, MOST_CREWS))
    teams = teams.filter(pl.col("deals") >= LEAST_DEALS)
    order = ["cell", "column", "share"]
    return findings.with_cells(teams.sort(order, descending=[False, False, True], maintain_order=True))
