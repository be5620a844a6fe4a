"""Findings of a run: its tables by name, each computed once; cells, failed games, and words for settings."""

import importlib.util
import inspect
import pkgutil
from collections.abc import Callable, Hashable, Mapping
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import polars as pl

from simkit.errors import unknown
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import Cell
from simkit.stats.comparisons import holm

if TYPE_CHECKING:
    import pandas as pd

    from simkit.tables.names import TableNames
else:
    TableNames = object  # a stub, which tells editors and mypy the names of the tables (`make stubs`)

T = TypeVar("T")
Finding = Callable[["Findings"], pl.DataFrame]
PLACES = ("simkit.tables", "simkit.questions")  # packages whose modules define tables
LOG_TABLES = ("games", "seats", "turns", "pieces")
TWINS = " = "  # between the names of strategies that made the same moves
_FINDINGS: dict[str, Finding] = {}


class Findings(TableNames):
    """Tables of a run: `findings.NAME` is `NAME(findings)`, the result of a function marked `@finding`.

    The unit of every interval is the deal. A table without columns or rows means that the run has no such
    data; those of the course of games raise UsageError for a run without a trace.
    `print(findings)` lists the tables with their contents.

    >>> "seat_shares" in all_findings()
    True
    """

    def __init__(self, run: Run, whole: "Findings | None" = None) -> None:
        all_findings()  # imports what adds tables
        self.run = run
        self.whole = whole  # findings of all cells, whose verdicts are joint
        self._cache: dict[Any, Any] = {}

    @property
    def always(self) -> bool:
        """Whether intervals must hold at all interim analyses, because the run used sequential stopping."""
        return self.run.experiment.adaptive

    def cached(self, function: Callable[["Findings"], T]) -> T:
        """Return the result of a function of these findings, computed once and cached."""
        if function not in self._cache:
            compute = getattr(function, "__wrapped__", function)  # what `finding` and `attribute` mark
            with self.run.reading():
                self._cache[function] = compute(self)
        result: T = self._cache[function]
        return result

    def only(self, cells: list[int]) -> "Findings":
        """Return the findings restricted to some cells; verdicts stay those of the whole run."""
        if {cell.index for cell in self.run.cells} <= set(cells):
            return self
        part: Findings = self._cache.setdefault(tuple(cells), Findings(self.run.only(cells), self))
        return part

    def of_part(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of a table of the whole run that belong to these cells."""
        cells = [cell.index for cell in self.run.cells]
        return table.filter(pl.col("cell").is_in(cells)) if table.width else table

    def at_baseline(self) -> "Findings":
        """Return the findings of the baseline cells, else of the cells of the first setting."""
        return self.only(cells_to_look_at(self.run))

    def by_size(self) -> "list[tuple[int, Findings]]":
        """Return the findings of each number of players, in order."""
        sizes = sorted({cell.seats for cell in self.run.cells})
        return [(n, self.only([cell.index for cell in self.run.cells if cell.seats == n])) for n in sizes]

    def with_cells(self, table: pl.DataFrame) -> pl.DataFrame:
        """Put the cells' columns before a table: options, setting, lineup, seats, fair share, baseline."""
        if not table.width:
            return table
        front = cells(self).drop("deals", "games", "balanced").cast({"cell": table.schema["cell"]})
        return front.join(table, on="cell", how="inner", maintain_order="left_right")

    def to_pandas(self, name: str) -> "pd.DataFrame":
        """Return a finding, or the table `games`, `seats`, `turns` or `pieces` of the run, as a pandas frame.

        Args:
            name: Name of the finding or of the table.

        Raises:
            AttributeError: There is no finding of this name.
        """
        if name not in LOG_TABLES and name not in all_findings():
            raise AttributeError(str(unknown("finding", name, all_findings())))
        table = getattr(self.run, name)().collect() if name in LOG_TABLES else getattr(self, name)
        frame: pd.DataFrame = table.to_pandas()
        return frame

    def __repr__(self) -> str:
        docstrings = {name: inspect.getdoc(function) for name, function in all_findings().items()}
        lines = [f"{name}: {docstring}".partition("\n")[0] for name, docstring in docstrings.items()]
        return "\n".join([f"Findings of {self.run.place}", *lines])


def open_findings(folder: str | Path) -> Findings:
    """Open a run folder and return its findings."""
    return Findings(open_run(folder))


def finding(function: Finding) -> Finding:
    """Make a function a table of every run: `findings.NAME`, computed once.

    NAME is that of the function without a trailing `_table`, which tells a table from its question. The first
    line of the docstring is what `print(findings)` says of it; `make stubs` tells editors the name.
    """
    table = attribute(function)
    _FINDINGS[_name_of(function)] = table
    return table


def attribute(function: Callable[["Findings"], T]) -> Callable[["Findings"], T]:
    """Make a function an attribute of findings as `finding` does, of any type; it is no table."""

    @wraps(function)
    def cached(findings: "Findings") -> T:
        return findings.cached(cached)

    name = _name_of(function)
    taken = getattr(Findings, name, None)
    owner = getattr(taken, "fget", taken)
    if owner and owner.__module__ != function.__module__:
        raise TypeError(f"two findings are called {name}: in {owner.__module__} and {function.__module__}")
    setattr(Findings, name, property(cached))
    return cached


def _name_of(function: Callable[..., Any]) -> str:
    return function.__name__.removesuffix("_table")


@cache
def all_findings() -> dict[str, Finding]:
    """Return all tables by name: those of any run, and those of one question."""
    for place in PLACES:
        for module in pkgutil.iter_modules(importlib.import_module(place).__path__):
            name = f"{place}.{module.name}"
            importlib.import_module(name)
            if module.ispkg and importlib.util.find_spec(f"{name}.result"):
                importlib.import_module(f"{name}.result")
    return dict(sorted(_FINDINGS.items()))


@finding
def cells(findings: Findings) -> pl.DataFrame:
    """Per cell: varied options, setting, lineup, deals; balanced: every strategy sat in every seat.

    failed: number of failed games, in a run that keeps going.
    """
    failed, rows = dict[int, int](), []
    if faults(findings).width:
        failed = dict(faults(findings).group_by("cell").agg(pl.col("games").sum()).iter_rows())
    for cell in findings.run.cells:
        words = {"setting": setting_words(cell.varied), "lineup": lineup_words(cell.labels)}
        balanced = len(set(cell.labels)) == 1 or cell.rotates_lineup
        seats = {"seats": cell.seats, "fair": cell.fair, "baseline": cell.baseline, "balanced": balanced}
        played = {"deals": cell.deals, "games": cell.plays}
        if findings.run.experiment.keep_going:
            played["failed"] = failed.get(cell.index, 0)
        rows.append({"cell": cell.index, **cell.varied, **words, **seats, **played})
    return pl.DataFrame(rows, infer_schema_length=None)


@finding
def faults(findings: Findings) -> pl.DataFrame:
    """Per cell and fault: number of failed games, and play, deal, seat and FILE:LINE of the first.

    Without columns for a run that does not keep going. Failed games are part of every table: lost by the seat
    whose strategy failed, with the win shared by the others, or lost by all seats where the rules failed.
    """
    if not findings.run.experiment.keep_going:
        return pl.DataFrame()
    rows = findings.run.games().filter(pl.col("fault").is_not_null())
    return _first(rows, ["cell", "fault"], pl.len()).sort("cell", "play").collect(engine="streaming")


@finding
def fault_kinds(findings: Findings) -> pl.DataFrame:
    """Per fault: `faults` of all cells combined, the most frequent first."""
    if faults(findings).is_empty():
        return pl.DataFrame()
    kinds = _first(faults(findings).lazy(), ["fault"], pl.col("games").sum())
    return kinds.sort("games", "play", descending=[True, False]).collect()


def _first(rows: pl.LazyFrame, by: list[str], games: pl.Expr) -> pl.LazyFrame:
    """Return per group the number of games and the details of the first game."""
    first = {name: pl.col(name).sort_by("play").first() for name in ("play", "deal", "fault_seat")}
    line = pl.col("fault_line").sort_by("play").drop_nulls().first()
    return rows.group_by(by).agg(games=games.cast(pl.Int64), **first, fault_line=line)


# Cells in tables: axes of the sweep, words for settings and lineups, groups of cells.


class Axis(NamedTuple):
    """A key of the sweep: its option, or the options that it ties together, and their values."""

    options: tuple[str, ...]
    values: list[tuple[Any, ...]]
    named: bool = False  # whether a number among the values stands for something else

    @property
    def label(self) -> str:
        """Options joined by slashes."""
        return " / ".join(self.options)

    @property
    def whole_numbers(self) -> bool:
        """Whether every tied option is a whole number, so that the values are ordered."""
        return not self.named and all(type(part) is int for value in self.values for part in value)


def axes(run: Run) -> list[Axis]:
    """Return the keys of the sweep with more than one value, in the order of the experiment."""
    swept = []
    for key in run.experiment.sweep:
        names = tuple(name.strip() for name in key.split(","))
        values = list(dict.fromkeys(tuple(cell.varied[name] for name in names) for cell in run.cells))
        if len(values) > 1:
            pairs = [pair for value in values for pair in zip(names, value, strict=True)]
            swept.append(Axis(names, values, any(_is_named(run, *pair) for pair in pairs)))
    return swept


def _is_named(run: Run, name: str, value: Any) -> bool:
    """Return whether a number of an option stands for something that the option names."""
    option = run.words.options.get(name)
    named = option.values if option and isinstance(option.values, dict) else {}
    return type(value) is int and str(value) in named


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
    return ", ".join(f"{name} = {written_value(value)}" for name, value in varied.items())


def written_value(value: object) -> str:
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


def add_holm_p(table: pl.DataFrame, p_values: str) -> pl.DataFrame:
    """Add p_adjusted: Holm's adjustment of a column of p-values over the rows that have one."""
    adjusted = table[p_values].to_numpy().astype(float)
    tested = ~np.isnan(adjusted)
    adjusted[tested] = holm(adjusted[tested])
    return table.with_columns(p_adjusted=pl.Series(adjusted).fill_nan(None))


def columns_of_names(rows: pl.LazyFrame) -> list[str]:
    """Return the columns that hold names, in order."""
    kinds = rows.collect_schema().items()
    return [name for name, kind in kinds if not kind.is_numeric() and kind != pl.Boolean]


def as_text(column: str) -> pl.Expr:
    """Return a column of names as plain text, whatever its encoding in the file."""
    return pl.col(column).cast(pl.String)
