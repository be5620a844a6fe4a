"""How often each strategy wins: by lineup, against each other strategy, and over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from simkit.analysis.table import deal_sums, setting_words, share_columns, text, with_cells

if TYPE_CHECKING:
    from simkit.experiment import Cell
    from simkit.runlog import Run


def strategy_shares(run: Run) -> pl.DataFrame:
    """Per cell of several strategies, and strategy, over the seats it sat in: games, deals, share, low, high."""
    cells = mixed(run)
    games = {cell.index: cell.plays for cell in cells}
    sums = deal_sums(run, partial(_rows, cells=cells), ["cell", "strategy"], {"won": pl.col("share")})
    sums = sums.with_columns(
        pl.col("cell").replace_strict(games, return_dtype=pl.Int64, default=0).alias("games")
    )
    return with_cells(run, share_columns(sums, "won", "games"))


def win_matrix(run: Run) -> pl.DataFrame:
    """Two seats: share of the row's strategy against the column's, per setting of the sweep.

    Columns: setting, row, column, balanced (each sat in each seat as often), games, deals, share, low, high.
    """
    parts = [_pair(run, setting, cells) for (setting, _), cells in _pairs(run).items()]
    return pl.concat(parts).sort("order", "row", "column").drop("order") if parts else pl.DataFrame()


def ranking(run: Run) -> pl.DataFrame:
    """Per setting, seats and strategy, over all lineups in which it met another: opponents, games, deals, share, low, high; best first.

    Every lineup counts alike. A deal played by several lineups is one observation.
    """
    parts = []
    for (setting, seats), cells in by_setting(mixed(run)).items():
        sums = deal_sums(run, partial(_rows, cells=cells), ["strategy"], {"won": pl.col("share")})
        met = {name: _met(cells, name) for name in sums["strategy"]}
        columns = [
            pl.Series("setting", [setting] * sums.height, dtype=pl.String),
            pl.Series("seats", [seats] * sums.height, dtype=pl.Int64),
            pl.Series("opponents", [met[name][0] for name in sums["strategy"]], dtype=pl.Int64),
            pl.Series("games", [met[name][1] for name in sums["strategy"]], dtype=pl.Int64),
        ]
        parts.append(share_columns(sums.with_columns(columns), "won", "games").sort("share", descending=True))
    order = ("setting", "seats", "strategy", "opponents", "games", "deals", "share", "low", "high")
    return pl.concat(parts).select(order) if parts else pl.DataFrame()


def _met(cells: Sequence[Cell], name: str) -> tuple[int, int]:
    """How many others a strategy met, and in how many games."""
    mine = [cell for cell in cells if name in cell.labels]
    return len({label for cell in mine for label in cell.labels} - {name}), sum(cell.plays for cell in mine)


def _pair(run: Run, setting: str, cells: list[Cell]) -> pl.DataFrame:
    """Both rows of the matrix for one pair of strategies."""
    sums = deal_sums(run, partial(_rows, cells=cells), ["strategy"], {"won": pl.col("share")})
    names = sorted(set(cells[0].labels))
    other = {names[0]: names[1], names[1]: names[0]}
    sums = sums.with_columns(pl.lit(sum(cell.plays for cell in cells), dtype=pl.Int64).alias("games"))
    table = share_columns(sums, "won", "games").rename({"strategy": "row"})
    return table.select(
        pl.lit(setting).alias("setting"),
        "row",
        pl.col("row").replace_strict(other, return_dtype=pl.String).alias("column"),
        pl.lit(_balanced(cells)).alias("balanced"),
        pl.exclude("row"),
        pl.lit(cells[0].index).alias("order"),
    )


def _pairs(run: Run) -> dict[tuple[str, frozenset[str]], list[Cell]]:
    """The cells of two seats, by setting and pair of strategies."""
    found: dict[tuple[str, frozenset[str]], list[Cell]] = {}
    for cell in mixed(run):
        if cell.seats == 2:
            found.setdefault((setting_words(cell.varied), frozenset(cell.labels)), []).append(cell)
    return found


def _balanced(cells: list[Cell]) -> bool:
    """Whether each strategy sat in each seat in as many games."""
    first = [label for cell in cells for label in (cell.labels if cell.rotations > 1 else cell.labels[:1])]
    return first.count(cells[0].labels[0]) == first.count(cells[0].labels[1])


def mixed(run: Run) -> list[Cell]:
    """The cells in which strategies met."""
    return [cell for cell in run.cells if len(set(cell.labels)) > 1]


def by_setting(cells: list[Cell]) -> dict[tuple[str, int], list[Cell]]:
    """The cells by setting and number of seats."""
    found: dict[tuple[str, int], list[Cell]] = {}
    for cell in cells:
        found.setdefault((setting_words(cell.varied), cell.seats), []).append(cell)
    return found


def _rows(run: Run, cells: list[Cell]) -> pl.LazyFrame:
    """The seats table of some cells, strategies as text."""
    chosen = [cell.index for cell in cells]
    return run.only(chosen).seats().filter(pl.col("cell").is_in(chosen)).with_columns(text("strategy"))
