"""Spread of seats, luck of the deal, joint intervals and Elo: the streamed tables are the statistics of the
deals.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from statsmodels.stats.multitest import multipletests
from synthetic import Story, made_stories

from simkit.runs import experiment, runner
from simkit.runs.folder import Run, open_run
from simkit.stats.deals import intraclass
from simkit.stats.spread import largest_gap
from simkit.stats.sprt import elo_of_score
from simkit.tables.findings import Findings
from tests.stats.by_deal import seat_covariance, seat_intervals


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    request = {
        "question": "?",
        "game": "pig",
        "deals": 150,
        "lineups": ["hold_at, random, hold_at(threshold=10)", "hold_at*2"],
        "options": {"goal": 30},
    }
    return open_run(runner.run(experiment.parse(request), tmp_path_factory.mktemp("pig") / "run"))


def by_deal(run: Run, cell: int) -> np.ndarray:
    """Shares [deal, seat], the plain way."""
    rows = (
        run.seats()
        .filter(cell=cell)
        .collect()
        .group_by("deal", "seat")
        .agg(pl.col("share").mean())
        .sort("deal", "seat")
    )
    return rows["share"].to_numpy().reshape(150, -1)


@pytest.mark.parametrize("cell", [0, 1])
def test_the_spread_is_that_of_the_deals(run: Run, cell: int) -> None:
    row = Findings(run).seat_spread.filter(cell=cell).row(0, named=True)
    expected = seat_covariance(by_deal(run, cell))
    columns = "gap_seen", "gap_by_luck", "gap", "gap_low", "gap_high", "p_value"
    assert [row[name] for name in columns] == pytest.approx(list(largest_gap(expected)), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("cell", [0, 1])
def test_joint_intervals_are_those_of_all_seats_together(run: Run, cell: int) -> None:
    rows = Findings(run).seat_shares.filter(cell=cell)
    expected = seat_intervals(by_deal(run, cell), run.cells[cell].rotations)
    assert rows["joint_low"].to_list() == pytest.approx([first.low for first in expected])
    assert rows["joint_high"].to_list() == pytest.approx([first.high for first in expected])
    assert (rows["joint_low"] <= rows["low"]).all() and (
        cell == 0 or rows["joint_low"].equals(rows["low"].rename("joint_low"))
    )


def test_elo_of_the_first_of_two_seats(run: Run) -> None:
    first = Findings(run).first_player_advantage
    row = first.filter(cell=1).row(0, named=True)
    assert [row["elo"], row["elo_low"], row["elo_high"]] == pytest.approx(
        [elo_of_score(row[x]) for x in ("share", "low", "high")]
    )
    assert first.filter(cell=0)["elo"].item() is None


def test_a_deal_that_decides_everything_and_one_that_decides_nothing(tmp_path: Path) -> None:
    def games(pairs: list[tuple[int, int]]) -> list[Story]:
        return [
            Story([(0, 0)], ((1, 0), (0, 1))[won], deal) for deal, pair in enumerate(pairs) for won in pair
        ]

    same = Findings(made_stories(tmp_path / "same", games([(0, 0), (1, 1)] * 20), ["a", "b"])).deal_luck
    assert same.select("plays", "deals", "correlation").row(0) == (2, 40, pytest.approx(1))
    free = Findings(
        made_stories(tmp_path / "free", games([(0, 0), (0, 1), (1, 0), (1, 1)] * 10), ["a", "b"])
    ).deal_luck
    assert (
        free["correlation"].item() == pytest.approx(0, abs=1e-9)
        and free["low"].item() < 0 < free["high"].item()
    )
    stronger = Findings(
        made_stories(tmp_path / "strong", games([(0, 1), (0, 1), (0, 0)] * 10), ["a", "b"])
    ).deal_luck
    assert stronger["correlation"].item() == pytest.approx(
        0, abs=1e-9
    )  # b always wins from seat 0: strength, not the deal
    assert Findings(made_stories(tmp_path / "once", [Story([(0, 0)], (1, 0))] * 3)).deal_luck.is_empty()


def test_the_correlation_is_pearsons_for_two_plays_of_equal_variance_and_covers() -> None:
    rng, hits = np.random.default_rng(7), 0
    for _ in range(200):
        shared = rng.normal(size=200)
        seen = np.cov([shared + rng.normal(size=200), shared + rng.normal(size=200)])
        result = intraclass(seen, 200)
        assert result is not None
        assert result[0] == pytest.approx(seen[0, 1] / np.trace(seen) * 2)
        hits += result[1] <= 0.5 <= result[2]
    assert 0.90 <= hits / 200 <= 0.99


def test_the_correlation_needs_two_plays_and_something_that_varies() -> None:
    assert intraclass(np.zeros((2, 2)), 50) is None
    with pytest.raises(ValueError, match="two plays"):
        intraclass([[1.0]], 50)


def test_the_p_values_of_several_cells_are_adjusted_as_statsmodels_does(run: Run) -> None:
    table = Findings(run).seat_spread
    assert table["p_adjusted"].to_numpy() == pytest.approx(
        multipletests(table["p_value"].to_numpy(), method="holm")[1]
    )
    assert (table["p_adjusted"] >= table["p_value"]).all() and table["p_adjusted"].min() > table[
        "p_value"
    ].min()


def test_a_single_deal_has_no_spread(tmp_path: Path) -> None:
    row = Findings(made_stories(tmp_path, [Story([(0, 0)], (1, 0))])).seat_spread.row(0, named=True)
    assert row["gap"] is None and row["p_value"] is None


def test_a_run_that_stopped_by_itself_has_no_fixed_limits(tmp_path: Path) -> None:
    request = {
        "question": "?",
        "game": "pig",
        "deals": 400,
        "lineups": ["hold_at*3"],
        "until_verdict": True,
        "options": {"goal": 20},
    }
    run = open_run(runner.run(experiment.parse(request), tmp_path / "run"))
    row = Findings(run).seat_spread.row(0, named=True)
    assert row["gap"] is not None and row["gap_low"] is None and row["p_value"] is None
    seats = Findings(run).seat_shares
    assert (seats["joint_low"] < seats["low"]).all() and (seats["joint_high"] > seats["high"]).all()
