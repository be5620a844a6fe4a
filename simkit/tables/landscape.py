"""What strategies say of a game: which of them matter, cycles, skill against luck, and restricted play."""

import math
from collections import Counter
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.runs.plan import Cell
from simkit.stats import landscape as stats
from simkit.stats.quantiles import normal
from simkit.stats.sprt import elo_of_score
from simkit.tables.findings import Findings, finding, setting_words
from simkit.tables.players import (
    SECOND_LOG,
    Groups,
    by_table,
    mixed_cells,
    ranking,
    ratings,
    rows_by_group,
    strategy_shares,
    win_matrix,
)
from simkit.tables.reading import (
    COUNT,
    LOG,
    Block,
    deal_counts,
    mark_always,
    moments,
    reals,
    shares,
    text_columns,
    whole,
    widen_interval,
)
from simkit.tables.seats import first_player_advantage

LANDSCAPE_SCHEMA = text_columns("setting", "strategy") | reals("share", "nash", "against_nash")
LANDSCAPE_SCHEMA |= text_columns("dominated_by") | {"strictly": pl.Boolean()}
LANDSCAPE_SCHEMA |= reals("cyclic_part") | text_columns("reason")
CYCLES_SCHEMA = text_columns("setting", "first", "second", "third")
CYCLES_SCHEMA |= reals("first_second", "second_third", "third_first", "strength", "low")
MATCHUPS_SCHEMA = text_columns("setting", "strategy", "opponent", "result") | reals("share", "low", "high")
MAX_CYCLES = 20  # per setting
SEATS_DIFFER = "seats differ"  # result of a pair whose seats cannot be told from its strategies


class Matchups(NamedTuple):
    """Matchups of a setting: shares of row against column with intervals; nan for pairs that never met."""

    names: list[str]
    shares: np.ndarray
    low: np.ndarray
    high: np.ndarray
    balanced: np.ndarray  # whether each strategy of a pair sat in each seat equally often
    reason: str | None  # why there is no landscape


@finding
def landscape(findings: Findings) -> pl.DataFrame:
    """Per setting and strategy of two-seat games: Nash weight (greatest first), dominance and related scores.

    nash: weight in the maximum-entropy Nash equilibrium; against_nash: share against it; dominated_by: null
    if undominated; strictly: better against all by more than noise, else nowhere worse; cyclic_part: 0 for a
    ladder, 1 for rock-paper-scissors; reason: why there are no numbers. For nash a matchup counts as
    even unless its interval excludes 1/2. Intervals hold for all matchups of a setting simultaneously (95 %,
    Bonferroni). A game without winner counts half for each seat. Games of more seats have shares only.
    """
    parts = [_landscape(setting, pairs) for setting, pairs in findings.cached(_matchups).items()]
    if not ranking(findings).is_empty():
        reason = pl.format("games of {} seats have no matchups of two: see the ratings", "seats")
        more = ranking(findings).filter(pl.col("seats") > 2)
        parts.append(more.select("setting", "strategy", "share", reason=reason))
    return pl.concat([pl.DataFrame(schema=LANDSCAPE_SCHEMA), *parts], how="diagonal")


@finding
def cycles(findings: Findings) -> pl.DataFrame:
    """Per setting: three strategies of which each beats the next and the last the first, strongest first.

    strength: the smallest share above 1/2; low: its lower end, as in `landscape`. At most MAX_CYCLES per
    setting.
    """
    rows = []
    for setting, pairs in findings.cached(_matchups).items():
        rings = stats.cycles(pairs.shares, pairs.low, MAX_CYCLES) if pairs.balanced.all() else []
        for (a, b, c), strength in rings:
            ring, names = [(a, b), (b, c), (c, a)], [pairs.names[i] for i in (a, b, c)]
            edges = [float(pairs.shares[edge]) for edge in ring]
            low = float(pairs.low[ring[int(np.argmin(edges))]]) - 0.5
            rows.append((setting, *names, *edges, strength, low))
    return mark_always(pl.DataFrame(rows, schema=CYCLES_SCHEMA, orient="row"), findings.always)


@finding
def matchups(findings: Findings) -> pl.DataFrame:
    """Per setting and pair: whether the strategy beats its opponent, loses to it, or neither is settled.

    Intervals: as in `landscape`. result: "seats differ" for a pair that did not sit in each seat equally
    often; its share is as played, with the effect of the seats.
    """
    rows = []
    for setting, pairs in findings.cached(_matchups).items():
        for i, j in np.argwhere(~np.isnan(pairs.shares) & ~np.eye(len(pairs.names), dtype=bool)):
            share, low, high = (float(part[i, j]) for part in (pairs.shares, pairs.low, pairs.high))
            result = "beats" if low > 0.5 else "loses to" if high < 0.5 else "not settled"
            result = result if pairs.balanced[i, j] else SEATS_DIFFER
            rows.append((setting, pairs.names[i], pairs.names[j], result, share, low, high))
    return mark_always(pl.DataFrame(rows, schema=MATCHUPS_SCHEMA, orient="row"), findings.always)


def _matchups(findings: Findings) -> dict[str, Matchups]:
    """Return the matchups of each setting."""
    matrix = win_matrix(findings)
    parts = matrix.partition_by("setting", maintain_order=True) if matrix.width else []
    return {part["setting"][0]: _matchups_of_setting(part) for part in parts}


def _matchups_of_setting(table: pl.DataFrame) -> Matchups:
    names = table["row"].unique(maintain_order=True).to_list()
    shares, low, high = (np.where(np.eye(len(names)), 0.5, np.nan) for _ in range(3))
    balanced = np.ones_like(shares, np.bool_)
    wider = normal(1 - 0.1 / table.height) / normal(0.95)  # one row per direction: 0.05 over height/2 pairs
    for row in table.iter_rows(named=True):
        at = names.index(row["row"]), names.index(row["column"])
        shares[at], low[at], high[at] = (
            row["share"],
            *widen_interval(row["share"], row["low"], row["high"], wider),
        )
        balanced[at] = row["balanced"]
    both = (shares + 1 - shares.T) / 2
    return Matchups(names, both, low, high, balanced, _reason(table, names, shares))


def _reason(table: pl.DataFrame, names: list[str], shares: np.ndarray) -> str | None:
    """Return why a win matrix has no landscape, or None if it has one."""
    message = "did not sit in each seat as often: seat and strategy cannot be told apart; rotate the lineup"
    for first, second in table.filter(~pl.col("balanced")).select("row", "column").rows():
        return f"{first} and {second} {message}"
    for i, j in np.argwhere(np.isnan(shares)):
        return f"{names[i]} and {names[j]} never met: let every strategy meet every other"
    return None


def _landscape(setting: str, pairs: Matchups) -> pl.DataFrame:
    if pairs.reason is not None:
        return pl.DataFrame({"setting": setting, "strategy": pairs.names, "reason": pairs.reason})
    sure = stats.settled(pairs.shares, pairs.low, pairs.high)
    sure = (sure + 1 - sure.T) / 2
    nash = stats.nash_average(sure)
    margin = float((pairs.high - pairs.low).max()) / 2
    superfluous = {domination.strategy: domination for domination in stats.dominated(pairs.shares, margin)}
    each = [superfluous.get(place) for place in range(len(pairs.names))]
    columns: dict[str, Any] = {"setting": setting, "strategy": pairs.names, "reason": None}
    columns |= {"share": (pairs.shares.sum(axis=1) - 0.5) / max(1, len(pairs.names) - 1)}
    columns |= {"nash": np.round(nash.weights, 9), "against_nash": nash.shares}
    columns |= {"cyclic_part": stats.cyclic_part(pairs.shares)}
    columns["dominated_by"] = [domination and _dominators(pairs.names, domination) for domination in each]
    columns["strictly"] = [domination and domination.strictly for domination in each]
    table = pl.DataFrame(columns, schema_overrides=LANDSCAPE_SCHEMA).select(*LANDSCAPE_SCHEMA)
    return table.sort("nash", "share", descending=True, maintain_order=True)


def _dominators(names: list[str], domination: stats.Dominated) -> str:
    """Return the dominating strategy, or the mix of strategies with percentages."""
    if len(domination.by) == 1:
        return names[next(iter(domination.by))]
    parts = sorted(domination.by.items(), key=lambda item: -item[1])
    return " + ".join(f"{100 * weight:.0f} % {names[place]}" for place, weight in parts)


# Skill against luck: spread of strategies, how often the stronger finishes ahead, mirrors by strength.

STEP = elo_of_score(0.6)  # Elo difference of one step of the ladder of strategies
LAST = 1000  # place of seats that lost to the game, whose rank is 0
LADDER_SCHEMA = text_columns("setting") | whole("seats") | text_columns("best", "worst")
LADDER_SCHEMA |= reals("span", "low", "high", "steps", "steps_low", "steps_high")
LADDER_SCHEMA |= whole("rungs", "rungs_low", "rungs_high", "games", "deals")


@finding
def ladder(findings: Findings) -> pl.DataFrame:
    """Per setting and number of seats: number of 60:40 steps between the worst and the best strategy.

    span: the greatest less the smallest rating (Elo); its interval adds the half widths of both, widened for
    their selection (Bonferroni over all pairs). steps: span in units of 60:40 (70.4 Elo). rungs: greatest
    number of strategies that each rate a whole step above the next; rungs_low, rungs_high: as the joint
    intervals allow.
    """
    rated = ratings(findings).filter((pl.col("kind") == "strategy") & pl.col("elo").is_not_null())
    rows = [_span(part) for part in rated.partition_by("setting", "seats", maintain_order=True)]
    return mark_always(pl.DataFrame(rows, schema=LADDER_SCHEMA, orient="row"), findings.always)


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


@finding
def favourites(findings: Findings) -> pl.DataFrame:
    """Per setting and number of seats: how often the stronger of two strategies finishes ahead (ties: half).

    pairs: of strategies. The stronger strategy has the greater win share on the deals of opposite parity
    (even for odd, odd for even), so that luck on a deal does not count as strength. Lineups without rotation
    are left out.
    """
    if not (groups := _fairly_seated_groups(findings)):
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


@SECOND_LOG("group", "value")
def ahead_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the deals by share of pairs in which the stronger strategy finished ahead."""
    if not (groups := _fairly_seated_groups(findings)):
        return None
    sums, strength = strength_sums(findings).lazy(), pl.col("won") / pl.col("games")
    strengths = sums.select("group", "strategy", odd=1 - pl.col("odd"), strength=strength)
    return deal_counts(
        _strategy_pairs(rows_by_group(block.seats, groups), strengths), ["group"], pl.col("ahead").mean()
    )


@LOG("group", "strategy", "odd")
def strength_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum the shares won by each strategy, separately over odd and even deals."""
    if not (groups := _fairly_seated_groups(findings)):
        return None
    rows = rows_by_group(block.seats, groups).with_columns(odd=pl.col("deal") % 2)
    return rows.group_by("group", "strategy", "odd").agg(won=pl.col("share").sum(), games=COUNT)


def _fairly_seated_groups(findings: Findings) -> Groups:
    """Return the groups of cells in which all strategies sat in all seats."""
    return by_table([cell for cell in mixed_cells(findings) if cell.rotates_lineup])


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
def mirrors(findings: Findings) -> pl.DataFrame:
    """Per cell with one strategy in every seat: `first_player_advantage`, the strongest strategy first.

    elo, elo_low, elo_high: rating of the strategy among those that met (not of the seat), null if unrated.
    """
    if findings.run.team:  # nobody is rated
        return pl.DataFrame()
    first = first_player_advantage(findings).drop("elo", "elo_low", "elo_high")
    same = [(cell.index, cell.labels[0]) for cell in findings.run.cells if len(set(cell.labels)) == 1]
    names = pl.DataFrame(same, schema={"cell": first.schema["cell"], "strategy": pl.String}, orient="row")
    ends = {"strategy": "name", "elo_low": "low", "elo_high": "high"}
    rated = ratings(findings).filter(kind="strategy").select("setting", "seats", "elo", **ends)
    alone = first.join(names, on="cell", maintain_order="left")
    table = alone.join(rated, on=["setting", "seats", "strategy"], how="left", maintain_order="left")
    return table.sort("setting", "seats", -pl.col("elo"), nulls_last=True, maintain_order=True)


@finding
def restricted(findings: Findings) -> pl.DataFrame:
    """Per cell of three or more seats in which one seat has other weights: its share against the fair share.

    result: "more" or "less" than the fair share beyond luck, else "not settled". Intervals hold for all such
    cells of a setting simultaneously (95 %). Formula: the ends of the interval of one share, moved away from
    it by the factor z(1 − 0.05/m) / z(0.95) for m cells, z as in `stats.quantiles.normal`. Source: Dunn 1961,
    J. Am. Stat. Assoc. 56, 52-64 (Bonferroni).
    """
    odd = {cell.index: name for cell in findings.run.cells if (name := _odd_one(cell))}
    if not odd:
        return pl.DataFrame()
    own = pl.col("cell").replace_strict(odd, default=None, return_dtype=pl.String) == pl.col("strategy")
    table = strategy_shares(findings).filter(own).drop("games", "deals")
    cells = max(table.group_by("setting").len()["len"].to_list())
    wider, rows = normal(1 - 0.05 / cells) / normal(0.95), table.select("share", "low", "high").iter_rows()
    ends = [widen_interval(share, low, high, wider) for share, low, high in rows]
    low, high = (pl.Series([end[side] for end in ends], dtype=pl.Float64) for side in (0, 1))
    less, more = pl.col("high") < pl.col("fair"), pl.col("low") > pl.col("fair")
    result = (
        pl.when(less).then(pl.lit("less")).when(more).then(pl.lit("more")).otherwise(pl.lit("not settled"))
    )
    return table.with_columns(low=low, high=high).with_columns(result=result)


def _odd_one(cell: Cell) -> str:
    """Return the strategy of the one seat with the program of all others but other weights; "" if none."""
    seats = Counter(cell.labels)
    if cell.seats < 3 or len(seats) != 2 or len({named.name for named in cell.lineup}) > 1:
        return ""
    return min(seats, key=seats.__getitem__) if cell.rotates_lineup else ""
