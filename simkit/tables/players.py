"""Strategies compared: shares won with and against each other, Elo ratings, and those that play alike.

`simkit.tables.landscape` says what follows from these numbers.
"""

from collections.abc import Callable
from itertools import chain, permutations
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse
from scipy.sparse import csgraph

from simkit.runs.plan import Cell
from simkit.stats import plackett_luce as model
from simkit.tables.findings import Findings, as_text, cells_by, finding, setting_words
from simkit.tables.reading import (
    COUNT,
    LOG,
    Block,
    Reading,
    deal_counts,
    deal_sums,
    every_pair,
    log_blocks,
    mark_always,
    moments,
    products,
    reals,
    shares,
    shares_at_every_look,
    text_columns,
    whole,
)

PLACES = ("play", "cell", "rotation", "lineup", "strategy")  # columns that depend on the seating


@finding
def same_players(findings: Findings) -> pl.DataFrame:
    """Per setting and number of seats: pairs of strategies whose games on every deal are identical.

    Games in which only these two strategies sat are compared by all logged data, over all rotations; deals:
    number of deals of the pair.
    """
    pairs = [
        (cell.index, setting_words(cell.varied), cell.seats, *sorted({*cell.labels}), cell.deals)
        for cell in findings.run.cells
        if len({*cell.labels}) == 2
    ]
    if not pairs:
        return pl.DataFrame()
    names = ["cell", "setting", "seats", "strategy", "opponent", "deals"]
    table = pl.DataFrame(pairs, schema=names, orient="row").with_columns(pl.col("cell").cast(pl.Int32))
    logs = [_digests(rows) for rows in (findings.run.games(), findings.run.seats())]
    both = table.join(logs[0].join(logs[1], on=["cell", "rotation"]), on="cell")
    alike = (pl.len() > 1) & (pl.struct("digest", "digest_right").n_unique() == 1)
    return both.group_by(names[1:], maintain_order=True).agg(alike=alike).filter("alike").drop("alike")


def _digests(rows: pl.LazyFrame) -> pl.DataFrame:
    """Return a digest of the games of each cell and rotation, independent of where their logs are."""
    logged = [name for name in rows.collect_schema().names() if name not in PLACES]
    digest = pl.struct(logged).hash().sum()
    return rows.group_by("cell", "rotation").agg(digest=digest).collect(engine="streaming")


# Win shares of strategies: by lineup, against each other strategy, and over all of them.

Groups = list[list[Cell]]
MEETINGS = text_columns("setting") | whole("seats") | text_columns("strategy", "opponent") | whole("group")


def mixed_cells(findings: Findings) -> list[Cell]:
    """Return the cells with more than one strategy."""
    return [cell for cell in findings.run.cells if len(set(cell.labels)) > 1]


def sat_evenly(cells: list[Cell], name: str) -> bool:
    """Return whether a strategy sat in each seat equally often over some cells of one number of seats."""
    seats, shifts = range(cells[0].seats), [(cell, turn) for cell in cells for turn in cell.turns]
    times = {sum(cell.labels[(seat + turn) % len(seats)] == name for cell, turn in shifts) for seat in seats}
    return len(times) == 1


def by_table(cells: list[Cell]) -> Groups:
    """Return the cells grouped by setting and number of seats."""
    return cells_by(cells, lambda cell: (setting_words(cell.varied), cell.seats))


def _strategy_groups(findings: Findings) -> dict[str, Groups]:
    """Return groups of cells with several strategies: each cell; two-seat pairs by setting; table sizes."""
    two = [cell for cell in mixed_cells(findings) if cell.seats == 2]
    pairs = cells_by(two, lambda cell: (setting_words(cell.varied), frozenset(cell.labels)))
    return {
        "cell": [[cell] for cell in mixed_cells(findings)],
        "pair": pairs,
        "table": by_table(mixed_cells(findings)),
    }


def rows_by_group(rows: pl.LazyFrame, groups: Groups) -> pl.LazyFrame:
    """Return the rows of the cells of some groups, with the index of the group and strategies as text."""
    number = {cell.index: place for place, cells in enumerate(groups) for cell in cells}
    group = pl.col("cell").replace_strict(number, default=None, return_dtype=pl.Int64)
    return rows.filter(pl.col("cell").is_in(list(number))).with_columns(as_text("strategy"), group=group)


@LOG("kind", "group", "strategy", "value")
def met_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the deals by kind and index of the group, strategy and mean share."""
    key, share = ["group", "strategy"], pl.col("share").mean()
    kinds = {
        kind: _together(block.seats, groups) for kind, groups in _strategy_groups(findings).items() if groups
    }
    parts = [deal_counts(rows, key, share).with_columns(kind=pl.lit(kind)) for kind, rows in kinds.items()]
    return pl.concat(parts) if parts else None


def _together(rows: pl.LazyFrame, groups: Groups) -> pl.LazyFrame:
    """Return the rows of some groups on the deals that all cells of a group played, for equal weight.

    Cells with sequential stopping stop at different deals.
    """
    played = {number: _deals(cells) for number, cells in enumerate(groups)}
    most = pl.col("group").replace_strict(played, return_dtype=pl.Int64)
    return rows_by_group(rows, groups).filter(pl.col("deal") < most)


def _deals(cells: list[Cell]) -> int:
    return min(cell.deals for cell in cells)


def _strategies_table(
    findings: Findings, kind: str, front: Callable[[list[Cell], str], dict[str, Any]]
) -> pl.DataFrame:
    """Return per group and strategy the columns of `front`, and games, deals, share, low, high."""
    groups = _strategy_groups(findings)[kind]
    if not groups:
        return pl.DataFrame()
    counts, by = met_counts(findings).filter(kind=kind), ["group", "strategy"]
    deal_moments = moments(counts, by)
    tables, fewest = [_tables_of(cells) for cells in groups], [_deals(cells) for cells in groups]
    each = list(deal_moments.select(by).iter_rows())
    games = [sum(cell.rotations for cell in tables[group][name]) * fewest[group] for group, name in each]
    table = shares(deal_moments.with_columns(games=pl.Series(games)))
    table = shares_at_every_look(table, counts, by) if findings.always else table
    return pl.DataFrame([front(tables[group][name], name) for group, name in each]).hstack(table)


def _tables_of(cells: list[Cell]) -> dict[str, list[Cell]]:
    """Return the cells of each strategy."""
    tables: dict[str, list[Cell]] = {}
    for cell in cells:
        for name in dict.fromkeys(cell.labels):
            tables.setdefault(name, []).append(cell)
    return tables


@finding
def strategy_shares(findings: Findings) -> pl.DataFrame:
    """Per cell of several strategies, and strategy: games, deals, share, low, high over its seats.

    fair: the share if all were as good. Between two sides it is the mean over all seats.
    """
    table = _strategies_table(findings, "cell", lambda cells, name: {"cell": cells[0].index})
    table = findings.with_cells(table.select(pl.exclude("group")))
    if not findings.run.one_side or table.is_empty():
        return table
    labels = {cell.index: cell.labels for cell in findings.run.cells}
    sat = pl.Series([labels[cell].count(name) for cell, name in table.select("cell", "strategy").rows()])
    of_sides = (pl.col("share") * pl.col("sat")).sum().over("cell") / pl.col("seats")
    fair = of_sides.round(9) if findings.run.sides else 1 / pl.col("seats")
    return table.with_columns(sat=sat).with_columns(fair=fair).drop("sat")


@finding
def win_matrix(findings: Findings) -> pl.DataFrame:
    """Per setting and pair in two seats: share of the row strategy; balanced: equally often in each seat."""
    table = _strategies_table(findings, "pair", _pair)
    if table.is_empty():
        return table
    rows = table.sort("group", "strategy", "column").rename({"strategy": "row"}).drop("group")
    return rows.select("setting", "row", "column", pl.exclude("setting", "row", "column"))


def _pair(cells: list[Cell], name: str) -> dict[str, Any]:
    (other,) = set(cells[0].labels) - {name}
    front = {"setting": setting_words(cells[0].varied), "column": other}
    return front | {"balanced": sat_evenly(cells, name)}


@finding
def ranking(findings: Findings) -> pl.DataFrame:
    """Per setting, number of seats and strategy: share over all lineups with other strategies, best first.

    Every lineup counts equally; a deal played by several lineups is one observation. balanced: it sat in each
    seat equally often; the share of another strategy is also that of its seats.
    """
    table = _strategies_table(findings, "table", _against)
    if table.is_empty():
        return table
    return table.sort("group", -pl.col("share").round(12), "strategy").drop("group")


@finding
def meetings(findings: Findings) -> pl.DataFrame:
    """Per setting, number of seats and strategy: a row for each opponent met at a table.

    group: strategies linked by games, directly or through others, have the same number, from 0 on.
    """
    rows = []
    for cells in by_table(mixed_cells(findings)):
        tables = [list(dict.fromkeys(cell.labels)) for cell in cells]
        pairs = dict.fromkeys(pair for names in tables for pair in permutations(names, 2))
        group = _group_numbers(tables)
        front = setting_words(cells[0].varied), cells[0].seats
        rows += [(*front, name, opponent, group[name]) for name, opponent in pairs]
    return pl.DataFrame(rows, schema=MEETINGS, orient="row")


def _group_numbers(tables: list[list[str]]) -> dict[str, int]:
    """Return the group number of each name; names at one table are in one group.

    >>> _group_numbers([["a", "b"], ["c", "d"], ["b", "e"]])
    {'a': 0, 'b': 0, 'c': 1, 'd': 1, 'e': 0}
    """
    places = {name: place for place, name in enumerate(dict.fromkeys(chain.from_iterable(tables)))}
    first = [places[names[0]] for names in tables for _ in names]
    links = first, [places[name] for names in tables for name in names]
    graph = sparse.coo_array((np.ones(len(first)), links), shape=(len(places), len(places)))
    return dict(zip(places, csgraph.connected_components(graph, directed=False)[1].tolist(), strict=True))


def _against(cells: list[Cell], name: str) -> dict[str, Any]:
    met = {label for cell in cells for label in cell.labels} - {name}
    front = {"setting": setting_words(cells[0].varied), "seats": cells[0].seats, "opponents": len(met)}
    return front | {"balanced": sat_evenly(cells, name)}


# Elo ratings of strategies and seats, from all games in which different strategies met.

SECOND_LOG = Reading(log_blocks)  # second pass, which needs the fitted strengths or sums of the first
RATING_KEY = ["cell", "rotation", "code"]
RATINGS_SCHEMA = (
    text_columns("setting") | whole("seats") | text_columns("kind", "name") | reals("elo", "low", "high")
)
RATINGS_SCHEMA |= whole("games", "deals") | text_columns("reason")


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


def _rank_codes(findings: Findings, block: Block) -> pl.LazyFrame:
    """Return one row per game of different strategies: group, cell, rotation, deal and ranks (code).

    code: the ranks by seat as the digits of a number with base seats + 1.
    """
    seats_of = {cell.index: cell.seats for cell in mixed_cells(findings)}
    seats = pl.col("cell").replace_strict(seats_of, return_dtype=pl.Int64)
    won = pl.when(pl.col("share") > 0).then(1).otherwise(2)
    rank = pl.when(seats == 2).then(won).otherwise(pl.col("rank")).cast(pl.Int64)
    code = (rank * (seats + 1).pow(pl.col("seat"))).sum()
    rows = rows_by_group(block.seats, by_table(mixed_cells(findings)))
    return rows.group_by("group", "cell", "rotation", "deal").agg(code=code)


@LOG(*RATING_KEY)
def result_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the games by cell, rotation and code of the ranks."""
    return (
        _rank_codes(findings, block).group_by(RATING_KEY).agg(games=COUNT) if mixed_cells(findings) else None
    )


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
        _rank_codes(findings, block).join(scores.lazy(), on=RATING_KEY), ["group"], values, every_pair(names)
    )


def _parameters(fit: model.Ratings) -> list[str]:
    """Return the names of the free parameters of a fit."""
    return [f"p{place}" for place in range(fit.free.size)]


def results(findings: Findings) -> list[Results]:
    """Return the results and the fit of each setting and number of seats."""
    return [_results(result_counts(findings), cells) for cells in by_table(mixed_cells(findings))]


def _results(counted: pl.DataFrame, cells: list[Cell]) -> Results:
    table = counted.filter(pl.col("cell").is_in([cell.index for cell in cells]))
    names = list(dict.fromkeys(label for cell in cells for label in cell.labels))
    lineups = {cell.index: [names.index(label) for label in cell.labels] for cell in cells}
    seats = cells[0].seats
    sitting = np.array([lineups[cell] for cell in table["cell"]], dtype=np.int64).reshape(-1, seats)
    rotated = (np.arange(seats) + table["rotation"].to_numpy()[:, np.newaxis]) % seats
    ranks = _ranks_of_codes(table["code"].to_numpy(), seats)
    if cells[0].side:
        reason = "a player wins with its side: the shares say who is stronger, and a match by how much"
        return Results(cells, table, names, None, reason)
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


def _ranks_of_codes(codes: np.ndarray, seats: int) -> np.ndarray:
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
        rated, reason = _ratings(findings, group, pool)
        front = setting_words(pool.cells[0].varied), pool.cells[0].seats
        for kind, name, *elo in rated:
            games = sum(cell.plays for cell in pool.cells if kind == "seat" or name in cell.labels)
            rows.append((*front, kind, name, *elo, games, pool.deals, reason))
    # The order of summation over deals varies, and with it the last digits.
    table = pl.DataFrame(rows, schema=RATINGS_SCHEMA, orient="row").with_columns(
        pl.col("low", "high").round(9)
    )
    return mark_always(table, findings.always)


def _ratings(findings: Findings, group: int, pool: Results) -> tuple[list[tuple[Any, ...]], str | None]:
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
