"""Elo ratings of strategies and seats, from all games in which different strategies met."""

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.analysis.deals import COUNT, deal_sums, every_pair, marked, products, reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block, Reading, log_blocks
from simkit.analysis.strategies import by_table, grouped, mixed
from simkit.analysis.table import setting_words
from simkit.runs.plan import Cell
from simkit.stats import plackett_luce as model

SECOND_LOG = Reading(log_blocks)  # second pass, which needs the fitted strengths or sums of the first
RATING_KEY = ["cell", "rotation", "code"]
RATINGS_SCHEMA = texts("setting") | whole("seats") | texts("kind", "name") | reals("elo", "low", "high")
RATINGS_SCHEMA |= whole("games", "deals") | texts("reason")


class Results(NamedTuple):
    """Distinct results of some cells, the number of games of each, and the fitted model."""

    cells: list[Cell]
    table: pl.DataFrame  # cell, rotation, code, games
    names: list[str]  # strategies
    fit: model.Ratings | None
    reason: str | None  # why there is no model

    @property
    def deals(self) -> int:
        """Greatest number of deals of a cell."""
        return max(cell.deals for cell in self.cells)


def _coded(findings: Findings, block: Block) -> pl.LazyFrame:
    """Return one row per game of different strategies: group, cell, rotation, deal and ranks (code).

    code: the ranks by seat as the digits of a number with base seats + 1.
    """
    seats_of = {cell.index: cell.seats for cell in mixed(findings)}
    seats = pl.col("cell").replace_strict(seats_of, return_dtype=pl.Int64)
    won = pl.when(pl.col("share") > 0).then(1).otherwise(2)
    rank = pl.when(seats == 2).then(won).otherwise(pl.col("rank")).cast(pl.Int64)
    code = (rank * (seats + 1).pow(pl.col("seat"))).sum()
    rows = grouped(block.seats, by_table(mixed(findings)))
    return rows.group_by("group", "cell", "rotation", "deal").agg(code=code)


@LOG(*RATING_KEY)
def result_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the games by cell, rotation and code of the ranks."""
    return _coded(findings, block).group_by(RATING_KEY).agg(games=COUNT) if mixed(findings) else None


@SECOND_LOG("group")
def score_products(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals the products of a deal's summed gradients, by pairs of parameters."""
    rated = [
        (pool.table.select(RATING_KEY), pool.fit) for pool in findings.cached(results) if pool.fit is not None
    ]
    if not rated:
        return None
    each = [key.hstack(pl.DataFrame(fit.scores, schema=_parameters(fit), orient="row")) for key, fit in rated]
    scores = pl.concat(each, how="diagonal").fill_null(0)
    names = [name for name in scores.columns if name not in RATING_KEY]
    values = {name: pl.col(name).sum() for name in names}
    return deal_sums(
        _coded(findings, block).join(scores.lazy(), on=RATING_KEY), ["group"], values, every_pair(names)
    )


def _parameters(fit: model.Ratings) -> list[str]:
    """Return the names of the free parameters of a fit."""
    return [f"p{place}" for place in range(fit.free.size)]


def results(findings: Findings) -> list[Results]:
    """Return the results and the fit of each setting and number of seats."""
    return [_results(result_counts(findings), cells) for cells in by_table(mixed(findings))]


def _results(counted: pl.DataFrame, cells: list[Cell]) -> Results:
    table = counted.filter(pl.col("cell").is_in([cell.index for cell in cells]))
    names = list(dict.fromkeys(label for cell in cells for label in cell.labels))
    lineups = {cell.index: [names.index(label) for label in cell.labels] for cell in cells}
    seats = cells[0].seats
    sitting = np.array([lineups[cell] for cell in table["cell"]], dtype=np.int64).reshape(-1, seats)
    rotated = (np.arange(seats) + table["rotation"].to_numpy()[:, np.newaxis]) % seats
    ranks = _decoded(table["code"].to_numpy(), seats)
    if (ranks == ranks[:, :1]).all():
        reason = "in no game did one seat do better than another: there is nothing to rate by"
        return Results(cells, table, names, None, reason)
    behind = np.where(ranks == 1, 0, ranks)
    winners_only = seats > 2 and ((behind == 0) | (behind == behind.max(axis=1, keepdims=True))).all()
    seated, games = np.take_along_axis(sitting, rotated, axis=1), table["games"].to_numpy()
    try:
        fit = model.plackett_luce(names, seated, ranks, games, places=1 if winners_only else None)
    except ValueError as error:
        return Results(cells, table, names, None, str(error))
    return Results(cells, table, names, fit, None)


def _decoded(codes: np.ndarray, seats: int) -> np.ndarray:
    """Return ranks by seat [game, seat]; all 0 for a two-seat game that both lost."""
    ranks = codes[:, np.newaxis] // (seats + 1) ** np.arange(seats) % (seats + 1)
    if seats == 2:
        ranks[ranks.min(axis=1) > 1] = 0
    return np.asarray(ranks)


@finding
def ratings(findings: Findings) -> pl.DataFrame:
    """Per setting and number of seats: Elo of each strategy, best first, and of each seat relative to seat 0.

    kind: "strategy" or "seat"; games: in which the strategy took part, for a seat all; reason: why elo and
    interval are null, and the remedy. Lineups of a single strategy are left out. With more than two seats all
    final ranks count, or only the winners where a game ranks nobody else. With sequential stopping the
    intervals hold at all interim analyses, as far as the model holds.
    """
    rows = []
    for group, pool in enumerate(findings.cached(results)):
        rated, reason = _rated(findings, group, pool)
        front = setting_words(pool.cells[0].varied), pool.cells[0].seats
        for kind, name, *elo in rated:
            games = sum(cell.plays for cell in pool.cells if kind == "seat" or name in cell.labels)
            rows.append((*front, kind, name, *elo, games, pool.deals, reason))
    # The order of summation over deals varies, and with it the last digits.
    table = pl.DataFrame(rows, schema=RATINGS_SCHEMA, orient="row").with_columns(
        pl.col("low", "high").round(9)
    )
    return marked(table, findings.always)


def _rated(findings: Findings, group: int, pool: Results) -> tuple[list[tuple[Any, ...]], str | None]:
    """Return kind, name and Elo with interval of each strategy and seat; or nulls and the reason."""
    unknown = [("strategy", name, None, None, None) for name in pool.names]
    if pool.fit is None:
        return unknown, pool.reason
    sums = score_products(findings).row(by_predicate=pl.col("group") == group, named=True)
    try:
        clustered = model.clustered(pool.fit, products(sums, _parameters(pool.fit)), pool.deals)
    except ValueError as error:
        return unknown, str(error)
    # Equal ratings differ in their last digits, which depend on the machine.
    rated = model.ratings(clustered, always=findings.always)
    best_first = sorted(rated, key=lambda rating: (-round(rating.elo, 6), rating.name))
    seats = [("seat", *rating) for rating in model.seat_ratings(clustered, always=findings.always)]
    return [("strategy", *rating) for rating in best_first] + seats, None
