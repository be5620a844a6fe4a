"""Members of teams: win rate of teams with each character or the like.

For co-operative games whose seats table has columns of names.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

from simkit.analysis.deals import SumsRow, deal_sums, every_pair, products, reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.matched import DIFFERENCE_ENDS
from simkit.analysis.reading import LOG, Block, looked_at
from simkit.analysis.table import columns_of_names, text
from simkit.stats.comparisons import holm, interval_p_value
from simkit.stats.deals import Share, difference_of_shares, share_from_moments

MEMBERS_SCHEMA = whole("cell") | texts("column", "name") | reals("share", "low", "high", "without_share")
MEMBERS_SCHEMA |= reals(*DIFFERENCE_ENDS) | whole("games", "deals")


def member_columns(findings: Findings) -> dict[str, list[str]]:
    """Return a team's columns of names in the seats table, and their names in the cells to look at."""
    seats = findings.run.seats()
    names = [name for name in columns_of_names(seats) if name != "strategy"] if findings.run.team else []
    if not names:
        return {}
    rows = looked_at(findings, seats)
    held = rows.select(text(name).unique().sort().implode() for name in names).collect(engine="streaming")
    return {name: held[name][0].to_list() for name in names if len(held[name][0]) > 1}


def _turns(findings: Findings) -> range:
    """Return the rotations of the cell with most of them."""
    return range(max(cell.rotations for cell in findings.run.cells))


@LOG("cell", "column", "name")
def member_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals, by rotation, the games won and played with a name among the seats, and without it."""
    values, parts = dict[str, pl.Expr](), []
    for turn in _turns(findings):
        for side, has in (("with", pl.col("has")), ("without", ~pl.col("has"))):
            own = has & (pl.col("rotation") == turn)
            values |= {f"won {side} {turn}": (pl.col("share") * own).sum(), f"{side} {turn}": own.sum()}
    for column, names in findings.cached(member_columns).items():
        game = looked_at(findings, block.seats).group_by("cell", "deal", "play")
        games = game.agg(pl.col("share", "rotation").first(), names=text(column))
        for name in names:
            rows = games.with_columns(has=pl.col("names").list.contains(name))
            sums = deal_sums(rows, ["cell"], values, every_pair(list(values)))
            parts.append(sums.with_columns(column=pl.lit(column), name=pl.lit(name)))
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
    turns, key = _turns(findings), ["cell", "column", "name"]
    rows = [row for row in sums.rows(named=True) if any(row[f"with {turn}"] for turn in turns)]
    table = pl.DataFrame([tuple(_member(row, turns)) for row in rows], schema=MEMBERS_SCHEMA, orient="row")
    tested = table.filter(pl.col("difference").is_not_null())
    chances = [interval_p_value(*ends) for ends in tested.select(DIFFERENCE_ENDS).iter_rows()]
    adjusted = tested.select(*key, p_adjusted=pl.Series(holm(chances), dtype=pl.Float64))
    return _best_first(findings, table.join(adjusted, on=key, how="left", maintain_order="left"))


def _best_first(findings: Findings, table: pl.DataFrame) -> pl.DataFrame:
    order = ["cell", "column", "share"]
    return findings.with_cells(table.sort(order, descending=[False, False, True], maintain_order=True))


def _member(row: SumsRow, turns: range) -> Iterator[object]:
    """Yield the values of one row of `members`."""
    parts = ("won with", "with", "won without", "without")
    won, played, won_without, without = np.array(
        [[row[f"{part} {turn}"] for turn in turns] for part in parts]
    )
    varied = 0 < won.sum() + won_without.sum() < row["rows"]
    compared = varied and bool((played * without).any())
    weights = played * without / (played + without).clip(1) if compared else played
    share_with, share_without = (_share(row, side, weights) for side in ("with", "without"))
    yield from (row["cell"], row["column"], row["name"], *share_with[:3])
    yield share_without.share if compared else None
    yield from difference_of_shares(share_with, share_without)[:3] if compared else [None] * 3
    yield from (share_with.games, share_with.deals)


def _share(row: SumsRow, side: str, weights: np.ndarray) -> Share:
    """Return the win share of some games of a cell, with weighted rotations; [0, 1] if there are no games."""
    turns = range(len(weights))
    names = [f"{name}{side} {turn}" for name in ("won ", "") for turn in turns]
    y, n = np.array([row[name] for name in names]).reshape(2, -1)
    games = round(n.sum())
    if not games or not (weights * n).any():
        return Share(0.0, 0.0, 1.0, 0, 0, 0.0)
    part, deals = np.where(n > 0, weights, 0) / weights[n > 0].sum(), row["deals"]
    shares = y / n.clip(1)
    away = deals * np.concatenate([part / n.clip(1), -part * shares / n.clip(1)])
    variance = float(away @ products(row, names) @ away) / max(1, deals - 1)
    having = max(1, round(games * deals / row["rows"]))  # deals with such games
    return share_from_moments(float(part @ shares), max(0.0, variance) * having / deals, having, games)
