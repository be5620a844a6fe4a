"""What else changes along a sweep: the heading claims only what is beyond luck."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from made import made_run

from reports.sections import what_changes
from simkit.analysis import Findings

SWEEP = {"sweep": {"goal": [1, 2, 3]}, "baseline": {"goal": 1}}


def heading(folder: Path, more: dict[int, np.ndarray]) -> str:
    """The heading where the games of some cells take so many turns more than the baseline's, deal by deal."""
    run = made_run(folder, [["greedy"] * 2], [0.5] * 3, deals=100, **SWEEP)
    path = run.folder / "games.parquet"
    games = pl.read_parquet(path).with_columns(pl.lit(100).cast(pl.Int64).alias("turns"))
    parts = [
        part.with_columns(turns=pl.Series(100 + np.round(more.get(cell, np.zeros(100)))).cast(pl.Int64))
        for (cell,), part in games.group_by("cell", maintain_order=True)
    ]
    pl.concat(parts).write_parquet(path)
    section = what_changes.section(Findings(run))
    assert section is not None
    return section.heading


def test_a_greater_difference_that_may_be_luck_does_not_hide_a_sure_one(tmp_path: Path) -> None:
    wild = np.where(np.arange(100) % 2, 41.0, -35.0)  # +3 on average, standard error 3.8
    assert heading(tmp_path, {1: np.full(100, 2.0), 2: wild}) == "Games are 2.0 turns longer at goal 2"


def test_where_all_may_be_luck_none_is_denied(tmp_path: Path) -> None:
    wild = np.where(np.arange(100) % 2, 41.0, -35.0)
    assert heading(tmp_path, {2: wild}) == "No setting changes the game's length beyond luck"
