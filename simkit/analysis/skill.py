"""Skill against luck: spread of strategies, how often the stronger finishes ahead, mirrors by strength."""

import math
from itertools import combinations
from typing import Any

import polars as pl

from simkit.analysis.deals import COUNT, deal_counts, marked, moments, reals, shares, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.ratings import SECOND_LOG
from simkit.analysis.reading import LOG, Block
from simkit.analysis.strategies import Groups, by_table, grouped, mixed
from simkit.analysis.table import setting_words
from simkit.stats.quantiles import normal
from simkit.stats.sprt import elo_of_score

STEP = elo_of_score(0.6)  # Elo difference of one step of the ladder
LAST = 1000  # place of seats that lost to the game, whose rank is 0
LADDER = texts("setting") | whole("seats") | texts("best", "worst")
LADDER |= reals("span", "low", "high", "steps", "steps_low", "steps_high")
LADDER |= whole("rungs", "rungs_low", "rungs_high", "games", "deals")


@finding
def ladder(findings: Findings) -> pl.DataFrame:
    """Per setting and number of seats: number of 60:40 steps between the worst and the best strategy.

    span: the greatest less the smallest rating (Elo); its interval adds the half widths of both, widened for
    their selection (Bonferroni over all pairs). steps: span in units of 60:40 (70.4 Elo). rungs: greatest
    number of strategies that each rate a whole step above the next; rungs_low, rungs_high: as the joint
    intervals allow.
    """
    rated = findings.ratings.filter((pl.col("kind") == "strategy") & pl.col("elo").is_not_null())
    rows = [_span(part) for part in rated.partition_by("setting", "seats", maintain_order=True)]
    return marked(pl.DataFrame(rows, schema=LADDER, orient="row"), findings.always)


def _span(part: pl.DataFrame) -> tuple[Any, ...]:
    ordered = part.sort("elo", descending=True, maintain_order=True)
    best, worst = ordered.row(0, named=True), ordered.row(-1, named=True)
    pairs = math.comb(ordered.height, 2)
    halves = ((ordered["high"] - ordered["low"]) / 2 * normal(1 - 0.05 / pairs) / normal(0.95)).to_list()
    span, half = best["elo"] - worst["elo"], halves[0] + halves[-1]
    ends = (span, max(0.0, span - half), span + half)
    rungs = [_rungs(ordered["elo"].to_list(), halves, way) for way in (0, -1, 1)]
    front = best["setting"], best["seats"], best["name"], worst["name"]
    return *front, *ends, *(end / STEP for end in ends), *rungs, best["games"], best["deals"]


def _rungs(ratings_down: list[float], halves: list[float], way: int = 0) -> int:
    """Return the greatest number of strategies each a step below the last.

    way −1, 1: differences reduced, increased by the half widths.

    >>> _rungs([100.0, 90.0, 20.0, -40.0, -200.0], [5.0] * 5), _rungs([100.0, 25.0, -200.0], [5.0] * 3, -1)
    (3, 2)
    """
    longest: list[int] = []  # length of the longest ladder that ends with each strategy
    for i, elo in enumerate(ratings_down):
        gaps = [ratings_down[j] - elo + way * (halves[j] + halves[i]) for j in range(i)]
        longest.append(1 + max((longest[j] for j in range(i) if gaps[j] >= STEP), default=0))
    return max(longest)


def _fairly_seated(findings: Findings) -> Groups:
    """Return the groups of cells in which all strategies sat in all seats."""
    return by_table([cell for cell in mixed(findings) if cell.rotations == cell.seats])


@LOG("group", "strategy", "odd")
def strength_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum the shares won by each strategy, separately over odd and even deals."""
    if not (groups := _fairly_seated(findings)):
        return None
    rows = grouped(block.seats, groups).with_columns(odd=pl.col("deal") % 2)
    return rows.group_by("group", "strategy", "odd").agg(won=pl.col("share").sum(), games=COUNT)


@SECOND_LOG("group", "value")
def ahead_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the deals by share of pairs in which the stronger strategy finished ahead."""
    if not (groups := _fairly_seated(findings)):
        return None
    sums, strength = strength_sums(findings).lazy(), pl.col("won") / pl.col("games")
    strengths = sums.select("group", "strategy", odd=1 - pl.col("odd"), strength=strength)
    return deal_counts(
        _strategy_pairs(grouped(block.seats, groups), strengths), ["group"], pl.col("ahead").mean()
    )


def _strategy_pairs(rows: pl.LazyFrame, strengths: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per game and pair of strategies: whether the stronger finished ahead (1, 1/2 or 0)."""
    key = ["group", "cell", "deal", "rotation"]
    place = pl.when(pl.col("rank") > 0).then(pl.col("rank")).otherwise(LAST)
    seats = rows.with_columns(odd=pl.col("deal") % 2, place=place)
    seats = seats.join(strengths, on=["group", "strategy", "odd"], how="left").fill_null(0)
    seats = seats.select(*key, "seat", "strategy", "place", "strength")
    later, other = pl.col("seat") < pl.col("seat_right"), pl.col("strategy") != pl.col("strategy_right")
    before = (pl.col("place_right") - pl.col("place")).sign()
    ahead = (before * (pl.col("strength") - pl.col("strength_right")).sign() + 1) / 2
    return seats.join(seats, on=key).filter(later & other).select("group", "deal", ahead=ahead)


@finding
def favourites(findings: Findings) -> pl.DataFrame:
    """Per setting and number of seats: how often the stronger of two strategies finishes ahead (ties: half).

    pairs: of strategies. The stronger strategy has the greater win share on the deals of opposite parity
    (even for odd, odd for even), so that luck on a deal does not count as strength. Lineups without rotation
    are left out.
    """
    if not (groups := _fairly_seated(findings)):
        return pl.DataFrame()
    deal_moments = moments(ahead_counts(findings), ["group"])
    each = [groups[group] for group in deal_moments["group"]]
    games = pl.Series("games", [sum(cell.plays for cell in cells) for cells in each])
    front = []
    for cells in each:
        met = {frozenset(pair) for cell in cells for pair in combinations(set(cell.labels), 2)}
        front.append((setting_words(cells[0].varied), cells[0].seats, len(met)))
    table = pl.DataFrame(front, schema=["setting", "seats", "pairs"], orient="row")
    return table.hstack(shares(deal_moments.with_columns(games)).drop("group"))


@finding
def mirrors(findings: Findings) -> pl.DataFrame:
    """Per cell with one strategy in every seat: `first_player_advantage`, the strongest strategy first.

    elo, elo_low, elo_high: rating of the strategy among those that met (not of the seat), null if unrated.
    """
    if findings.run.team:  # nobody is rated
        return pl.DataFrame()
    first = findings.first_player_advantage.drop("elo", "elo_low", "elo_high")
    same = [(cell.index, cell.labels[0]) for cell in findings.run.cells if len(set(cell.labels)) == 1]
    names = pl.DataFrame(same, schema={"cell": first.schema["cell"], "strategy": pl.String}, orient="row")
    ends = {"strategy": "name", "elo_low": "low", "elo_high": "high"}
    rated = findings.ratings.filter(kind="strategy").select("setting", "seats", "elo", **ends)
    alone = first.join(names, on="cell", maintain_order="left")
    table = alone.join(rated, on=["setting", "seats", "strategy"], how="left", maintain_order="left")
    return table.sort("setting", "seats", -pl.col("elo"), nulls_last=True, maintain_order=True)
