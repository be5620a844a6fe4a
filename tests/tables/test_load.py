"""Decisions and waiting, against games counted by hand, and against what the kernel counts."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal
from synthetic import Story, made_stories

from simkit.runs import experiment, runner
from simkit.runs.folder import Run, open_run
from simkit.tables import course
from simkit.tables.findings import Findings

NOTHING = (0, 0, 0, 0)
# decisions, choices, most choices, steps of each seat, turn by turn
THREE_TURNS = [
    [(1, 4, 4, 2), (1, 3, 3, 1)],
    [NOTHING, (2, 6, 4, 2)],
    [(0, 0, 0, 1), NOTHING],
    [NOTHING, (1, 2, 2, 1)],
]
ONE_TURN = [[(1, 2, 2, 1), NOTHING]]


@pytest.fixture
def two(tmp_path: Path) -> Run:
    stories = [Story([(0, 0)] * 4, (1, 0), load=THREE_TURNS), Story([(0, 0)], (1, 0), load=ONE_TURN)]
    return made_stories(tmp_path, stories)


def test_load_by_hand(two: Run) -> None:
    row = Findings(two).load.row(0, named=True)
    assert (row["games"], row["deals"], row["most"]) == (2, 2, 4)
    assert row["branching"] == pytest.approx(17 / 6)  # choices over decisions
    assert row["choice"] == pytest.approx(6 / 8)  # decisions over steps
    # own turns: seat 0 in 1 and 3 and in the other game's 1, seat 1 in 2 and 4: the first turn belongs to who
    # acted more often
    assert row["per_turn"] == pytest.approx((1 + 0 + 2 + 1 + 1) / 5)
    # between 1 and 3 seat 1 decides twice; between 2 and 4 seat 0 not at all
    assert (row["wait"], row["wait_p95"]) == (pytest.approx(1.0), 2)


def test_games_on_one_deal_are_one_observation(tmp_path: Path) -> None:
    stories = [Story([(0, 0)] * 4, (1, 0), load=THREE_TURNS), Story([(0, 0)], (1, 0), load=ONE_TURN)]
    twice = [
        Story(first.scores, first.share, deal, first.load)
        for deal, first in enumerate(stories)
        for _ in range(2)
    ]
    once, double = (
        Findings(made_stories(tmp_path / name, games)).load for name, games in (("a", stories), ("b", twice))
    )
    assert double["deals"].to_list() == once["deals"].to_list() and double["games"].to_list() == [4]
    names = [
        name for name in once.columns if name not in ("games", "deals") and not name.startswith("choice")
    ]
    assert_frame_equal(once.select(names), double.select(names))


def test_a_game_without_decisions_and_one_without_a_count(tmp_path: Path) -> None:
    forced = made_stories(tmp_path / "forced", [Story([(0, 0)], (1, 0), load=[[(0, 0, 0, 1), NOTHING]])] * 2)
    row = Findings(forced).load.row(0, named=True)
    assert (row["branching"], row["choice"], row["per_turn"], row["wait"]) == (None, 0, 0, None)
    plain = made_stories(tmp_path / "plain", [Story([(0, 0)], (1, 0))])
    assert Findings(plain).load.is_empty()


def test_of_real_games_the_blocks_change_nothing_and_decisions_are_those_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = experiment.parse(
        {
            "question": "?",
            "game": "pig",
            "deals": 60,
            "trace": 60,
            "lineups": ["hold_at*3"],
            "options": {"goal": 30},
        }
    )
    run = open_run(runner.run(request, tmp_path / "run"))
    whole = Findings(run).load
    monkeypatch.setattr(course, "BLOCK_ROWS", 500)
    assert_frame_equal(Findings(run).load, whole)
    traced = run.turns().select(pl.col("decisions", "choices", "steps").sum()).collect().row(0, named=True)
    assert traced["decisions"] == run.games().select(pl.col("decisions").sum()).collect().item()
    assert whole["branching"].item() == pytest.approx(traced["choices"] / traced["decisions"]) == 2
    assert whole["choice"].item() == pytest.approx(traced["decisions"] / traced["steps"])
