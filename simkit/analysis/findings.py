"""What a run says, as tables: each is worked out once, when it is first asked for."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from simkit import runlog
from simkit.analysis.table import cells_to_look_at
from simkit.errors import unknown
from simkit.runlog import Run

T = TypeVar("T")
Finding = Callable[["Findings"], pl.DataFrame]
_FINDINGS: dict[str, Finding] = {}


def finding(function: Finding) -> Finding:
    """Make a function of `Findings` one of its tables, under the function's name."""
    _FINDINGS[function.__name__] = function
    return function


class Findings:
    """The tables of a run: `found.NAME` is what the finding NAME of a module of `simkit.analysis` returns.

    Tables hold numbers, no sentences; the unit of every interval is the deal. A table without columns says
    that the run has nothing of the kind. `dir(found)` lists the tables, `print(found)` also says what each
    holds.
    """

    def __init__(self, run: Run, whole: "Findings | None" = None) -> None:
        self.run = run
        self.whole = whole  # of all cells, whose verdicts were given together
        self._kept: dict[Any, Any] = {}

    def __getattr__(self, name: str) -> pl.DataFrame:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.kept(_named(name))

    def kept(self, function: Callable[["Findings"], T]) -> T:
        """What a function makes of these findings, worked out once."""
        if function not in self._kept:
            self._kept[function] = function(self)
        result: T = self._kept[function]
        return result

    def only(self, cells: list[int]) -> "Findings":
        """The findings as if the run had these cells only; verdicts stay those of the whole run."""
        if {cell.index for cell in self.run.cells} <= set(cells):
            return self
        key = tuple(cells)
        if key not in self._kept:
            self._kept[key] = Findings(self.run.only(cells), self)
        part: Findings = self._kept[key]
        return part

    def of_part(self, table: pl.DataFrame) -> pl.DataFrame:
        """The rows of a table of the whole run that are about these cells."""
        cells = [cell.index for cell in self.run.cells]
        return table.filter(pl.col("cell").is_in(cells)) if table.width else table

    def looked(self) -> "Findings":
        """The findings of the cells to look at: those of the baseline, else those of the first setting."""
        return self.only(cells_to_look_at(self.run))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *known()})

    def __repr__(self) -> str:
        """The run, and each table with what it holds."""
        lines = [f"{name}: {_first_line(one)}" for name, one in sorted(known().items())]
        return "\n".join([f"Findings of {self.run.folder}", *lines])


def findings(folder: str | Path) -> Findings:
    """The findings of a run folder."""
    return Findings(runlog.open_run(folder))


@cache
def known() -> dict[str, Finding]:
    """All findings by name: those of every module of this package."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{module.name}")
    return _FINDINGS


def _named(name: str) -> Finding:
    if name not in known():
        raise AttributeError(str(unknown("finding", name, known())))
    return known()[name]


def _first_line(one: Finding) -> str:
    return inspect.cleandoc(one.__doc__ or "").partition("\n")[0]
