"""Fitted curves and where they meet a target: against statsmodels, Fieller's closed form, and simulation."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import special, stats

from simkit.stats import crossing, equalising

X = np.array([12.0, 14, 16, 18, 20, 22, 24])


def test_least_squares_as_statsmodels_does_it():
    rng = np.random.default_rng(1)
    y, variance = 0.6 - 0.01 * X + rng.normal(0, 0.01, X.size), 1e-4
    curve, design = crossing.fit(X, y, np.eye(X.size) * variance, 1), sm.add_constant(X)
    same = sm.OLS(y, design).fit()
    assert curve.at(X) == pytest.approx(same.fittedvalues)
    assert curve.error(X) == pytest.approx(
        np.sqrt(variance * np.diag(design @ same.normalized_cov_params @ design.T))
    )
    assert curve.lack == pytest.approx(stats.chi2.sf((same.resid**2).sum() / variance, X.size - 2))


def test_a_setting_that_never_varied_does_not_outweigh_the_others():
    y = 1 / (1 + np.exp((X - 18) / 1.5))
    spread = np.diag(y * (1 - y) / 2000)
    spread[0, 0] = 0.0
    flat = crossing.fit(X, y, spread, 3)
    assert np.abs(flat.at(X) - y).max() < 0.06


def test_a_crossing_at_either_end_of_the_range_is_found():
    line = crossing.fit([0, 1, 2], [0.6, 0.55, 0.5], np.eye(3) * 1e-4, 1)
    assert [round(one.value, 6) for one in crossing.crossings(line, float(line.at(2.0)), 0, 2)] == [2.0]
    assert [round(one.value, 6) for one in crossing.crossings(line, float(line.at(0.0)), 0, 2)] == [0.0]


def test_the_interval_of_a_line_is_fiellers():
    y, variance = 0.7 - 0.01 * X, 4e-5
    curve = crossing.fit(X, y, np.eye(X.size) * variance, 1)
    (found,) = crossing.crossings(curve, 0.5, 12, 28)
    z2, n, b = stats.norm.ppf(0.975) ** 2, X.size, 0.01
    sxx = ((X - X.mean()) ** 2).sum()
    g = z2 * variance / (b**2 * sxx)
    centre = X.mean() + (20 - X.mean()) / (1 - g)
    half = math.sqrt(z2 * variance) / (b * (1 - g)) * math.sqrt((1 - g) / n + (20 - X.mean()) ** 2 / sxx)
    assert found.value == pytest.approx(20)
    assert (found.low, found.high) == pytest.approx((centre - half, centre + half), abs=0.02)


def common_luck(rng, slope=-0.012, deals=2000, fair_at=20.0):
    """Wins on common deals: the same uniform number decides at every setting."""
    luck = rng.random(deals)
    own = rng.random((deals, X.size))
    chance = 0.5 + slope * (X - fair_at)
    return np.where(own < 0.5, luck[:, np.newaxis], rng.random((deals, X.size))) < chance


def test_the_interval_covers_with_common_deals():
    rng, held, width = np.random.default_rng(2), 0, []
    for _ in range(150):
        won = common_luck(rng)
        curve = crossing.fit(X, won.mean(axis=0), np.cov(won.T) / len(won), 1)
        (found,) = crossing.crossings(curve, 0.5, 12, 28)
        held += found.low <= 20 <= found.high
        width.append(found.high - found.low)
    assert 0.90 <= held / 150 <= 0.99
    assert np.median(width) < 4


def test_an_interval_far_narrower_than_the_range_is_as_exact_as_a_wide_one():
    line = crossing.fit(X, 0.7 - 0.01 * X, np.eye(X.size) * 1e-10, 1)
    (wide,), (near,) = crossing.crossings(line, 0.5, -1000, 1000), crossing.crossings(line, 0.5, 19.9, 20.1)
    assert wide == pytest.approx(near, abs=1e-8) and wide.high - wide.low > 1e-4


def test_the_degree_follows_from_the_number_of_settings_alone():
    rng = np.random.default_rng(3)
    for settings, degree in ((2, 1), (3, 2), (5, 2), (6, 3), (9, 3)):
        for _ in range(3):
            assert (
                crossing.local(np.arange(settings), rng.random(settings), np.eye(settings)).weights.shape[0]
                == degree + 1
            )


def test_log_odds_scatter_as_their_covariance_says():
    rng, shares = np.random.default_rng(4), np.array([0.35, 0.5])
    seen = [(rng.random((2000, 1)) < shares).mean(axis=0) for _ in range(400)]  # the same luck for both
    law = (np.minimum.outer(shares, shares) - np.outer(shares, shares)) / 2000
    found = [crossing.log_odds(one, law, 2000).values for one in seen]
    assert np.cov(np.array(found).T) == pytest.approx(
        crossing.log_odds(shares, law, 2000).covariance, rel=0.15
    )
    assert np.mean(found, axis=0) == pytest.approx(np.log(shares / (1 - shares)), abs=0.006)


def test_a_share_that_never_varied_has_finite_and_uncertain_log_odds():
    found = crossing.log_odds([0.0, 1.0], np.zeros((2, 2)), 500)
    assert found.values == pytest.approx([-math.log(1001), math.log(1001)])
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx([1.41, 1.41], abs=0.02)


def test_no_crossing_several_crossings_and_open_ends():
    spread = np.eye(X.size) * 1e-6
    assert crossing.crossings(crossing.fit(X, 0.9 - 0.01 * X, spread, 1), 0.5, 12, 24) == []
    two = crossing.crossings(crossing.fit(X, 0.49 + 0.001 * (X - 18) ** 2, spread, 2), 0.5, 12, 24)
    assert [round(one.value, 2) for one in two] == [14.84, 21.16]
    wide = crossing.crossings(crossing.fit(X, 0.518 - 0.001 * X, np.eye(X.size) * 1e-4, 1), 0.5, 12, 24)
    assert (wide[0].low, wide[0].high) == (-math.inf, math.inf)


def test_what_two_curves_have_in_common_narrows_their_difference():
    spread = np.eye(X.size) * 1e-5
    a, b = (crossing.fit(X, start - 0.01 * X, spread, 1) for start in (0.70, 0.71))
    alone = crossing.difference_of_crossings(a, 20.0, b, 21.0, np.zeros((X.size, X.size)))
    together = crossing.difference_of_crossings(a, 20.0, b, 21.0, 0.9 * spread)
    assert alone[0] == together[0] == -1.0
    assert (together[2] - together[1]) / (alone[2] - alone[1]) == pytest.approx(math.sqrt(0.1), rel=0.1)


def test_bad_shapes_are_refused():
    with pytest.raises(ValueError, match="degree 2 needs more than 2 settings"):
        crossing.fit([1, 2], [0.5, 0.4], np.eye(2), 2)
    with pytest.raises(ValueError, match="two settings"):
        crossing.local([1], [0.5], [[1e-4]])
    with pytest.raises(ValueError, match="shares from 0 to 1"):
        crossing.log_odds([1.2], [[1e-4]], 100)
    with pytest.raises(ValueError, match="low to high"):
        crossing.crossings(crossing.fit(X, 0.6 - 0.01 * X, np.eye(X.size), 1), 0.5, 3, 3)
    with pytest.raises(ValueError, match="flat"):
        flat = crossing.fit(X, 0 * X, np.eye(X.size), 1)
        crossing.difference_of_crossings(flat, 1.0, flat, 1.0, np.eye(X.size))
    with pytest.raises(ValueError, match="2 options need 3 settings"):
        equalising.equal_setting([[1, 1], [2, 2]], [[0.5, 0.5]] * 2, np.eye(4), 100, ([1, 1], [0, 0], [3, 3]))
    with pytest.raises(ValueError, match="covariance"):
        equalising.equal_setting([[1], [2]], [[0.5, 0.5]] * 2, np.eye(3), 100, ([1], [0], [3]))


SQUARE = np.array([[4, 4], [2, 4], [6, 4], [4, 2], [4, 6]], float)


def three_seats(x):
    """Shares of three seats; seats 1 and 2 gain by their options at the cost of the others; equal at (5, 3)."""
    gain = np.stack(
        [0.06 * (5 - x[:, 0]) + 0.06 * (3 - x[:, 1]), 0.09 * (x[:, 0] - 5) - 0.03 * (x[:, 1] - 3)], axis=1
    )
    return special.softmax(np.column_stack([gain, -gain.sum(axis=1)]), axis=1)


def test_three_seats_are_made_equal_by_two_options():
    found = equalising.equal_setting(
        SQUARE, three_seats(SQUARE), np.eye(15) * 1e-8, 10**7, ([4, 4], [0, 0], [10, 10])
    )
    assert found.values == pytest.approx([5, 3], abs=0.01)
    assert found.shares == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert (found.low <= [5, 3]).all() and (found.high >= [5, 3]).all()


def test_the_ranges_hold_and_the_interval_covers():
    inside = equalising.equal_setting(
        SQUARE, three_seats(SQUARE), np.eye(15) * 1e-8, 10**7, ([4, 4], [0, 4], [10, 10])
    )
    assert inside.values[1] == pytest.approx(4) and inside.low[1] == -math.inf
    rng, held = np.random.default_rng(3), 0
    for _ in range(25):
        seen = three_seats(SQUARE) + rng.normal(0, 0.003, (5, 3))
        found = equalising.equal_setting(
            SQUARE, seen, np.eye(15) * 0.003**2, 25_000, ([4, 4], [0, 0], [10, 10])
        )
        held += found.low[0] <= 5 <= found.high[0]
    assert 20 <= held <= 25
