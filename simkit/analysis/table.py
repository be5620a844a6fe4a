"""Cells of a run as shown in tables: axes of the sweep, settings and lineups in words, cells to look at."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.stats.comparisons import holm

TWINS = " = "  # between the names of strategies that made the same moves


class Axis(NamedTuple):
    """A key of the sweep: its option, or the options that it ties together, and their values."""

    options: tuple[str, ...]
    values: list[tuple[Any, ...]]

    @property
    def label(self) -> str:
        """Options joined by slashes."""
        return " / ".join(self.options)

    @property
    def whole_numbers(self) -> bool:
        """Whether every tied option is a whole number, so that the values are ordered."""
        return all(type(part) is int for value in self.values for part in value)


def axes(run: Run) -> list[Axis]:
    """Return the keys of the sweep with more than one value, in the order of the experiment."""
    swept = []
    for key in run.experiment.sweep:
        names = tuple(name.strip() for name in key.split(","))
        values = list(dict.fromkeys(tuple(cell.varied[name] for name in names) for cell in run.cells))
        if len(values) > 1:
            swept.append(Axis(names, values))
    return swept


def lineup_words(lineup: list[str]) -> str:
    """Return a lineup in words.

    >>> lineup_words(["greedy", "greedy"]), lineup_words(["greedy", "random"]), lineup_words(["greedy"] * 3)
    ('greedy mirror', 'greedy, random', 'greedy × 3')
    """
    if len(set(lineup)) > 1:
        return ", ".join(lineup)
    return f"{lineup[0]} mirror" if len(lineup) == 2 else f"{lineup[0]} × {len(lineup)}"


def setting_words(varied: Mapping[str, Any]) -> str:
    """Return the options set by the sweep in words.

    >>> setting_words({"goal": 50, "faces": 6})
    'goal = 50, faces = 6'
    """
    return ", ".join(f"{name} = {typed(value)}" for name, value in varied.items())


def typed(value: object) -> str:
    """Return the value of an option as written in files and commands."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def cells_to_look_at(run: Run) -> list[int]:
    """Return the cells of the baseline; without one those of the first setting."""
    base = [cell.index for cell in run.cells if cell.baseline]
    return base or [cell.index for cell in run.cells if cell.varied == run.cells[0].varied]


def cells_by(cells: list[Cell], key: Callable[[Cell], Hashable]) -> list[list[Cell]]:
    """Return the cells grouped by a key, in order of first occurrence."""
    groups: dict[Hashable, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    return list(groups.values())


def holm_adjusted(table: pl.DataFrame, p_values: str) -> pl.DataFrame:
    """Add p_adjusted: Holm's adjustment of a column of p-values over the rows that have one."""
    adjusted = table[p_values].to_numpy().astype(float)
    tested = ~np.isnan(adjusted)
    adjusted[tested] = holm(adjusted[tested])
    return table.with_columns(p_adjusted=pl.Series(adjusted).fill_nan(None))


def columns_of_names(rows: pl.LazyFrame) -> list[str]:
    """Return the columns that hold names, in order."""
    kinds = rows.collect_schema().items()
    return [name for name, kind in kinds if not kind.is_numeric() and kind != pl.Boolean]


def text(column: str) -> pl.Expr:
    """Return a column of names as plain text, whatever its encoding in the file."""
    return pl.col(column).cast(pl.String)
