"""What else changes along a sweep: only what is beyond luck is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from simkit.content.reports.sections.changes import changes
from synthetic import made_run

from simkit.page.document.parts import Section
from simkit.tables.findings import Findings

SWEEP = {"sweep": {"goal": [1, 2, 3]}, "baseline": {"goal": 1}, "margin": 0.3}


def text(folder: Path, more: dict[int, np.ndarray], shares: list[float] | None = None) -> Section:
    """The section where games of some cells take so many turns more than the baseline's, deal by deal."""
    run = made_run(folder, [["greedy"] * 2], shares or [0.5] * 3, deals=100, **SWEEP)
    path = run.folder / "games.parquet"
    games = pl.read_parquet(path).with_columns(pl.lit(100).cast(pl.Int64).alias("turns"))
    parts = [
        part.with_columns(turns=pl.Series(100 + np.round(more.get(cell, np.zeros(100)))).cast(pl.Int64))
        for (cell,), part in games.group_by("cell", maintain_order=True)
    ]
    pl.concat(parts).write_parquet(path)
    section = changes(Findings(run))
    assert section is not None
    return section


def test_a_greater_difference_that_may_be_luck_does_not_hide_a_sure_one(tmp_path: Path) -> None:
    wild = np.where(np.arange(100) % 2, 41.0, -35.0)  # +3 on average, standard error 3.8
    (picture,) = text(tmp_path, {1: np.full(100, 2.0), 2: wild}).figures
    assert picture.title == "Change of turns"
    assert not text(tmp_path / "wild", {2: wild}).figures


def test_the_table_has_what_is_sure_first_and_shares_in_points(tmp_path: Path) -> None:
    """Games with goal 3 are two turns longer; of all else nothing is sure."""
    (table,) = text(tmp_path, {2: np.full(100, 2.0)}).tables
    rows = table.records()
    sure = [(row["goal"], row["compared"], row["difference"]) for row in rows if row["beyond_noise"] == "yes"]
    assert (3, "turns", 2.0) in sure and {goal for goal, _, _ in sure} == {3}
    assert {row["unit"] for row in rows if row["compared"] == "drawn games"} == {"points"}
