"""What goes with winning: against games counted by hand, statsmodels, and tables whose answer is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from polars.testing import assert_frame_equal
from scipy.stats import t
from synthetic import MadeRun, Story, made_run, made_stories

from simkit.runs import experiment, runner
from simkit.runs.folder import Run, open_run
from simkit.tables import components as parts
from simkit.tables import reading
from simkit.tables.findings import Findings


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


def row_of(run: Run, column: str) -> dict[str, Any]:
    return Findings(run).components.filter(column=column).row(0, named=True)


def shares_of(run: Run, column: str) -> list[tuple[float, ...]]:
    """Return per seat: games and share with much, games and share with little."""
    rows = Findings(run).component_shares.filter(column=column).sort("seat")
    return rows.select("with_games", "with_share", "without_games", "without_share").rows()


def test_having_it_or_not_by_hand(tmp_path: Path) -> None:
    """Seat 0: one with cubes wins, three without win 1 of 3; seat 1: two with win 1, two without 1: weights
    3/4 and 1.
    """
    run = made_stories(tmp_path, FOUR)
    row = row_of(run, "cubes")
    assert (row["has"], row["low"], row["high"], row["deals"]) == (True, 0, 1, 4)
    assert row["difference"] == pytest.approx((3 / 4 * (1 - 1 / 3) + 1 * 0) / (7 / 4))
    assert row["difference_low"] < row["difference"] < row["difference_high"]
    assert shares_of(run, "cubes") == [(1, 1, 3, pytest.approx(1 / 3)), (2, 1 / 2, 2, 1 / 2)]


def test_thirds_by_hand(tmp_path: Path) -> None:
    """Values 1 to 6, each twice, the thirds are 1, 2 and 4 and more; within each seat those with much win 3
    of 3.
    """
    stories = games(
        ((1, 0), {"cards": (5, 1)}), ((1, 0), {"cards": (6, 2)}), ((1, 0), {"cards": (4, 3)}),
        ((0, 1), {"cards": (1, 5)}), ((1, 0), {"cards": (2, 6)}), ((0, 1), {"cards": (3, 4)}),
    )  # fmt: skip
    run = made_stories(tmp_path, stories)
    row = row_of(run, "cards")
    assert (row["has"], row["low"], row["high"]) == (False, 2, 4)
    assert shares_of(run, "cards") == [(3, 1, 2, 1 / 2), (3, pytest.approx(2 / 3), 2, 0)]
    assert row["difference"] == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_shares_by_seat_are_those_counted_in_the_log(tmp_path: Path) -> None:
    """Not adjusted, so the shares with much and with little average to the share of the seat."""
    run = opposite(tmp_path)
    seats = run.seats().collect()
    for seat, (n1, p1, n0, p0) in enumerate(shares_of(run, "cards")):
        own = seats.filter(seat=seat)
        assert (n1, p1) == (own["cards"].sum(), pytest.approx(own.filter(cards=1)["share"].mean()))
        assert (n1 * p1 + n0 * p0) / (n1 + n0) == pytest.approx(own["share"].mean())
    ends = Findings(run).component_shares.select("with_low", "with_share", "with_high").rows()
    assert all(low < share < high for low, share, high in ends)


def opposite(tmp_path: Path) -> MadeRun:
    """The first player wins two games of three and has few cards, the second has many; in either seat more
    cards win more.
    """
    rng, stories = np.random.default_rng(2), []
    for _ in range(1500):
        count = rng.random(2) < (0.1, 0.9)
        first = rng.random() < 0.75 + 0.15 * count[0] - 0.15 * count[1]
        stories.append(
            Story([(0, 0)], (1, 0) if first else (0, 1), log={"cards": (int(count[0]), int(count[1]))})
        )
    return made_stories(tmp_path, stories)


def test_what_goes_with_winning_is_compared_within_seats(tmp_path: Path) -> None:
    run = opposite(tmp_path)
    seats, row = run.seats().collect(), row_of(run, "cards")

    def gap(rows: pl.DataFrame) -> float:
        shares = [rows.filter(cards=cards)["share"].mean() for cards in (1, 0)]
        return float(shares[0] - shares[1])  # type: ignore[operator]

    assert gap(seats) < 0 < min(gap(seats.filter(seat=seat)) for seat in range(2))
    assert 0.1 < row["difference_low"] < 0.15 < row["difference_high"] < 0.25


def test_a_side_that_hardly_any_seat_of_a_group_is_on_is_not_compared(tmp_path: Path) -> None:
    """The rules fix the cards by the seat; one odd seat in a thousand, which won, says nothing."""
    stories = [
        Story([(0, 0)], (1, 0) if game % 2 else (0, 1), log={"cards": (0, int(game != 1))})
        for game in range(1000)
    ]
    assert row_of(made_stories(tmp_path, stories), "cards")["difference"] is None


def test_what_goes_with_winning_is_compared_within_strategies(tmp_path: Path) -> None:
    """b is the stronger and has few cards; whoever has cards wins more of its games."""
    rng, stories = np.random.default_rng(3), []
    for deal in range(1000):
        for turned in (False, True):
            count = rng.random(2) < (0.8, 0.2)  # a, b
            b_wins = rng.random() < 0.7 + 0.15 * count[1] - 0.15 * count[0]
            share, cards = ((0, 1) if b_wins else (1, 0)), (int(count[0]), int(count[1]))
            order = (1, 0) if turned else (0, 1)
            stories.append(
                Story(
                    [(0, 0)],
                    tuple(share[s] for s in order),
                    deal,
                    log={"cards": tuple(cards[s] for s in order)},
                )
            )
    row = row_of(made_stories(tmp_path, stories, ["a", "b"]), "cards")
    assert 0.1 < row["difference_low"] < 0.15 < row["difference_high"] < 0.21


def test_the_difference_is_that_of_a_regression_on_seats_and_strategies_clustered_by_deal(
    tmp_path: Path,
) -> None:
    """Shares on having it and a dummy for each group; statsmodels with the factor G/(G−1) alone."""
    run = opposite(tmp_path)
    seats, row = run.seats().collect().sort("deal", "seat"), row_of(run, "cards")
    has, seat = (seats[name].cast(pl.Float64).to_numpy() for name in ("cards", "seat"))
    fit = sm.OLS(seats["share"].to_numpy(), np.column_stack([has, 1 - seat, seat])).fit(
        cov_type="cluster", cov_kwds={"groups": seats["deal"].to_numpy(), "use_correction": False}
    )
    half = t.ppf(0.975, row["deals"] - 1) * fit.bse[0] * np.sqrt(row["deals"] / (row["deals"] - 1))
    assert (row["difference"], row["deals"]) == (pytest.approx(fit.params[0]), 1500)
    ends = (fit.params[0] - half, fit.params[0] + half)
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(ends, rel=1e-6)


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
    has, low, high = parts.split(pl.Series(values))
    assert (None if low is None else (low, high, has)) == wanted


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
    findings = Findings(run)
    assert findings.telling_columns["column"].to_list() == [
        "lines",
        "points",
    ]  # decides the game; the score itself
    assert findings.components["column"].to_list() == ["cards", "kept"]
    stored = row_of(run, "kept")  # fixed by the seat: nobody of one seat to compare with
    assert (stored["difference"], stored["deals"]) == (None, None)


def test_what_nobody_who_has_it_wins_with_is_left_out(tmp_path: Path) -> None:
    """Some losers are out of the game, in less than half of all games; of those who paid some win."""
    stories = []
    for deal in range(300):
        won, out, paid = deal % 2, int(deal % 5 < 2), int(deal % 7 < 3)
        first = {"out": (out, 0) if won else (0, out), "paid": (paid, deal % 3)}
        stories.append(Story([(0, 0)], (1 - won, won), log=first))
    findings = Findings(made_stories(tmp_path, stories))
    assert findings.telling_columns["column"].to_list() == ["out"]
    few = Findings(made_stories(tmp_path / "few", stories[:50]))
    assert few.telling_columns.is_empty()


def test_what_decides_in_one_lineup_is_left_out_of_all(tmp_path: Path) -> None:
    """In the first cell the column orders winners and others in 96 of 100 games, in the two others in 70 and
    84.
    """
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
    assert Findings(run).telling_columns["column"].to_list() == ["lines"]
    assert set(Findings(run).components["column"]) == {"cards"}


def test_what_the_stronger_does_is_not_taken_for_what_decides(tmp_path: Path) -> None:
    """b wins 90 of 100 games and always has more cubes, also when it loses; lines go with the win whoever
    wins.
    """
    stories = []
    for deal in range(250):
        won = int(deal % 10 != 0)
        cubes, lines = (1, 5 + deal % 3), (1, 3) if won else (3, 1)
        stories.append(Story([(0, 0)], (1 - won, won), log={"cubes": cubes, "lines": lines}))
    run = made_stories(tmp_path, stories, lineup=["a", "b"])
    (seen,) = parts.samples(Findings(run))
    assert parts.all_win(seen) and parts.telling(seen, ["cubes", "lines"]) == ["lines"]


def test_blocks_change_nothing_and_the_surest_difference_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = {"question": "?", "game": "outpost_seven", "deals": 150, "lineups": ["random*2"]}
    run = open_run(runner.run(experiment.parse(request), tmp_path / "run"))
    whole = Findings(run).components
    sure = [
        min(abs(low), abs(high)) * (1 if low * high > 0 else -1)
        for low, high in whole.select("difference_low", "difference_high").drop_nulls().rows()
    ]
    assert sure == sorted(sure, reverse=True) and whole.height > 15
    monkeypatch.setattr(reading, "ranges", lambda run, count: [(0, 40), (40, 41), (41, 150)])
    repeated = Findings(run).components
    assert_frame_equal(repeated.sort("column"), whole.sort("column"))


def test_a_game_that_logs_nothing_of_its_own_has_empty_tables(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5], deals=10)
    assert Findings(run).components.is_empty()
    assert Findings(run).component_shares.is_empty()
    assert Findings(run).telling_columns.is_empty()
