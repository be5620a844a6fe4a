"""How often each strategy wins: by lineup, against each other strategy, and over all of them."""

from collections.abc import Callable
from typing import Any

import polars as pl

from simkit.analysis.deals import deal_counts, moments, shares
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.analysis.table import cells_by, setting_words, text
from simkit.experiment import Cell

Groups = list[list[Cell]]


def mixed(found: Findings) -> list[Cell]:
    return [cell for cell in found.run.cells if len(set(cell.labels)) > 1]


def by_table(cells: list[Cell]) -> Groups:
    return cells_by(cells, lambda cell: (setting_words(cell.varied), cell.seats))


def _groups(found: Findings) -> dict[str, Groups]:
    """The cells in which strategies met: each; by setting and pair, of two seats; by setting and seats."""
    two = [cell for cell in mixed(found) if cell.seats == 2]
    pairs = cells_by(two, lambda cell: (setting_words(cell.varied), frozenset(cell.labels)))
    return {"cell": [[cell] for cell in mixed(found)], "pair": pairs, "table": by_table(mixed(found))}


def grouped(rows: pl.LazyFrame, groups: Groups) -> pl.LazyFrame:
    """The rows of the cells of some groups, with the number of the group; strategies as text."""
    number = {cell.index: place for place, cells in enumerate(groups) for cell in cells}
    group = pl.col("cell").replace_strict(number, default=None, return_dtype=pl.Int64)
    return rows.filter(pl.col("cell").is_in(list(number))).with_columns(text("strategy"), group=group)


@LOG("kind", "group", "strategy", "value")
def met_counts(found: Findings, block: Block) -> pl.LazyFrame | None:
    key, share = ["group", "strategy"], pl.col("share").mean()
    kinds = {kind: grouped(block.seats, groups) for kind, groups in _groups(found).items() if groups}
    parts = [deal_counts(rows, key, share).with_columns(kind=pl.lit(kind)) for kind, rows in kinds.items()]
    return pl.concat(parts) if parts else None


def _met(found: Findings, kind: str, front: Callable[[list[Cell], str], dict[str, Any]]) -> pl.DataFrame:
    """Per group and strategy: what `front` says of them; its games, deals, share, low, high."""
    groups = _groups(found)[kind]
    if not groups:
        return pl.DataFrame()
    known = moments(met_counts(found).filter(kind=kind), ["group", "strategy"])
    each = [(groups[group], name) for group, name in known.select("group", "strategy").iter_rows()]
    games = [sum(cell.plays for cell in cells if name in cell.labels) for cells, name in each]
    table = shares(known.with_columns(games=pl.Series(games)))
    return pl.DataFrame([front(cells, name) for cells, name in each]).hstack(table)


@finding
def strategy_shares(found: Findings) -> pl.DataFrame:
    """Per cell of several strategies, and strategy, over its seats: games, deals, share, low, high."""
    table = _met(found, "cell", lambda cells, name: {"cell": cells[0].index})
    return found.with_cells(table.select(pl.exclude("group")))


@finding
def win_matrix(found: Findings) -> pl.DataFrame:
    """Two seats, per setting: share of the row's strategy against the column's; balanced: alike often."""
    table = _met(found, "pair", _pair)
    if table.is_empty():
        return table
    rows = table.sort("group", "strategy", "column").rename({"strategy": "row"}).drop("group")
    return rows.select("setting", "row", "column", pl.exclude("setting", "row", "column"))


def _pair(cells: list[Cell], name: str) -> dict[str, Any]:
    first = [label for cell in cells for label in (cell.labels if cell.rotations > 1 else cell.labels[:1])]
    (other,) = set(cells[0].labels) - {name}
    balanced = first.count(name) == first.count(other)
    return {"setting": setting_words(cells[0].varied), "column": other, "balanced": balanced}


@finding
def ranking(found: Findings) -> pl.DataFrame:
    """Per setting, seats and strategy, over all lineups in which it met another: its share, best first.

    Every lineup counts alike; a deal played by several is one observation.
    """
    table = _met(found, "table", _against)
    if table.is_empty():
        return table
    return table.sort("group", -pl.col("share").round(12), "strategy").drop("group")


def _against(cells: list[Cell], name: str) -> dict[str, Any]:
    met = {label for cell in cells if name in cell.labels for label in cell.labels} - {name}
    return {"setting": setting_words(cells[0].varied), "seats": cells[0].seats, "opponents": len(met)}
