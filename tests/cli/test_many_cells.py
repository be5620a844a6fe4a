"""The work of a summary grows with the number of cells, and no faster."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import polars as pl
import pytest
from simkit.content.reports import compare, sweep
from simkit.content.reports.sections.answer import balance_answer
from synthetic import MadeRun, made_run

import simkit
from simkit.ask.results import Result
from simkit.page.terminal import everything, screen
from simkit.page.words.numbers import TableRow
from simkit.stats import spread, verdicts
from simkit.tables.findings import Findings
from tests.everyday import everyday

SOURCES = str(Path(simkit.__file__).parent)
GROWTH = 2.3  # of the work at twice the cells: linear with some room for what is sorted


class Work:
    """Calls of functions of simkit, and rows that tables look through when they are filtered."""

    def __init__(self) -> None:
        self.calls = self.rows = 0

    def count_call(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(SOURCES):
            self.calls += 1


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    work, select = Work(), pl.DataFrame.filter

    def filtered(self: pl.DataFrame, *predicates: Any, **constraints: Any) -> pl.DataFrame:
        work.rows += self.height
        return select(self, *predicates, **constraints)

    monkeypatch.setattr(pl.DataFrame, "filter", filtered)
    sys.setprofile(work.count_call)
    try:
        yield work
    finally:
        sys.setprofile(None)
        monkeypatch.undo()


def swept(folder: Path, lineups: list[list[str]]) -> MadeRun:
    keys: dict[str, Any] = {"sweep": {"goal": [50, 60]}, "baseline": {"goal": 50}}
    return made_run(folder, lineups, [0.5] * 2 * len(lineups), deals=2, **keys)


def document(findings: Findings) -> TableRow:
    """The JSON document of a run, with its brief."""
    result = Result(findings.run)
    return sweep.document(result, result.brief)


KINDS = {
    "every cell a pair of its own": lambda place: [f"a{place}", f"b{place}"],
    "every cell a mirror of its own": lambda place: [f"a{place}"] * 2,
    "one strategy against all others": lambda place: ["a", f"b{place}"],
}


@pytest.mark.slow
@pytest.mark.parametrize("text", everyday([screen, everything, document], 1))
@pytest.mark.parametrize("kind", everyday(KINDS, 1))
def test_twice_the_cells_take_twice_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, text: Any
) -> None:
    sizes = [100, 200]
    runs = [swept(tmp_path / f"{size}", [KINDS[kind](place) for place in range(size)]) for size in sizes]
    balance_answer(Findings(runs[0]))  # what is looked up once, in all
    work = []
    for run in runs:
        with counted(monkeypatch) as done:
            findings = Findings(run)
            findings.cached(balance_answer)
            list(text(findings))
        work.append(done)
    few, count = work
    assert few.calls < count.calls <= GROWTH * few.calls
    assert 0 < few.rows < count.rows <= GROWTH * few.rows


@pytest.mark.parametrize(
    "module, name", [(verdicts, "evidence_of_cell"), (verdicts, "deals_that_do"), (spread, "_limits")]
)
def test_cells_with_the_same_results_are_worked_out_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    function, calls = getattr(module, name), [0, 0]
    for turn, size in enumerate((30, 60)):
        findings = Findings(
            made_run(
                tmp_path / f"{size}", [[f"a{place}"] * 2 for place in range(size)], [0.5] * size, deals=30
            )
        )

        def count(*given: Any, turn: int = turn) -> Any:
            calls[turn] += 1
            return function(*given)

        monkeypatch.setattr(module, name, count)
        assert findings.first_player_advantage.height == findings.seat_spread.height == size
    assert 0 < calls[0] == calls[1]


@pytest.mark.slow
def test_a_page_of_twice_the_cells_takes_twice_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [swept(tmp_path / f"{size}", [["a", f"b{place}"] for place in range(size)]) for size in (30, 60)]
    compare.recipe.build(runs[0])  # what is looked up once, in all
    work = []
    for run in runs:
        with counted(monkeypatch) as done:
            compare.recipe.build(run)
        work.append(done)
    few, count = work
    assert few.calls < count.calls <= GROWTH * few.calls
    assert 0 < few.rows < count.rows <= GROWTH * few.rows
