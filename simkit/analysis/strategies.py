"""Win shares of strategies: by lineup, against each other strategy, and over all of them."""

from collections.abc import Callable
from itertools import chain, permutations
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse
from scipy.sparse import csgraph

from simkit.analysis.deals import deal_counts, moments, shares, shares_at_every_look, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.analysis.table import cells_by, setting_words, text
from simkit.runs.plan import Cell

Groups = list[list[Cell]]
MEETINGS = texts("setting") | whole("seats") | texts("strategy", "opponent") | whole("group")


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
    return rows.filter(pl.col("cell").is_in(list(number))).with_columns(text("strategy"), group=group)


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
