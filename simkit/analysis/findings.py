"""What a run says, as tables: each is worked out once, when it is first asked for."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import polars as pl

from simkit import runlog
from simkit.analysis.table import cells_to_look_at
from simkit.errors import unknown
from simkit.runlog import Run

Finding = Callable[["Findings"], pl.DataFrame]
F = TypeVar("F", bound=Callable[..., pl.DataFrame])
_FINDINGS: dict[str, Finding] = {}


def finding(function: F) -> F:
    """Make a function of `Findings` one of its tables, under the function's name."""
    _FINDINGS[function.__name__] = function
    return function


class Findings:
    """The tables of a run: `found.NAME` is the table that the finding NAME of a module of `simkit.analysis` returns.

    Tables hold numbers, no sentences; the unit of every interval is the deal.
    """

    def __init__(self, run: Run, whole: Findings | None = None) -> None:
        self.run = run
        self.whole = whole  # of all cells, whose verdicts were given together
        self._tables: dict[str, pl.DataFrame] = {}
        self._parts: dict[tuple[int, ...], Findings] = {}

    def __getattr__(self, name: str) -> pl.DataFrame:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._tables:
            self._tables[name] = _named(name)(self)
        return self._tables[name]

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *known()})

    def only(self, cells: list[int]) -> Findings:
        """The findings of the same run as if it had these cells only; verdicts stay those of the whole run."""
        key = tuple(cells)
        if key not in self._parts:
            self._parts[key] = Findings(self.run.only(cells), self)
        return self._parts[key]

    def looked(self) -> Findings:
        """Of the cells to look at: those of the baseline, without one those of the first setting."""
        return self.only(cells_to_look_at(self.run))

    def __repr__(self) -> str:
        """The run, and each table with what it says."""
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
