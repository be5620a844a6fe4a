"""Strategies that played every deal alike, in any seating."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import chain, combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse
from scipy.sparse import csgraph

from simkit.runs.plan import Cell
from simkit.runs.table_files import is_file
from simkit.stats import plackett_luce as model
from simkit.stats.comparisons import holm_level
from simkit.stats.quantiles import normal
from simkit.stats.sprt import elo_of_score
from simkit.tables.findings import Findings, as_text, cells_by, finding, holm_adjusted, setting_words
from simkit.tables.own_tables import table_changes
from simkit.tables.pieces import DIFFERENCE_ENDS, pieces
from simkit.tables.reading import (
    COUNT,
    LOG,
    Block,
    Reading,
    deal_counts,
    deal_sums,
    every_pair,
    log_blocks,
    marked,
    moments,
    products,
    reals,
    shares,
    shares_at_every_look,
    text_columns,
    whole,
    widened,
)
from simkit.tables.seats import first_player_advantage

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


def mixed(findings: Findings) -> list[Cell]:
    """Return the cells with more than one strategy."""
    return [cell for cell in findings.run.cells if len(set(cell.labels)) > 1]


def sat_evenly(cells: list[Cell], name: str) -> bool:
    """Return whether a strategy sat in each seat equally often over some cells of one number of seats."""
    seats, shifts = range(cells[0].seats), [(cell, turn) for cell in cells for turn in range(cell.rotations)]
    times = {sum(cell.labels[(seat + turn) % len(seats)] == name for cell, turn in shifts) for seat in seats}
    return len(times) == 1


def by_table(cells: list[Cell]) -> Groups:
    """Return the cells grouped by setting and number of seats."""
    return cells_by(cells, lambda cell: (setting_words(cell.varied), cell.seats))


def _strategy_groups(findings: Findings) -> dict[str, Groups]:
    """Return groups of cells with several strategies: each cell; two-seat pairs by setting; table sizes."""
    two = [cell for cell in mixed(findings) if cell.seats == 2]
    pairs = cells_by(two, lambda cell: (setting_words(cell.varied), frozenset(cell.labels)))
    return {"cell": [[cell] for cell in mixed(findings)], "pair": pairs, "table": by_table(mixed(findings))}


def grouped(rows: pl.LazyFrame, groups: Groups) -> pl.LazyFrame:
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
    return grouped(rows, groups).filter(pl.col("deal") < most)


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
    """Per cell of several strategies, and strategy: games, deals, share, low, high over its seats."""
    table = _strategies_table(findings, "cell", lambda cells, name: {"cell": cells[0].index})
    return findings.with_cells(table.select(pl.exclude("group")))


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
    for cells in by_table(mixed(findings)):
        tables = [list(dict.fromkeys(cell.labels)) for cell in cells]
        pairs = dict.fromkeys(pair for names in tables for pair in permutations(names, 2))
        group = _linked(tables)
        front = setting_words(cells[0].varied), cells[0].seats
        rows += [(*front, name, opponent, group[name]) for name, opponent in pairs]
    return pl.DataFrame(rows, schema=MEETINGS, orient="row")


def _linked(tables: list[list[str]]) -> dict[str, int]:
    """Return the group number of each name; names at one table are in one group.

    >>> _linked([["a", "b"], ["c", "d"], ["b", "e"]])
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


# Skill against luck: spread of strategies, how often the stronger finishes ahead, mirrors by strength.

STEP = elo_of_score(0.6)  # Elo difference of one step of the ladder
LAST = 1000  # place of seats that lost to the game, whose rank is 0
LADDER = text_columns("setting") | whole("seats") | text_columns("best", "worst")
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
    rated = ratings(findings).filter((pl.col("kind") == "strategy") & pl.col("elo").is_not_null())
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
    first = first_player_advantage(findings).drop("elo", "elo_low", "elo_high")
    same = [(cell.index, cell.labels[0]) for cell in findings.run.cells if len(set(cell.labels)) == 1]
    names = pl.DataFrame(same, schema={"cell": first.schema["cell"], "strategy": pl.String}, orient="row")
    ends = {"strategy": "name", "elo_low": "low", "elo_high": "high"}
    rated = ratings(findings).filter(kind="strategy").select("setting", "seats", "elo", **ends)
    alone = first.join(names, on="cell", maintain_order="left")
    table = alone.join(rated, on=["setting", "seats", "strategy"], how="left", maintain_order="left")
    return table.sort("setting", "seats", -pl.col("elo"), nulls_last=True, maintain_order=True)


# Components strengthened by a designer's own cards or tracks: `pieces` with and without the own files.

STRONGER_SCHEMA = whole("cell") | text_columns("piece", "was")
STRONGER_SCHEMA |= reals("before", "now", "change", "change_low", "change_high", "p") | text_columns("why")
NEW, TOO_RARE = "new", "too rare"
Worth = tuple[float | None, ...]  # the values of ENDS
UNKNOWN_WORTH: Worth = (None, None, None)


@finding
def stronger_pieces(findings: Findings) -> pl.DataFrame:
    """Per cell with other files than the baseline and component: worth of having it before and now.

    before, now: `difference` of `pieces` (share won at equal standing with the component less without it) in
    the baseline cell with the same lineup and in this cell; was: its former name, for a changed row of
    `table_changes` from its old cells; why there is no change: new (no former component became it), or too
    rare (too few seats take it in one of the cells for a comparison). change: now less before; interval and
    p-value from both standard errors as if the cells were independent: they share their deals, so that the
    interval is too wide where luck that helps a component helps it in both cells, else too narrow.
    p_adjusted: Holm's adjustment over the components of the cell; the interval has the corresponding level
    (`stats.comparisons.holm_level`). The greatest change first, components without one last. Association, not
    cause; needs a trace.
    """
    if not findings.run.experiment.trace or not findings.run.has_pieces:
        return pl.DataFrame()
    base = {tuple(cell.labels): cell for cell in findings.run.cells if cell.baseline}
    pairs = [(cell, base[key]) for cell in findings.run.cells if (key := tuple(cell.labels)) in base]
    tables = [_compare_cells(findings, cell, old) for cell, old in pairs if _files(cell) != _files(old)]
    return findings.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _files(cell: Cell) -> dict[str, str]:
    return {name: value for name, value in cell.varied.items() if is_file(name)}


def _compare_cells(findings: Findings, cell: Cell, base: Cell) -> pl.DataFrame:
    now, old = (_worth_in_cell(findings, side) for side in (cell, base))
    before = _before(findings, cell, now, old)
    rows = [
        (cell.index, piece, was, *_change_row(worth, UNKNOWN_WORTH if was is None else old[was], was is None))
        for piece, worth in now.items()
        for was in [before.get(piece)]
    ]
    table = holm_adjusted(pl.DataFrame(rows, schema=STRONGER_SCHEMA, orient="row"), "p").drop("p")
    wider, change = normal(holm_level(table["p_adjusted"].drop_nulls())) / normal(0.95), pl.col("change")
    table = table.with_columns((pl.col("change_low", "change_high") - change) * wider + change)
    return table.sort("change", "now", "piece", descending=[True, True, False], nulls_last=True)


def _worth_in_cell(findings: Findings, cell: Cell) -> dict[str, Worth]:
    table = pieces(findings.only([cell.index]))
    return dict(zip(table["piece"], table.select(DIFFERENCE_ENDS).rows(), strict=True)) if table.width else {}


def _before(findings: Findings, cell: Cell, now: dict[str, Worth], old: dict[str, Worth]) -> dict[str, str]:
    """Return the former name of each component: the same, else the one row that became it."""
    origins: dict[str, set[str]] = {}
    changed = table_changes(findings).filter(kind="changed").select("table", "file", "was", "now")
    for name, file, was, piece in changed.rows():
        if _files(cell).get(name) == file and was in old:
            origins.setdefault(piece, set()).add(was)
    only = {piece: min(names) for piece, names in origins.items() if len(names) == 1}
    return {piece: piece if piece in old else only[piece] for piece in now if piece in old or piece in only}


def _change_row(now: Worth, before: Worth, new: bool) -> tuple[float | str | None, ...]:
    """Return before, now, the change with interval and p-value, and the reason if there is none."""
    bounds = [end for end in (*now, *before) if end is not None]
    if len(bounds) < len(now) + len(before):
        return before[0], now[0], None, None, None, None, NEW if new else TOO_RARE
    value, low, high, old_value, old_low, old_high = bounds
    return old_value, value, *_worth_change(value, high - low, old_value, old_high - old_low), ""


def _worth_change(now: float, width: float, before: float, old_width: float) -> tuple[float, ...]:
    """Return the change, its 95 % interval and p-value, from the widths of both intervals."""
    z = normal(0.95)
    error, change = math.hypot(width, old_width) / (2 * z), now - before
    p = math.erfc(abs(change) / error / math.sqrt(2)) if error else float(change == 0)
    return change, change - z * error, change + z * error, p


# Restricted play: share of the one player who plays the program of all others with other weights.


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
    ends = [widened(share, low, high, wider) for share, low, high in rows]
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
    return min(seats, key=seats.__getitem__) if cell.rotations == cell.seats else ""
