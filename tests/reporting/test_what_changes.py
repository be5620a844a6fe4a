"""What else changes along a sweep: the heading claims only what is beyond luck."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import polars as pl
from simkit.content.reports.sections import changes
from synthetic import made_run, with_words

from simkit.analysis import Findings
from simkit.reporting.pages import Section
from simkit.reporting.text.labels import OF_SEATS

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
    section = changes.section(Findings(run))
    assert section is not None
    return section


def test_a_greater_difference_that_may_be_luck_does_not_hide_a_sure_one(tmp_path: Path) -> None:
    wild = np.where(np.arange(100) % 2, 41.0, -35.0)  # +3 on average, standard error 3.8
    section = text(tmp_path, {1: np.full(100, 2.0), 2: wild})
    assert section.heading == "Games are 2.0 turns longer with goal 2"


def test_where_all_may_be_luck_none_is_denied(tmp_path: Path) -> None:
    wild = np.where(np.arange(100) % 2, 41.0, -35.0)
    assert text(tmp_path, {2: wild}).heading == "Whether a setting changes anything else is not settled"


def test_where_only_who_wins_is_changed_the_heading_leaves_it_out(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["greedy"] * 2], [0.2, 0.2, 0.8], deals=100, **SWEEP)
    seats = run.folder / "seats.parquet"
    pl.read_parquet(seats).with_columns(score=pl.col("deal") % 3).write_parquet(seats)
    section = changes.section(Findings(run))
    assert section is not None
    assert section.heading == "Whether a setting changes anything else is not settled"


def test_seats_along_the_picture_are_called_as_people_call_them(tmp_path: Path) -> None:
    keys = {"label": "start player", "meaning": "who starts", "clause": "", "kind": "integer", "default": 0}
    keys |= {"low": 0, "high": 2, "values": OF_SEATS, "treats": (), "needs": {}, "tries": []}
    run = made_run(
        tmp_path, [["greedy"] * 3], [0.3] * 3, deals=100, sweep={"starts": [0, 1, 2]}, baseline={"starts": 0}
    )
    section = changes.section(Findings(with_words(run, options={"starts": keys})))
    assert section is not None
    texts = re.findall(r">(\w+ seat)<", section.figures[0].drawing.svg())
    assert {"first seat", "second seat", "third seat"} <= set(texts)


def test_the_table_has_what_is_sure_first_and_shares_in_points(tmp_path: Path) -> None:
    """Games with goal 3 are two turns longer; of all else nothing is sure."""
    (table,) = text(tmp_path, {2: np.full(100, 2.0)}).tables
    rows = table.records()
    sure = [(row["goal"], row["compared"], row["difference"]) for row in rows if row["beyond_noise"] == "yes"]
    assert (3, "turns", 2.0) in sure and {goal for goal, _, _ in sure} == {3}
    assert {row["unit"] for row in rows if row["compared"] == "drawn games"} == {"points"}
