"""Strategies and seats on one scale: Elo ratings from all games in which strategies met; the unit of every interval is the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
from scipy.sparse import coo_matrix

from simkit.analysis.strategies import by_setting, mixed
from simkit.analysis.table import blocks
from simkit.stats import plackett_luce as model

if TYPE_CHECKING:
    from simkit.experiment import Cell
    from simkit.runlog import Run

KEY = ["cell", "rotation", "code"]
SCHEMA = {
    "setting": pl.String,
    "seats": pl.Int64,
    "kind": pl.String,
    "name": pl.String,
    "elo": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "games": pl.Int64,
    "deals": pl.Int64,
    "reason": pl.String,
}


class Results(NamedTuple):
    """The distinct results of some cells, each with the number of games."""

    table: pl.DataFrame  # cell, rotation, code, games
    names: list[str]  # strategies
    seated: np.ndarray  # [result, seat]
    ranks: np.ndarray  # [result, seat]

    @property
    def games(self) -> np.ndarray:
        return self.table["games"].to_numpy()


def ratings(run: Run, places: int | None = None) -> pl.DataFrame:
    """Per setting and number of seats: Elo of each strategy (about their mean), best first, and of each seat above seat 0.

    Columns: setting, seats, kind ("strategy", "seat"), name, elo, low, high, games, deals, reason. Where the games do not settle the
    ratings, elo and interval are null and `reason` says why and what to do. Lineups of one strategy only are left out.
    With more seats than two all final ranks count, or the first `places` of them (1: only who won); where a game ranks nobody but
    its winners, only who won.
    """
    parts = [_rated(run, setting, cells, places) for (setting, _), cells in by_setting(mixed(run)).items()]
    return pl.concat(parts) if parts else pl.DataFrame(schema=SCHEMA)


def _rated(run: Run, setting: str, cells: list[Cell], places: int | None) -> pl.DataFrame:
    results = _results(run, cells)
    deals = max(cell.deals for cell in cells)
    try:
        fit = _fit(run, cells, results, deals, places)
    except ValueError as error:
        unrated = [("strategy", model.Rating(name, *[None] * 3)) for name in results.names]  # type: ignore[arg-type]
        return _rows(setting, cells, deals, unrated, str(error))
    best_first = sorted(model.ratings(fit), key=lambda rating: -rating.elo)
    rated = [("strategy", one) for one in best_first] + [("seat", one) for one in model.seat_ratings(fit)]
    return _rows(setting, cells, deals, rated, None)


def _fit(run: Run, cells: list[Cell], results: Results, deals: int, places: int | None) -> model.Ratings:
    """The model with standard errors over deals."""
    if (results.ranks == results.ranks[:, :1]).all():
        raise ValueError("in no game did one seat do better than another: there is nothing to rate by")
    places = 1 if _winners_only(results.ranks) else places
    fit = model.plackett_luce(results.names, results.seated, results.ranks, results.games, places=places)
    squares = np.zeros((fit.free.size, fit.free.size))
    known = results.table.select(*KEY).with_row_index("result")
    for low, high in blocks(run):
        played = (
            _coded(run, cells, low, high)
            .group_by([*KEY, "deal"])
            .agg(pl.len().alias("games"))
            .collect(engine="streaming")
        )
        squares += _squares(fit, played.join(known, on=KEY, how="left"), low, high)
    return model.clustered(fit, squares, deals)


def _squares(fit: model.Ratings, played: pl.DataFrame, low: int, high: int) -> np.ndarray:
    """Over the deals of a block: squares of the summed scores of a deal."""
    where = (played["deal"].to_numpy() - low, played["result"].to_numpy())
    by_deal = (
        coo_matrix(
            (played["games"].to_numpy().astype(float), where), shape=(high - low, len(fit.scores))
        ).tocsr()
        @ fit.scores
    )
    return np.asarray(by_deal.T @ by_deal)


def _winners_only(ranks: np.ndarray) -> bool:
    """Whether, with three seats or more, no game tells the losers apart."""
    behind = np.where(ranks == 1, 0, ranks)
    return ranks.shape[1] > 2 and bool(((behind == 0) | (behind == behind.max(axis=1, keepdims=True))).all())


def _results(run: Run, cells: list[Cell]) -> Results:
    parts = []
    for low, high in blocks(run):
        counted = _coded(run, cells, low, high).group_by(KEY).agg(pl.len().cast(pl.Int64).alias("games"))
        parts.append(counted.collect(engine="streaming"))
    table = pl.concat(parts).group_by(KEY).sum().sort(KEY)
    names = list(dict.fromkeys(label for cell in cells for label in cell.labels))
    lineups = {cell.index: [names.index(label) for label in cell.labels] for cell in cells}
    seats = cells[0].seats
    sitting = np.array([lineups[cell] for cell in table["cell"]], dtype=np.int64).reshape(-1, seats)
    turned = (np.arange(seats) + table["rotation"].to_numpy()[:, np.newaxis]) % seats
    return Results(
        table, names, np.take_along_axis(sitting, turned, axis=1), _decoded(table["code"].to_numpy(), seats)
    )


def _coded(run: Run, cells: list[Cell], low: int, high: int) -> pl.LazyFrame:
    """One row per game of a range of deals: cell, rotation, deal, and its ranks as the digits of a number, seat 0 first."""
    seats = cells[0].seats
    inside = pl.col("cell").is_in([cell.index for cell in cells]) & pl.col("deal").is_between(
        low, high, closed="left"
    )
    rank = pl.when(pl.col("share") > 0).then(1).otherwise(2) if seats == 2 else pl.col("rank")
    digit = rank.cast(pl.Int64) * pl.lit(seats + 1, dtype=pl.Int64).pow(pl.col("seat"))
    part = run.only([cell.index for cell in cells]).between(low, high)
    return (
        part.seats()
        .filter(inside)
        .group_by("cell", "rotation", "deal")
        .agg(digit.cast(pl.Int64).sum().alias("code"))
    )


def _decoded(codes: np.ndarray, seats: int) -> np.ndarray:
    """Ranks by seat; all 0 where a game of two was lost by both."""
    ranks = codes[:, np.newaxis] // (seats + 1) ** np.arange(seats) % (seats + 1)
    if seats == 2:
        ranks[ranks.min(axis=1) > 1] = 0
    return np.asarray(ranks)


def _rows(
    setting: str, cells: list[Cell], deals: int, rated: list[tuple[str, model.Rating]], reason: str | None
) -> pl.DataFrame:
    plays = sum(cell.plays for cell in cells)
    games = {
        name: sum(cell.plays for cell in cells if name in cell.labels)
        for cell in cells
        for name in cell.labels
    }
    rows: list[tuple[Any, ...]] = [
        (setting, cells[0].seats, kind, *one, games[one.name] if kind == "strategy" else plays, deals, reason)
        for kind, one in rated
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")
