"""Which player wins most is said of the setting that is looked at, for each number of players by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from synthetic import made_run

from reports.sections import seats
from simkit.analysis import Findings
from simkit.engine import registry
from simkit.reporting.text.answer import headline
from simkit.reporting.text.player_counts import who_wins_most

ALIKE = {size: ["greedy"] * size for size in (2, 3, 4)}


def heading(folder: Path, sizes: list[int], wins: list[list[float]], deals: int = 2000, **keys: Any) -> str:
    """The heading where each cell's seats win such parts of its games, all seats by the same player."""
    section = seats.section(won(folder, [ALIKE[size] for size in sizes], wins, deals, **keys))
    assert section is not None
    return section.heading


def won(
    folder: Path, lineups: list[list[str]], wins: list[list[float]], deals: int = 2000, **keys: Any
) -> Findings:
    """Of a run in which each cell's seats win such parts of its games."""
    run = made_run(folder, lineups, [0.5] * len(wins), deals=deals, **keys)
    games, rows = (pl.read_parquet(folder / f"{name}.parquet") for name in ("games", "seats"))
    luck = (np.arange(deals) + 0.5) / deals
    winners = [
        pl.DataFrame({"cell": cell, "deal": range(deals), "won": np.searchsorted(np.cumsum(part)[:-1], luck)})
        for cell, part in enumerate(wins)
    ]
    key = pl.concat(winners).cast({"cell": pl.Int32, "won": pl.Int32})
    at = pl.col("won")
    games = games.join(key, on=["cell", "deal"]).with_columns(winner=at, draw=pl.lit(False)).drop("won")
    share = (pl.col("seat") == at).cast(pl.Float64)
    rows = rows.join(key, on=["cell", "deal"]).with_columns(share=share).drop("won")
    games.write_parquet(folder / "games.parquet")
    rows.write_parquet(folder / "seats.parquet")
    return Findings(run)


def test_other_settings_do_not_change_who_wins_most(tmp_path: Path) -> None:
    wins = [[0.45, 0.25, 0.3], [0.1, 0.7, 0.2]]
    rules = {"sweep": {"second": [12, 14]}, "baseline": {"second": 12}}
    assert heading(tmp_path, [3], wins, **rules) == "The first player wins most, the second least"


def test_each_number_of_players_is_told_by_itself(tmp_path: Path) -> None:
    wins = [[0.9, 0.1], [0.45, 0.25, 0.3], [0.2, 0.2, 0.2, 0.4]]
    message = "The first player wins most with 2 and 3 players, the last with 4"
    assert heading(tmp_path, [2, 3, 4], wins) == message


def test_one_answer_for_all_numbers_of_players_is_told_once(tmp_path: Path) -> None:
    wins = [[0.45, 0.25, 0.3], [0.4, 0.2, 0.2, 0.2]]
    assert heading(tmp_path, [3, 4], wins) == "The first player wins most with 3 and 4 players"


def test_what_may_be_luck_is_no_heading(tmp_path: Path) -> None:
    wins = [[0.35, 0.32, 0.33]]
    assert heading(tmp_path, [3], wins, deals=100) == "Who wins most is not settled"
    wins = [[0.35, 0.32, 0.33], [0.2, 0.2, 0.2, 0.4]]
    message = "The last player wins most with 4 players"
    assert heading(tmp_path / "two", [3, 4], wins, deals=200) == message


def test_of_two_players_who_win_as_much_neither_wins_most(tmp_path: Path) -> None:
    wins = [[0.4, 0.41, 0.19]]
    result = won(tmp_path, [["greedy"] * 3], wins)
    top = result.seat_shares.sort("share")
    assert top["joint_low"][-1] > 1 / 3 and top["joint_low"][-1] < top["joint_high"][-2]
    assert who_wins_most(result, "") == "The last player wins least"


FIRST, LAST, NOBODY = [0.5, 0.3, 0.2], [0.2, 0.3, 0.5], [0.34, 0.33, 0.33]


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        ([FIRST, [0.6, 0.25, 0.15]], "The first player wins most, the last least"),
        ([FIRST, LAST], "Who wins most, who least depends on who plays"),
        ([NOBODY, FIRST], "The first player wins most, the last least when all 3 play banker"),
        ([FIRST, FIRST, NOBODY], "The first player wins most, the last least with 2 of 3 lineups"),
        ([NOBODY, NOBODY], "Who wins most is not settled"),
    ],
)
def test_who_wins_most_holds_with_all_lineups_or_names_them(
    wins: list[list[float]], message: str, tmp_path: Path
) -> None:
    lineups = [[name] * 3 for name in ("greedy", "banker", "courier")][: len(wins)]
    assert who_wins_most(won(tmp_path, lineups, wins), "") == message


def test_lineups_that_disagree_at_one_size_do_not_speak_for_it(tmp_path: Path) -> None:
    lineups = [["greedy"] * 3, ["banker"] * 3, ["greedy"] * 4]
    result = won(tmp_path, lineups, [FIRST, LAST, [0.4, 0.2, 0.2, 0.2]])
    message = "Who wins most with 3 players depends on who plays, the first player wins most with 4 players"
    assert who_wins_most(result, "") == message


def test_the_farthest_is_the_player_farthest_with_one_lineup_not_on_average(tmp_path: Path) -> None:
    """At three seats the last is off by 0.2 with one lineup, and the first by 0.08 on average."""
    lineups = [["greedy"] * 3, ["banker"] * 3]
    result = won(tmp_path, lineups, [[0.25, 0.22, 0.53], [0.35, 0.5, 0.15]], deals=80)
    assert "the third player wins 15 to 53 games of 100 (33 would be fair)" in headline(result)


def test_of_several_cases_it_is_said_that_the_heading_allows_for_all(tmp_path: Path) -> None:
    """So a seat may lie off fair with its whole interval under a heading that calls it luck."""
    several = won(tmp_path / "several", [["greedy"] * 3, ["banker"] * 3], [FIRST, LAST])
    alone = won(tmp_path / "alone", [["greedy"] * 3], [FIRST])
    message = [" ".join(registry.section("seats")(result).text) for result in (several, alone)]
    assert ["the heading allows for all cases" in text for text in message] == [True, False]
