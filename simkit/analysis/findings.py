"""Findings of a run: named tables, each computed once, on first access."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import polars as pl

from simkit.analysis.table import cells_to_look_at, lineup_words, setting_words
from simkit.errors import unknown
from simkit.runs.folder import Run, open_run

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")
Finding = Callable[["Findings"], pl.DataFrame]
LOG_TABLES = ("games", "seats", "turns", "pieces")
_FINDINGS: dict[str, Finding] = {}


def finding(function: Finding) -> Finding:
    """Register a function of `Findings` as one of its tables, under the function's name."""
    _FINDINGS[function.__name__] = function
    return function


class Findings:
    """Tables of a run: `findings.NAME` is the result of the finding NAME of a module of `simkit.analysis`.

    The unit of every interval is the deal. A table without columns or rows means that the run has no such
    data; those of the course of games raise UsageError for a run without a trace.
    `print(findings)` lists the tables with their contents.

    >>> "seat_shares" in all_findings()
    True
    """

    def __init__(self, run: Run, whole: "Findings | None" = None) -> None:
        self.run = run
        self.whole = whole  # findings of all cells, whose verdicts are joint
        self._cache: dict[Any, Any] = {}

    @property
    def always(self) -> bool:
        """Whether intervals must hold at all interim analyses, because the run used sequential stopping."""
        return self.run.experiment.adaptive

    def __getattr__(self, name: str) -> pl.DataFrame:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in all_findings():
            raise AttributeError(str(unknown("finding", name, all_findings())))
        return self.cached(all_findings()[name])

    def cached(self, function: Callable[["Findings"], T]) -> T:
        """Return the result of a function of these findings, computed once and cached."""
        if function not in self._cache:
            with self.run.reading():
                self._cache[function] = function(self)
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
        front = self.cells.drop("deals", "games", "balanced").cast({"cell": table.schema["cell"]})
        return front.join(table, on="cell", how="inner", maintain_order="left_right")

    def to_pandas(self, name: str) -> "pd.DataFrame":
        """Return a finding, or the table `games`, `seats`, `turns` or `pieces` of the run, as a pandas frame.

        Args:
            name: Name of the finding or of the table.

        Raises:
            AttributeError: There is no finding of this name.
        """
        table = getattr(self.run, name)().collect() if name in LOG_TABLES else getattr(self, name)
        frame: pd.DataFrame = table.to_pandas()
        return frame

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *all_findings()})

    def __repr__(self) -> str:
        docstrings = {name: inspect.getdoc(function) for name, function in sorted(all_findings().items())}
        lines = [f"{name}: {docstring}".partition("\n")[0] for name, docstring in docstrings.items()]
        return "\n".join([f"Findings of {self.run.place}", *lines])


def open_findings(folder: str | Path) -> Findings:
    """Open a run folder and return its findings."""
    return Findings(open_run(folder))


@cache
def all_findings() -> dict[str, Finding]:
    """Return all findings by name, from every module of this package."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")
    return _FINDINGS


@finding
def cells(findings: Findings) -> pl.DataFrame:
    """Per cell: varied options, setting, lineup, deals; balanced: every strategy sat in every seat.

    failed: number of failed games, in a run that keeps going.
    """
    failed = (
        dict(findings.faults.group_by("cell").agg(pl.col("games").sum()).iter_rows())
        if findings.faults.width
        else {}
    )
    rows = []
    for cell in findings.run.cells:
        words = {"setting": setting_words(cell.varied), "lineup": lineup_words(cell.labels)}
        balanced = len(set(cell.labels)) == 1 or cell.rotations == cell.seats
        seats = {"seats": cell.seats, "fair": cell.fair, "baseline": cell.baseline, "balanced": balanced}
        played = {"deals": cell.deals, "games": cell.plays}
        if findings.run.experiment.keep_going:
            played["failed"] = failed.get(cell.index, 0)
        rows.append({"cell": cell.index, **cell.varied, **words, **seats, **played})
    return pl.DataFrame(rows, infer_schema_length=None)
