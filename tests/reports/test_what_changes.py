"""What else changes: only what is beyond luck is drawn, and of that what moves most against its scatter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.compare.words import greatest_change_sentence
from simkit.content.reports.sections.changes import changes
from synthetic import made_run

from simkit.page.document.parts import Section
from simkit.tables.findings import Findings

SWEEP = {"sweep": {"goal": [1, 2, 3]}, "baseline": {"goal": 1}, "margin": 0.3}


def section(folder: Path, more: dict[int, np.ndarray], shares: list[float] | None = None) -> Section:
    """The section where games of some cells take so many turns more than the baseline's, deal by deal."""
    run = made_run(folder, [["greedy"] * 2], shares or [0.5] * 3, deals=100, **SWEEP)
    path = run.folder / "games.parquet"
    games = pl.read_parquet(path).with_columns(pl.lit(100).cast(pl.Int64).alias("turns"))
    parts = [
        part.with_columns(turns=pl.Series(100 + np.round(more.get(cell, np.zeros(100)))).cast(pl.Int64))
        for (cell,), part in games.group_by("cell", maintain_order=True)
    ]
    pl.concat(parts).write_parquet(path)
    built = changes(Findings(run))
    assert built is not None
    return built


def test_a_greater_difference_that_may_be_luck_does_not_hide_a_sure_one(tmp_path: Path) -> None:
    wild = np.where(np.arange(100) % 2, 41.0, -35.0)  # +3 on average, standard error 3.8
    (picture,) = section(tmp_path, {1: np.full(100, 2.0), 2: wild}).figures
    assert picture.title == "Change of turns"
    assert not section(tmp_path / "wild", {2: wild}).figures


def test_the_table_has_what_is_sure_first_and_shares_in_points(tmp_path: Path) -> None:
    """Games with goal 3 are two turns longer; of all else nothing is sure."""
    (table,) = section(tmp_path, {2: np.full(100, 2.0)}).tables
    rows = table.records()
    sure = [(row["goal"], row["compared"], row["difference"]) for row in rows if row["beyond_noise"] == "yes"]
    assert (3, "turns", 2.0) in sure and {goal for goal, _, _ in sure} == {3}
    assert {row["unit"] for row in rows if row["compared"] == "drawn games"} == {"points"}


DEALS = 200
RULES = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}, "deals": DEALS}


def played(
    folder: Path, turns: np.ndarray, decisions: np.ndarray, points: float = 0, values: list[int] | None = None
) -> Findings:
    """Two rule sets; with the other a game takes more turns and decisions, the second player scores more.

    Turns scatter by 2 from deal to deal, decisions by 20, scores by less than 5.
    """
    keys = RULES | ({"sweep": {"second": values}} if values else {})
    run = made_run(folder, [["a", "a"]], [0.5] * len(values or [12, 14]), **keys)
    luck, other = np.random.default_rng(1).normal(size=DEALS), pl.col("cell") == 1
    games = pl.read_parquet(path := run.folder / "games.parquet")
    usual = {"turns": (100 + 2 * luck, turns), "decisions": (500 + 20 * luck, decisions)}
    for name, (base, more) in usual.items():
        by_deal = pl.DataFrame({"deal": range(DEALS), "base": base, "more": more * np.ones(DEALS)})
        games = games.drop(name).join(by_deal, on="deal", maintain_order="left")
        moved = pl.col("base") + pl.when(other).then("more").otherwise(0.0)
        games = games.with_columns(moved.round().cast(pl.Int64).alias(name)).drop("base", "more")
    games.write_parquet(path)
    seats = pl.read_parquet(path := run.folder / "seats.parquet")
    more = pl.when(other & (pl.col("seat") == 1)).then(points).otherwise(0.0)
    seats.with_columns(pl.col("score") + more).write_parquet(path)
    return Findings(run)


def test_of_turns_and_decisions_that_is_drawn_which_moves_more_against_its_scatter(tmp_path: Path) -> None:
    """One turn is half a standard deviation, 40 decisions are two."""
    result = played(tmp_path, np.array(1.0), np.array(40.0), values=[12, 14, 16])
    (picture,) = changes(result).figures
    assert picture.title == "Change of decisions"
    assert picture.drawing.table["value"].max() == pytest.approx(40)
    assert (
        greatest_change_sentence(result) == "games take 40.0 decisions more (+40.0 to +40.0) with second 14"
    )


def test_what_may_be_luck_is_drawn_nowhere(tmp_path: Path) -> None:
    wild = np.where(np.arange(DEALS) % 2, 401.0, -395.0)  # +3 on average, standard error 28
    result = played(tmp_path, wild, wild)
    assert not changes(result).figures and not greatest_change_sentence(result)
