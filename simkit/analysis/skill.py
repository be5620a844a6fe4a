"""Skill against luck: how far strategies differ, how often the better is ahead, the seats by strength."""

import math
from typing import Any

import polars as pl

from simkit.analysis.deals import MANY, deal_counts, moments, reals, shares, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.ratings import AGAIN
from simkit.analysis.reading import LOG, Block
from simkit.analysis.strategies import Groups, by_table, grouped, mixed
from simkit.analysis.table import setting_words
from simkit.experiment import Cell
from simkit.stats.quantiles import normal

STEP = 0.6  # the share that makes one step of the ladder
LAST = 1000  # the place of those that lost to the game, who have rank 0
LADDER = texts("setting") | whole("seats") | texts("best", "worst") | reals("span", "low", "high")
LADDER |= reals("steps", "steps_low", "steps_high") | whole(
    "rungs", "rungs_low", "rungs_high", "games", "deals"
)


def elo_of(share: float) -> float:
    """Elo points between two of whom one is ahead with this share: 400 log10(share / (1 − share)).

    >>> round(elo_of(0.6), 1)
    70.4
    """
    return 400 * math.log10(share / (1 - share))


def share_of(elo: float) -> float:
    """The share with which one who rates so many Elo points higher is ahead of the other.

    >>> share_of(0.0), round(share_of(elo_of(0.6)), 3)
    (0.5, 0.6)
    """
    return 1 / (1 + 10 ** (-elo / 400))


@finding
def ladder(found: Findings) -> pl.DataFrame:
    """Per setting and number of seats: how many steps of 60:40 lie between the worst and the best strategy.

    Columns: setting, seats, best, worst, span (Elo), low, high, steps, steps_low, steps_high, rungs,
    rungs_low, rungs_high, games, deals. span: the greatest less the least rating; its interval adds the half
    widths of both, widened for the best and worst being picked (Bonferroni over all pairs of strategies).
    steps: span in units of 60:40 (70.4 Elo). rungs: strategies of which each rates a whole step above the
    next, counted from the best down; rungs_low, rungs_high: the same if all pairs lie as close, or as far
    apart, as their joint intervals allow. Settings without ratings are left out.
    """
    known = found.ratings.filter((pl.col("kind") == "strategy") & pl.col("elo").is_not_null())
    rows = [_span(part) for part in known.partition_by("setting", "seats", maintain_order=True)]
    return pl.DataFrame(rows, schema=LADDER, orient="row")


def _span(part: pl.DataFrame) -> tuple[Any, ...]:
    ordered = part.sort("elo", descending=True, maintain_order=True)
    best, worst = ordered.row(0, named=True), ordered.row(-1, named=True)
    pairs = math.comb(ordered.height, 2)
    halves = ((ordered["high"] - ordered["low"]) / 2 * normal(1 - 0.05 / pairs) / normal(0.95)).to_list()
    span, half = best["elo"] - worst["elo"], halves[0] + halves[-1]
    ends = (span, max(0.0, span - half), span + half)
    rungs = [_rungs(ordered["elo"].to_list(), halves, way) for way in (0, -1, 1)]
    front, steps = (
        (best["setting"], best["seats"], best["name"], worst["name"]),
        [x / elo_of(STEP) for x in ends],
    )
    return *front, *ends, *steps, *rungs, best["games"], best["deals"]


def _rungs(ratings_down: list[float], halves: list[float], way: int = 0) -> int:
    """The most strategies each a step below the last; way −1, 1: pairs nearer, farther by their halves.

    >>> _rungs([100.0, 90.0, 20.0, -40.0, -200.0], [5.0] * 5), _rungs([100.0, 25.0, -200.0], [5.0] * 3, -1)
    (3, 2)
    """
    longest: list[int] = []  # that ends with this strategy
    for i, elo in enumerate(ratings_down):
        gaps = [ratings_down[j] - elo + way * (halves[j] + halves[i]) for j in range(i)]
        longest.append(1 + max((longest[j] for j in range(i) if gaps[j] >= elo_of(STEP)), default=0))
    return max(longest)


def _fairly_seated(found: Findings) -> Groups:
    """The cells that were rotated, by setting and number of seats."""
    return by_table([cell for cell in mixed(found) if cell.rotations == cell.seats])


@LOG("group", "strategy", "odd")
def strength_sums(found: Findings, block: Block) -> pl.LazyFrame | None:
    """Shares of the win, and games, on even and odd deals."""
    if not (groups := _fairly_seated(found)):
        return None
    rows = grouped(block.seats, groups).with_columns(odd=pl.col("deal") % 2)
    return rows.group_by("group", "strategy", "odd").agg(won=pl.col("share").sum(), many=MANY)


@AGAIN("group", "value")
def ahead_counts(found: Findings, block: Block) -> pl.LazyFrame | None:
    """How many deals had which share of pairs in which the stronger strategy finished ahead."""
    if not (groups := _fairly_seated(found)):
        return None
    known, strength = strength_sums(found).lazy(), pl.col("won") / pl.col("many")
    strengths = known.select("group", "strategy", odd=1 - pl.col("odd"), strength=strength)
    return deal_counts(_pairs(grouped(block.seats, groups), strengths), ["group"], pl.col("ahead").mean())


def _pairs(rows: pl.LazyFrame, strengths: pl.LazyFrame) -> pl.LazyFrame:
    """One row per game and two strategies: whether the stronger finished ahead (1, 1/2 or 0)."""
    place, key = (
        pl.when(pl.col("rank") > 0).then(pl.col("rank")).otherwise(LAST),
        ["group", "cell", "deal", "rotation"],
    )
    one = rows.with_columns(odd=pl.col("deal") % 2, place=place)
    one = one.join(strengths, on=["group", "strategy", "odd"], how="left").fill_null(0)
    one = one.select(*key, "seat", "strategy", "place", "strength")
    later, other = pl.col("seat") < pl.col("seat_right"), pl.col("strategy") != pl.col("strategy_right")
    before = (pl.col("place_right") - pl.col("place")).sign()
    ahead = (before * (pl.col("strength") - pl.col("strength_right")).sign() + 1) / 2
    return one.join(one, on=key).filter(later & other).select("group", "deal", ahead=ahead)


@finding
def favourites(found: Findings) -> pl.DataFrame:
    """Per setting and number of seats: how often the stronger of two strategies finishes ahead (a tie: half).

    Columns: setting, seats, pairs (of strategies), games, deals, share, low, high. Which of two is the
    stronger is judged by its share of wins on the deals of other parity (even for odd, odd for even), so that
    a strategy lucky on a deal is not called strong for it. Every game counts alike. Lineups that were not
    rotated are left out: there a seat could pass for strength.
    """
    if not (groups := _fairly_seated(found)):
        return pl.DataFrame()
    known = moments(ahead_counts(found), ["group"])
    front = pl.DataFrame([_table(groups[group]) for group in known["group"]])
    return front.drop("games").hstack(shares(known.with_columns(front["games"])).drop("group"))


def _table(cells: list[Cell]) -> dict[str, Any]:
    """Setting, seats, pairs of strategies and games of some cells."""
    met = {frozenset((a, b)) for cell in cells for a in cell.labels for b in cell.labels if a != b}
    front = {"setting": setting_words(cells[0].varied), "seats": cells[0].seats}
    return front | {"pairs": len(met), "games": sum(cell.plays for cell in cells)}


@finding
def mirrors(found: Findings) -> pl.DataFrame:
    """The first seat where one strategy sits in every seat, the strongest first.

    elo: the rating of the strategy among those that met (not of the seat), null where it was not rated.
    """
    first = found.first_player_advantage.drop("elo", "elo_low", "elo_high")
    same = [(cell.index, cell.labels[0]) for cell in found.run.cells if len(set(cell.labels)) == 1]
    names = pl.DataFrame(same, schema={"cell": first.schema["cell"], "strategy": pl.String}, orient="row")
    rated = found.ratings.filter(kind="strategy").select(
        "setting", pl.col("seats").cast(first.schema["seats"]), "elo", strategy="name"
    )
    alone = first.join(names, on="cell", maintain_order="left")
    table = alone.join(rated, on=["setting", "seats", "strategy"], how="left", maintain_order="left")
    return table.sort("setting", "seats", -pl.col("elo"), nulls_last=True, maintain_order=True)
