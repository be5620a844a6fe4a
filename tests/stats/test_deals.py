"""What has the deal as its unit: agreement with SciPy and statsmodels, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.proportion import multinomial_proportions_confint

from simkit.stats import deals
from simkit.stats.deals import wilson
from tests.stats.by_deal import paired_difference, seat_covariance, seat_intervals, share_interval


@pytest.mark.parametrize(("won", "of", "low", "high"), [(53, 150, 0.2814, 0.4326), (20, 25, 0.6087, 0.9114)])
def test_the_golden_wilson_intervals(won: int, of: int, low: float, high: float) -> None:
    result = share_interval([1.0] * won + [0.0] * (of - won))
    assert (round(result.low, 4), round(result.high, 4)) == (low, high)
    assert (result.games, result.deals, result.effective) == (of, of, of)


@pytest.mark.parametrize("won", [0, 1, 7, 39, 40])
def test_independent_games_give_the_interval_of_scipy(won: int) -> None:
    result = share_interval([1.0] * won + [0.0] * (40 - won))
    expected = stats.binomtest(won, 40).proportion_ci(method="wilson")
    assert result.low == pytest.approx(expected.low, abs=1e-12)
    assert result.high == pytest.approx(expected.high, abs=1e-12)


def test_rotations_that_repeat_the_game_tell_no_more_than_one_game_per_deal() -> None:
    once = [1.0] * 30 + [0.0] * 70
    single, repeated = share_interval(once), share_interval(once, rotations=4)
    assert repeated.games == 400
    assert 0.97 * single.effective < repeated.effective <= single.effective


def test_rotations_that_average_luck_out_tell_more() -> None:
    assert share_interval([0.5] * 90 + [1.0] * 10, rotations=2).effective > 200


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_without_variance_every_deal_counts_as_one_game(value: float) -> None:
    result = share_interval([value] * 50, rotations=2)
    assert result.effective == 50
    assert (result.low, result.high) == wilson(value, 50)


def test_a_single_deal_has_an_honest_interval() -> None:
    result = share_interval([1.0])
    assert result.low < 0.25 and result.high == 1


@pytest.mark.parametrize(("deals_", "games"), [(0, 0), (10, 9)])
def test_fewer_games_than_deals_are_refused(deals_: int, games: int) -> None:
    with pytest.raises(ValueError, match="needed"):
        deals.share_from_moments(0.5, 0.25, deals_, games)


def test_a_paired_difference_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    base = rng.random(200)
    other = base + 0.1 * rng.standard_normal(200)
    result = paired_difference(other, base)
    expected = stats.ttest_rel(other, base).confidence_interval()
    assert (result.low, result.high) == (pytest.approx(expected.low), pytest.approx(expected.high))
    assert result.factor == pytest.approx((other.var(ddof=1) + base.var(ddof=1)) / (other - base).var(ddof=1))
    assert result.factor > 5


def test_equal_results_on_every_deal_prove_no_equality() -> None:
    result = paired_difference([1.0, 0.0] * 50, [1.0, 0.0] * 50, bound=1.0)
    assert (
        result.difference == 0
        and result.high == pytest.approx(wilson(0, 100)[1])
        and result.low == -result.high
    )
    assert result.factor == math.inf


def test_a_difference_of_shares_is_wider_with_the_bound_known_and_stays_within_it() -> None:
    """Bonett & Price 2012: (1 + the deals that differ one way) / (n + 2)."""
    a, b = [1.0] * 6 + [0.0] * 44, [0.0] * 5 + [1.0] * 1 + [0.0] * 43 + [1.0]
    result = paired_difference(a, b, bound=1.0)
    up, down = 6 / 52, 2 / 52
    half = stats.norm.ppf(0.975) * math.sqrt((up + down - (up - down) ** 2) / 52)
    assert (result.low, result.high) == (pytest.approx(up - down - half), pytest.approx(up - down + half))
    assert paired_difference([1.0] * 19 + [0.0], [0.0] * 20, bound=1.0).high <= 1


def test_the_bound_matters_less_the_more_plays_a_deal_has() -> None:
    a, b = [0.5, 1.0, 0.0, 0.5] * 10, [0.5, 0.5, 0.0, 0.0] * 10
    first, two = (paired_difference(a, b, 1.0, plays=plays) for plays in (1, 2))
    assert first.low < two.low < two.difference < two.high < first.high


def test_seat_intervals_of_single_games_are_those_of_goodman() -> None:
    values = np.repeat(np.eye(4), [30, 40, 20, 10], axis=0)
    expected = multinomial_proportions_confint([30, 40, 20, 10], method="goodman")
    assert np.array([(first.low, first.high) for first in seat_intervals(values)]) == pytest.approx(expected)


def test_permuting_the_seats_permutes_their_intervals() -> None:
    values = np.repeat(np.eye(3), [30, 50, 20], axis=0)
    assert seat_intervals(values[:, [2, 0, 1]]) == [seat_intervals(values)[i] for i in (2, 0, 1)]


def test_the_seat_covariance_is_the_cluster_robust_one_of_statsmodels() -> None:
    """A regression of the single results on seats, clustered by deal; statsmodels' small-sample factor is
    taken out.
    """
    rng = np.random.default_rng(3)
    plays = (rng.random((60, 2, 1)) < [0.2, 0.5, 0.9]).astype(float)  # deal, play, seat
    result = seat_covariance(plays.mean(axis=1))
    design = np.tile(np.eye(3), (120, 1))
    fit = OLS(plays.reshape(-1), design).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(60), 6), "use_correction": False}
    )
    assert result.means == pytest.approx(fit.params)
    assert result.covariance == pytest.approx(fit.cov_params() * 60 / 59)


@pytest.mark.parametrize("off", [3, 5, 10, 40])
@pytest.mark.parametrize("count", [100, 2000])
def test_an_interval_that_rests_on_few_deals_off_the_commonest_mean_holds_the_truth(count, off):
    """Rotated pairs of which nearly every one is shared: the variance is known from a few deals only."""
    rng, truth = np.random.default_rng(off), 0.5 + off / (2 * count)
    results = [share_interval(0.5 + 0.5 * (rng.random(count) < off / count), rotations=2) for _ in range(500)]
    assert np.mean([first.low <= truth <= first.high for first in results]) >= 0.92


def test_one_game_lost_of_eighty_leaves_little_more_open_than_none() -> None:
    """Rotated pairs: the lost game is the only one off, but no share scatters more than single games do."""
    all_won, one_lost = (share_interval([1.0] * 39 + [last], rotations=2) for last in (1.0, 0.5))
    assert all_won.low - 0.05 < one_lost.low < all_won.low and one_lost.effective == 40
