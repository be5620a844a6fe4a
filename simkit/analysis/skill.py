"""Skill against luck: how far the ladder of strategies reaches, how often the better of two is ahead, what strength does to the seats."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.ratings import ratings
from simkit.analysis.seats import first_player_advantage
from simkit.analysis.strategies import by_setting, mixed
from simkit.analysis.table import deal_sums, setting_words, share_columns, text
from simkit.stats.quantiles import normal

if TYPE_CHECKING:
    from simkit.experiment import Cell
    from simkit.runlog import Run

STEP = 0.6  # the share that makes one step of the ladder
LADDER = {
    "setting": pl.String,
    "seats": pl.Int64,
    "best": pl.String,
    "worst": pl.String,
    "span": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "steps": pl.Float64,
    "steps_low": pl.Float64,
    "steps_high": pl.Float64,
    "rungs": pl.Int64,
    "rungs_low": pl.Int64,
    "rungs_high": pl.Int64,
    "games": pl.Int64,
    "deals": pl.Int64,
}


def elo_of(share: float) -> float:
    """Elo points between two of whom one is ahead of the other with this share: 400 log10(share / (1 − share)).

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


def ladder(run: Run, rated: pl.DataFrame | None = None) -> pl.DataFrame:
    """Per setting and number of seats: how many steps of 60:40 lie between the weakest and the strongest strategy.

    Columns: setting, seats, best, worst, span (Elo), low, high, steps, steps_low, steps_high, rungs, rungs_low, rungs_high, games, deals. span: the greatest
    less the least rating; its interval adds the half widths of both, widened for the best and worst
    being picked (Bonferroni over all pairs of strategies). steps: span in units of 60:40 (70.4 Elo).
    rungs: strategies of which each rates a whole step above the next, counted from the best down; rungs_low, rungs_high: the same if all
    pairs of strategies lie as close, or as far apart, as their joint intervals (95 %, Bonferroni) allow.
    `rated` is the table of `ratings` where it is known; settings without ratings are left out.
    """
    table = ratings(run) if rated is None else rated
    known = table.filter((pl.col("kind") == "strategy") & pl.col("elo").is_not_null())
    rows = [_span(part) for part in known.partition_by("setting", "seats", maintain_order=True)]
    return pl.DataFrame(rows, schema=LADDER, orient="row")


def _span(part: pl.DataFrame) -> tuple[object, ...]:
    ordered = part.sort("elo", descending=True, maintain_order=True)
    best, worst = ordered.row(0, named=True), ordered.row(-1, named=True)
    span = best["elo"] - worst["elo"]
    pairs = ordered.height * (ordered.height - 1) // 2
    halves = ((ordered["high"] - ordered["low"]) / 2 * normal(1 - 0.05 / pairs) / normal(0.95)).to_list()
    half = halves[0] + halves[-1]
    low, high = max(0.0, span - half), span + half
    steps = [value / elo_of(STEP) for value in (span, low, high)]
    front = (best["setting"], best["seats"], best["name"], worst["name"], span, low, high)
    elo = ordered["elo"].to_list()
    return (*front, *steps, *(_rungs(elo, halves, way) for way in (0, -1, 1)), best["games"], best["deals"])


def _rungs(ratings_down: list[float], halves: list[float], way: int = 0) -> int:
    """The most strategies that stand at least a step apart, each from the next; with way −1 or 1 each two nearer or farther by their halves.

    >>> _rungs([100.0, 90.0, 20.0, -40.0, -200.0], [5.0] * 5), _rungs([100.0, 25.0, -200.0], [5.0] * 3, -1)
    (3, 2)
    """
    longest: list[int] = []  # that ends with this strategy
    for i, elo in enumerate(ratings_down):
        above = [
            longest[j]
            for j in range(i)
            if ratings_down[j] - elo + way * (halves[j] + halves[i]) >= elo_of(STEP)
        ]
        longest.append(1 + max(above, default=0))
    return max(longest)


def favourites(run: Run) -> pl.DataFrame:
    """Per setting and number of seats: how often the stronger of two strategies at one table finishes ahead (a tie counts half).

    Columns: setting, seats, pairs (of strategies), games, deals, share, low, high. Which of two is the stronger is judged by its share
    of wins on the deals of other parity (even for odd, odd for even), so that a strategy lucky on a deal is not called strong for it.
    Every game counts alike. Lineups that were not rotated are left out: there a seat could pass for strength.
    """
    parts = [
        _favourites(run, setting, cells) for (setting, _), cells in by_setting(_fairly_seated(run)).items()
    ]
    return pl.concat(parts) if parts else pl.DataFrame()


def _fairly_seated(run: Run) -> list[Cell]:
    return [cell for cell in mixed(run) if cell.rotations == cell.seats]


def _favourites(run: Run, setting: str, cells: list[Cell]) -> pl.DataFrame:
    rows = (
        run.seats()
        .filter(pl.col("cell").is_in([cell.index for cell in cells]))
        .with_columns(text("strategy"))
    )
    pairs = _pairs(rows).with_columns(pl.lit(setting).alias("setting"))
    games = sum(cell.plays for cell in cells)
    met = {frozenset((a, b)) for cell in cells for a in cell.labels for b in cell.labels if a != b}
    sums = deal_sums(run, pairs, ["setting"], {"ahead": pl.col("ahead")}).with_columns(
        pl.lit(games, dtype=pl.Int64).alias("games")
    )
    front = [
        pl.lit(cells[0].seats, dtype=pl.Int64).alias("seats"),
        pl.lit(len(met), dtype=pl.Int64).alias("pairs"),
    ]
    return share_columns(sums, "ahead", "games").select(
        "setting", *front, "games", "deals", "share", "low", "high"
    )


def _pairs(rows: pl.LazyFrame) -> pl.LazyFrame:
    """One row per game and two seats of different strategies: whether the stronger strategy finished ahead (1, 1/2 or 0)."""
    place = (
        pl.when(pl.col("rank") > 0).then(pl.col("rank")).otherwise(1000).alias("place")
    )  # rank 0: lost to the game
    key = ["cell", "deal", "rotation"]
    one = rows.select(*key, "seat", "strategy", place, _strength(rows).alias("strength"))
    pairs = one.join(one, on=key).filter(
        (pl.col("seat") < pl.col("seat_right")) & (pl.col("strategy") != pl.col("strategy_right"))
    )
    ahead = (pl.col("place_right") - pl.col("place")).sign() * (
        pl.col("strength") - pl.col("strength_right")
    ).sign()
    return pairs.select("deal", ((ahead + 1) / 2).alias("ahead"))


def _strength(rows: pl.LazyFrame) -> pl.Expr:
    """The share of wins of a row's strategy on the deals of other parity; 0 where there are none."""
    odd = (pl.col("deal") % 2).alias("odd")
    won = rows.group_by(odd, "strategy").agg(pl.col("share").mean()).collect(engine="streaming")
    even_deals, odd_deals = (
        dict(won.filter(pl.col("odd") == part).select("strategy", "share").iter_rows()) for part in (0, 1)
    )
    known = [
        pl.col("strategy").replace_strict(one, default=0.0, return_dtype=pl.Float64)
        for one in (odd_deals, even_deals)
    ]
    return pl.when(pl.col("deal") % 2 == 0).then(known[0]).otherwise(known[1])


def mirrors(run: Run, first: pl.DataFrame | None = None, rated: pl.DataFrame | None = None) -> pl.DataFrame:
    """The first seat where the same strategy sits in every seat, the strongest strategy first: `first_player_advantage` with its `elo`.

    `strategy` names it; elo is null where the strategy was not rated. `first` and `rated` are the tables of `first_player_advantage`
    and `ratings` where they are known.
    """
    table = first_player_advantage(run) if first is None else first
    known = (ratings(run) if rated is None else rated).filter(pl.col("kind") == "strategy")
    same = [
        (cell.index, cell.labels[0], setting_words(cell.varied))
        for cell in run.cells
        if len(set(cell.labels)) == 1
    ]
    names = pl.DataFrame(
        same, schema={"cell": table.schema["cell"], "strategy": pl.String, "setting": pl.String}, orient="row"
    )
    elo = known.select(
        "setting", pl.col("seats").cast(table.schema["seats"]), pl.col("name").alias("strategy"), "elo"
    )
    found = table.join(names.drop("setting"), on="cell").join(
        elo, on=["setting", "seats", "strategy"], how="left", maintain_order="left"
    )
    return found.sort(
        "setting", "seats", "elo", descending=[False, False, True], nulls_last=True, maintain_order=True
    )
