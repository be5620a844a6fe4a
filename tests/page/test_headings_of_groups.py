"""Headings of a run of several groups hold in each of them, or name the one that they are of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
from synthetic import MadeRun, made_run

from simkit.page.words import course
from simkit.page.words.labels import of_first, over
from simkit.tables.findings import Findings, all_findings

SWEEP = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}}
TWO, SIZES = [["a", "a"], ["b", "b"]], [["a"] * 2, ["a"] * 3, ["b"] * 3]


def played(folder: Path, lineups: list[list[str]], **keys: Any) -> MadeRun:
    """A run of which each cell has longer games and greater scores than the one before."""
    cells = len(lineups) * (2 if "sweep" in keys else 1)
    run = made_run(folder, lineups, [0.3 + 0.1 * cell for cell in range(cells)], deals=60, **keys)
    for name, column in (("games", "turns"), ("seats", "score")):
        table = pl.read_parquet(folder / f"{name}.parquet")
        more = (pl.col(column) + 10 * pl.col("cell").cast(pl.Int64)).alias(column)
        table.with_columns(more).write_parquet(folder / f"{name}.parquet")
    return run


def test_what_looks_at_the_baseline_only_names_it(tmp_path: Path) -> None:
    findings = Findings(played(tmp_path, TWO, **SWEEP))
    base = findings.cells.filter("baseline")["cell"].to_list()
    assert over(findings, base) == ", whoever plays, at second 12"
    assert of_first(findings) == ", when both play a, at second 12"
    assert of_first(Findings(played(tmp_path / "one", TWO[:1]))) == ""
    assert of_first(Findings(played(tmp_path / "two", TWO))) == ", when both play a"


def given(folder: Path, **columns: dict[str, list[float | None]]) -> Findings:
    """Findings of two lineups with these tables in place of their own."""
    findings = Findings(made_run(folder, TWO, [0.5, 0.5], deals=20))
    for name, values in columns.items():
        findings._cache[all_findings()[name]] = pl.DataFrame(
            {"cell": [0, 1]} | values, schema_overrides={"cell": pl.Int32}
        )
    return findings


def test_load_is_told_from_the_least_to_the_most(tmp_path: Path) -> None:
    load = {"per_turn": [1.2, 7.4], "branching": [3.0, 12.0]}
    position = given(tmp_path, load=load)
    wanted = (
        "What a player decides: 1.2 to 7.4 decisions in a turn, among 3 to 12 possibilities, whoever plays"
    )
    assert course.load_sentence(position) == wanted
