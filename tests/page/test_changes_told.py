"""What else changes: the greatest change beyond luck is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.sections.changes import changes
from synthetic import made_run

from simkit.page.words.changes import greatest_change_sentence
from simkit.tables.findings import Findings

DEALS = 200
RULES = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}, "deals": DEALS}


def text(
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
    result = text(tmp_path, np.array(1.0), np.array(40.0), values=[12, 14, 16])
    (picture,) = changes(result).figures
    assert picture.title == "Change of decisions"
    assert picture.drawing.table["value"].max() == pytest.approx(40)
    assert (
        greatest_change_sentence(result) == "Games take 40.0 decisions more (+40.0 to +40.0) with second 14"
    )


def test_what_may_be_luck_is_drawn_nowhere(tmp_path: Path) -> None:
    wild = np.where(np.arange(DEALS) % 2, 401.0, -395.0)  # +3 on average, standard error 28
    result = text(tmp_path, wild, wild)
    assert not changes(result).figures and not greatest_change_sentence(result)
