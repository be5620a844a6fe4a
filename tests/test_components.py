"""What goes with winning: against games counted by hand, statsmodels, and tables whose answer is known."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from made import Story, made_run, made_stories

from simkit import analysis, experiment, runlog, runner
from simkit.stats.ratios import difference_from_sums

parts = importlib.import_module(
    "simkit.analysis.components"
)  # the package calls the function by the same name


def games(
    *rows: tuple[tuple[float, float], dict[str, tuple[int, ...]]], deals: list[int] | None = None
) -> list[Story]:
    return [
        Story([(3, 1)], share, None if deals is None else deals[i], log=log)
        for i, (share, log) in enumerate(rows)
    ]


FOUR = games(
    ((1, 0), {"cubes": (2, 0)}),
    ((0, 1), {"cubes": (0, 0)}),
    ((0, 1), {"cubes": (0, 1)}),
    ((1, 0), {"cubes": (0, 3)}),
)  # fmt: skip


def row_of(run: runlog.Run, column: str) -> dict[str, Any]:
    return analysis.components(run).filter(column=column).row(0, named=True)


def test_having_it_or_not_by_hand(tmp_path: Path) -> None:
    row = row_of(made_stories(tmp_path, FOUR), "cubes")
    assert (row["has"], row["low"], row["high"], row["deals"]) == (True, 0, 1, 4)
    assert (row["mean"], row["winners"], row["others"]) == (6 / 8, 3 / 4, 3 / 4)
    assert (row["with_games"], row["with_share"], row["without_games"], row["without_share"]) == (
        3,
        pytest.approx(2 / 3),
        5,
        2 / 5,
    )
    assert row["difference"] == pytest.approx(2 / 3 - 2 / 5)
    assert (
        row["with_low"] < 2 / 3 < row["with_high"]
        and row["difference_low"] < row["difference"] < row["difference_high"]
    )


def test_thirds_by_hand(tmp_path: Path) -> None:
    """Values 1 to 6, each twice: the thirds are 1, 2 and 5, 6; a seat wins with 5, 6, 4 and loses with 1, 2, 3 in every game but one."""
    stories = games(
        ((1, 0), {"cards": (5, 1)}), ((1, 0), {"cards": (6, 2)}), ((1, 0), {"cards": (4, 3)}),
        ((0, 1), {"cards": (1, 5)}), ((1, 0), {"cards": (2, 6)}), ((0, 1), {"cards": (3, 4)}),
    )  # fmt: skip
    row = parts._figures(
        parts._totals(made_stories(tmp_path, stories), 0, {"cards": parts.Split("cards", 2, 5, False)}),
        "cards",
        None,
    )
    assert (row["with_games"], row["with_share"], row["without_games"], row["without_share"]) == (
        4,
        3 / 4,
        4,
        1 / 4,
    )
    assert parts._split(pl.DataFrame({"cards": [1, 2, 3, 4, 5, 6] * 2}), "cards") == parts.Split(
        "cards", 2, 4, False
    )


@pytest.mark.parametrize(
    ("values", "wanted"),
    [
        ([3] * 9, None),
        ([0] * 5 + [2] * 5, (0, 2, True)),
        ([0] + [2] * 19 + [3] * 9, (2, 3, False)),  # nearly all have it: those above the usual value
        ([1] * 8 + [2] * 19 + [3], (1, 2, False)),
        ([-1] * 5 + [0, 4, 5, 6, 7, 8, 9], (-1, 5, False)),  # -1 says "never": no question of having it
    ],
)
def test_where_seats_are_divided(values: list[int], wanted: tuple[float, float, bool] | None) -> None:
    split = parts._split(pl.DataFrame({"x": values}), "x")
    assert (split and split[1:]) == wanted


def test_difference_is_that_of_a_clustered_regression() -> None:
    """Shares on group membership, deals as clusters; statsmodels with the factor G/(G−1) alone."""
    rng = np.random.default_rng(3)
    deal = np.repeat(np.arange(60), 4)
    has = rng.random(240) < 0.4
    won = (rng.random(240) + 0.2 * has + 0.2 * rng.random(60)[deal] > 0.7).astype(float)
    fit = sm.OLS(won, sm.add_constant(has.astype(float))).fit(
        cov_type="cluster", cov_kwds={"groups": deal, "use_correction": False}
    )
    v = np.array(
        [
            [
                (won * has)[deal == d].sum(),
                has[deal == d].sum(),
                (won * ~has)[deal == d].sum(),
                (~has)[deal == d].sum(),
            ]
            for d in range(60)
        ]
    )
    found = difference_from_sums(v.sum(axis=0), v.T @ v, 60)
    half = 2.000995 * fit.bse[1] * np.sqrt(60 / 59)  # Student's t with 59 degrees of freedom
    assert found.difference == pytest.approx(fit.params[1])
    assert (found.low, found.high) == pytest.approx((fit.params[1] - half, fit.params[1] + half), rel=1e-6)


@pytest.mark.parametrize(("totals", "deals"), [([1, 0, 1, 2], 3), ([1, 2, 1, 0], 3), ([1, 2, 1, 2], 0)])
def test_a_difference_needs_both_groups_and_a_deal(totals: list[float], deals: int) -> None:
    with pytest.raises(ValueError, match="observations of both kinds"):
        difference_from_sums(totals, np.eye(4), deals)


def test_what_says_who_won_is_left_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    stories = []
    for _ in range(60):
        first = int(rng.integers(2))
        luck = (int(rng.integers(9)), int(rng.integers(9)))
        own = {
            "lines": (5, 2) if first == 0 else (2, 5),
            "kept": (12, 16),
            "cards": luck,
            "points": (7 + luck[0], luck[1]),
        }
        share = (1, 0) if first == 0 else (0, 1)
        stories.append(Story([(7 + luck[0], luck[1])], share, log=own))
    run = made_stories(tmp_path, stories)
    assert analysis.telling_columns(run) == [
        "lines",
        "kept",
        "points",
    ]  # decides the game; fixed by the seat; the score itself
    assert analysis.components(run)["column"].to_list() == ["cards"]
    assert set(analysis.component_seats(run)["column"]) == {"lines", "kept", "cards", "points"}


def test_what_decides_in_one_lineup_is_left_out_of_all(tmp_path: Path) -> None:
    """In the first cell the column orders winners and others in 96 of 100 games, in the two others in 70 and 84."""
    rows = [won for part in (96, 70, 84) for won in [True] * part + [False] * (100 - part)]
    run = made_run(tmp_path, [["a"] * 2, ["b"] * 2, ["c"] * 2], [0.5] * 3, deals=100)
    shares = pl.read_parquet(tmp_path / "seats.parquet").drop("share").sort("play", "seat")
    column = [int(right == (seat == play % 2)) for play, right in enumerate(rows) for seat in range(2)]
    share = [float(seat == play % 2) for play in range(300) for seat in range(2)]
    luck = np.random.default_rng(1).integers(9, size=600)
    more = {"share": share, "lines": column, "cards": luck}
    shares.with_columns(pl.Series(name, values) for name, values in more.items()).write_parquet(
        tmp_path / "seats.parquet"
    )
    assert analysis.telling_columns(run) == ["lines"]
    assert set(analysis.components(run)["column"]) == {"cards"}


def test_what_the_stronger_does_is_not_taken_for_what_decides(tmp_path: Path) -> None:
    """b wins 90 of 100 games and always has more cubes, also when it loses; lines go with the win whoever wins."""
    stories = []
    for deal in range(250):
        won = int(deal % 10 != 0)
        cubes, lines = (1, 5 + deal % 3), (1, 3) if won else (3, 1)
        stories.append(Story([(0, 0)], (1 - won, won), log={"cubes": cubes, "lines": lines}))
    run = made_stories(tmp_path, stories, lineup=["a", "b"])
    parts_of = parts._sample(run, 0).with_columns((pl.col("share") > 0).alias("won"))
    assert (
        parts._all_win(parts_of) and parts._tells(parts_of, "lines") and not parts._tells(parts_of, "cubes")
    )


def test_means_by_seat_and_counters_of_a_real_run(tmp_path: Path) -> None:
    asked = {
        "question": "?",
        "game": "pig",
        "deals": 200,
        "lineups": ["hold_at, random"],
        "options": {"goal": 40},
    }
    run = runlog.open_run(runner.run(experiment.parse(asked), tmp_path / "run"))
    seats, rows = run.seats().collect(), analysis.component_seats(run)
    for row in rows.rows(named=True):
        assert row["mean"] == pytest.approx(seats.filter(seat=row["seat"])[row["column"]].mean())
    counters = analysis.game_counters(run)
    assert counters["column"].to_list() == ["rolls", "busts"]
    rolls = run.games().collect()["rolls"]
    row = counters.row(0, named=True)
    assert (row["games"], row["mean"], row["sd"]) == (
        400,
        pytest.approx(rolls.mean()),
        pytest.approx(rolls.std()),
    )
    assert [row[f"p{p}"] for p in (5, 50, 95)] == [
        rolls.quantile(p / 100, "higher") if p != 50 else rolls.sort()[199] for p in (5, 50, 95)
    ]


def test_blocks_change_nothing_and_the_surest_difference_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"question": "?", "game": "outpost_seven", "deals": 150, "lineups": ["random*2"]}
    run = runlog.open_run(runner.run(experiment.parse(asked), tmp_path / "run"))
    whole = analysis.components(run)
    sure = [
        min(abs(low), abs(high)) * (1 if low * high > 0 else -1)
        for low, high in whole.select("difference_low", "difference_high").drop_nulls().rows()
    ]
    assert sure == sorted(sure, reverse=True) and whole.height > 15
    monkeypatch.setattr(parts, "blocks", lambda run, games: [(0, 40), (40, 41), (41, 150)])
    again = analysis.components(run)
    for one, other in zip(whole.rows(), again.rows(), strict=True):
        assert (
            one == pytest.approx(other)
            if not any(isinstance(x, (str, bool)) or x is None for x in one)
            else one[2] == other[2]
        )


def test_a_game_that_logs_nothing_of_its_own_has_empty_tables(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5], deals=10)
    assert analysis.components(run).is_empty() and analysis.component_seats(run).is_empty()
    assert analysis.game_counters(run).is_empty() and analysis.telling_columns(run) == []
