"""The spread of seat shares: luck is taken off, the order of seats does not matter, the p-value keeps its
promise.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from simkit.stats.deals import SeatCovariance
from simkit.stats.spread import equality_p_value, largest_gap
from tests.stats.by_deal import seat_covariance
from tests.stats.small_runs import winners

FAIR = np.array([0.5, 0.5])


def _expected(*won: int) -> SeatCovariance:
    """Single games, so many won by each seat."""
    return seat_covariance(np.repeat(np.eye(len(won)), won, axis=0))


@pytest.mark.parametrize(("games", "naive"), [(25, 0.836), (100, 0.921), (1000, 0.974)])
def test_the_naive_balance_of_a_fair_game_is_what_others_report(games: int, naive: float) -> None:
    """Ludii's 1 − |p1 − p2| as reported for a fair game; its exact mean 1 − E|2X − n|/n is .8388, .9204,
    .9748.
    """
    won = np.arange(games + 1)
    exact = float(stats.binom.pmf(won, games, 0.5) @ (1 - np.abs(2 * won - games) / games))
    assert exact == pytest.approx(naive, abs=0.004)
    result = largest_gap(_expected(games // 2, games - games // 2))
    assert 1 - result.by_luck == pytest.approx(exact, abs=0.004)


def test_without_luck_a_fair_game_is_balanced_on_average() -> None:
    """The observed gap minus what luck adds averages to 0 over fair games."""
    rng = np.random.default_rng(4)
    shares = np.full(3, 1 / 3)
    gaps = [largest_gap(seat_covariance(winners(rng, shares, 50))) for _ in range(200)]
    seen, by_luck = [gap.seen for gap in gaps], [gap.by_luck for gap in gaps]
    assert np.mean(seen) == pytest.approx(np.mean(by_luck), abs=3 * np.std(seen) / math.sqrt(200))


def test_a_large_spread_is_hardly_corrected() -> None:
    result = largest_gap(_expected(9_000, 600, 400))
    assert result.seen == pytest.approx(0.86)
    assert result.corrected == pytest.approx(0.86, abs=1e-3)
    assert result.low < 0.86 < result.high and result.high - result.low < 0.02
    assert result.p_value < 1e-100


def test_two_seats_have_the_interval_of_their_share() -> None:
    """The gap is |2p − 1|: Agresti and Coull's interval of p, told twice as wide."""
    result = largest_gap(_expected(700, 300))
    half = 1.96 * math.sqrt(0.7 * 0.3 / 1000)
    assert (result.low, result.high) == (
        pytest.approx(0.4 - 2 * half, abs=0.005),
        pytest.approx(0.4 + 2 * half, abs=0.005),
    )


def test_the_order_of_the_seats_does_not_matter() -> None:
    first, two = largest_gap(_expected(30, 50, 20)), largest_gap(_expected(20, 30, 50))
    assert (first.seen, first.p_value) == (pytest.approx(two.seen), pytest.approx(two.p_value))
    assert first.corrected == pytest.approx(two.corrected, abs=0.005)
    assert (first.low, first.high) == (pytest.approx(two.low, abs=0.01), pytest.approx(two.high, abs=0.01))


def test_equality_is_the_chi_squared_test_where_a_deal_is_a_game() -> None:
    """Near a fair result; the score test takes the variance from the deals, Pearson's from the law of a fair
    game.
    """
    won = (340, 330, 330)
    assert equality_p_value(_expected(*won)) == pytest.approx(stats.chisquare(won).pvalue, rel=1e-2)


def test_with_many_deals_equality_is_hotellings_test() -> None:
    values = winners(np.random.default_rng(8), np.array([0.36, 0.32, 0.32]), 4_000, 2, 0.3)
    expected = seat_covariance(values)
    gap = np.stack([values[:, 0] - values[:, 1], values[:, 1] - values[:, 2]], axis=1)
    mean, inverse = gap.mean(axis=0), np.linalg.inv(np.cov(gap, rowvar=False) / len(gap))
    squared = float(mean @ inverse @ mean)
    hotelling = stats.f.sf(squared * (len(gap) - 2) / (2 * (len(gap) - 1)), 2, len(gap) - 2)
    assert math.log(equality_p_value(expected)) == pytest.approx(math.log(hotelling), rel=0.02)


def test_where_nothing_varies_each_deal_counts_as_one_game() -> None:
    assert equality_p_value(_expected(10, 0)) == pytest.approx(stats.chi2.sf(10, 1))
    assert equality_p_value(seat_covariance([[0.5, 0.5]] * 10)) == 1
    lost = largest_gap(_expected(10, 0))
    assert lost.low < 0.8 and lost.high == 1
    level = largest_gap(seat_covariance([[0.5, 0.5]] * 10))
    assert (level.seen, level.low) == (0, 0) and level.high > 0.2


def test_the_same_numbers_come_out_each_time() -> None:
    assert largest_gap(_expected(30, 50, 20)) == largest_gap(_expected(30, 50, 20))


def test_one_seat_has_no_spread() -> None:
    with pytest.raises(ValueError, match="two seats"):
        largest_gap(seat_covariance([[1.0], [0.0]]))
