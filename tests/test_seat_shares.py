"""Which player wins most is said of the setting that is looked at, for each number of players by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from made import made_run

from reports.sections import seats
from simkit.analysis import Findings

ALIKE = {size: ["greedy"] * size for size in (2, 3, 4)}


def heading(folder: Path, sizes: list[int], wins: list[list[float]], deals: int = 2000, **keys: Any) -> str:
    """The heading where each cell's seats win such parts of its games."""
    run = made_run(folder, [ALIKE[size] for size in sizes], [0.5] * len(wins), deals=deals, **keys)
    games, rows = (pl.read_parquet(folder / f"{name}.parquet") for name in ("games", "seats"))
    luck = (np.arange(deals) + 0.5) / deals
    won = [
        pl.DataFrame({"cell": cell, "deal": range(deals), "won": np.searchsorted(np.cumsum(part)[:-1], luck)})
        for cell, part in enumerate(wins)
    ]
    key = pl.concat(won).cast({"cell": pl.Int32, "won": pl.Int32})
    at = pl.col("won")
    games = games.join(key, on=["cell", "deal"]).with_columns(winner=at, draw=pl.lit(False)).drop("won")
    share = (pl.col("seat") == at).cast(pl.Float64)
    rows = rows.join(key, on=["cell", "deal"]).with_columns(share=share).drop("won")
    games.write_parquet(folder / "games.parquet")
    rows.write_parquet(folder / "seats.parquet")
    section = seats.section(Findings(run))
    assert section is not None
    return section.heading


def test_other_settings_do_not_change_who_wins_most(tmp_path: Path) -> None:
    wins = [[0.45, 0.25, 0.3], [0.1, 0.7, 0.2]]
    rules = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}}
    assert heading(tmp_path, [3], wins, **rules) == "The first player wins most, the second least"


def test_each_number_of_players_is_told_by_itself(tmp_path: Path) -> None:
    wins = [[0.9, 0.1], [0.45, 0.25, 0.3], [0.2, 0.2, 0.2, 0.4]]
    said = "The first player wins most with 2 and 3 players, the last with 4"
    assert heading(tmp_path, [2, 3, 4], wins) == said


def test_one_answer_for_all_numbers_of_players_is_told_once(tmp_path: Path) -> None:
    wins = [[0.45, 0.25, 0.3], [0.4, 0.2, 0.2, 0.2]]
    assert heading(tmp_path, [3, 4], wins) == "The first player wins most with 3 and 4 players"


def test_what_may_be_luck_is_no_heading(tmp_path: Path) -> None:
    wins = [[0.35, 0.32, 0.33]]
    assert heading(tmp_path, [3], wins, deals=100) == "No player wins more than others beyond luck"
    wins = [[0.35, 0.32, 0.33], [0.2, 0.2, 0.2, 0.4]]
    said = "The last player wins most with 4 players"
    assert heading(tmp_path / "two", [3, 4], wins, deals=100) == said
