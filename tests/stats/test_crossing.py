"""Lines through measured shares and where they meet a target: against Fieller's closed form, and simulation."""

import math

import numpy as np
import pytest
from scipy import optimize, special, stats

from simkit.stats import crossing, equalising
from tests.everyday import everyday
from tests.stats.small_runs import allowance

X = np.array([12.0, 14, 16, 18, 20, 22, 24])
Z = stats.norm.ppf(0.975)


def straight(start: float, slope: float, variance: float) -> crossing.Polyline:
    return crossing.polyline(X, start + slope * X, np.eye(X.size) * variance)


def test_between_two_places_value_and_error_are_those_of_the_weighted_mean():
    rng = np.random.default_rng(1)
    means, root = rng.random(X.size), rng.normal(size=(X.size, X.size))
    spread = root @ root.T
    line = crossing.polyline(X, means, spread)
    assert line.at([12, 15, 24]) == pytest.approx([means[0], (means[1] + means[2]) / 2, means[-1]])
    assert line.error(15.0) ** 2 == pytest.approx((spread[1, 1] + 2 * spread[1, 2] + spread[2, 2]) / 4)


def test_the_interval_between_two_places_is_fiellers():
    """The ratio of two normal means, A / (A − B): Fieller's quadratic by its own formula."""
    a, b, spread = 0.05, -0.04, np.array([[4e-4, 1e-4], [1e-4, 9e-5]])
    result = crossing.crossing(crossing.polyline([0, 1], [0.5 + a, 0.5 + b], spread), 0.5, near=0.5)
    assert result is not None
    top, under = a, a - b
    v11, v22 = spread[0, 0], spread[0, 0] - 2 * spread[0, 1] + spread[1, 1]
    v12 = spread[0, 0] - spread[0, 1]
    g = Z**2 * v22 / under**2
    centre = (top / under - g * v12 / v22) / (1 - g)
    inside = v11 - 2 * top / under * v12 + (top / under) ** 2 * v22 - g * (v11 - v12**2 / v22)
    half = Z / under / (1 - g) * math.sqrt(inside)
    low, high = centre - half, centre + half
    assert result.value == pytest.approx(top / under)
    assert result.low == pytest.approx(low) if low > 0 else result.low == -math.inf
    assert result.high == pytest.approx(high) if high < 1 else result.high == math.inf


def test_the_ends_of_an_interval_lie_where_the_band_leaves_the_target():
    line = crossing.polyline(X, [0.62, 0.59, 0.565, 0.53, 0.517, 0.503, 0.485], np.eye(X.size) * 2e-5)
    result = crossing.crossing(line, 0.5, near=22)
    assert result is not None

    def outside(x: float) -> float:
        return float(abs(line.at(x) - 0.5) - Z * line.error(x))

    assert result.low == pytest.approx(optimize.brentq(outside, 20, 22))
    assert result.high == pytest.approx(optimize.brentq(outside, result.value, 24))


SHAPES = {
    "straight": np.linspace(0.56, 0.44, 7),
    "kinked": np.array([0.65, 0.6, 0.55, 0.5, 0.49, 0.48, 0.47]),
    "a step": np.array([0.58, 0.57, 0.56, 0.55, 0.44, 0.43, 0.42]),
    "flat about the target": np.array([0.53, 0.515, 0.502, 0.5, 0.499, 0.49, 0.47]),
}


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize("shape", everyday(SHAPES, 1))
def test_the_interval_covers_whatever_the_shape(shape: str):
    """The places kept hold it 95 times of 100, from the first to the last of them a little more often."""
    truth, rng, replications = SHAPES[shape], np.random.default_rng(2), 1500
    spread = (0.5 + 0.5 * np.eye(7)) * 4e-5
    (place,) = crossing.meetings(crossing.polyline(X, truth, spread), 0.5)
    held = 0
    for means in rng.multivariate_normal(truth, spread, replications):
        result = crossing.crossing(crossing.polyline(X, means, spread), 0.5, near=place)
        held += result is not None and result.low <= place <= result.high
    assert 0.95 - allowance(replications) <= held / replications <= 0.99


def test_an_interval_far_narrower_than_the_range_is_exact():
    result = crossing.crossing(straight(0.7, -0.01, 1e-12), 0.5, near=20)
    assert result == pytest.approx((20, 20 - 1e-4 * Z, 20 + 1e-4 * Z), abs=1e-7)


def test_none_several_and_open_ends():
    assert crossing.crossing(straight(0.9, -0.01, 1e-6), 0.5, near=20) is None
    bowl = 0.49 + 0.001 * (X - 18) ** 2
    precise, noisy = (crossing.polyline(X, bowl, np.eye(X.size) * some) for some in (1e-8, 1e-4))
    results = [crossing.crossing(precise, 0.5, near=near) for near in (13, 23)]
    assert [round(first.value, 1) for first in results if first] == [15.0, 21.0]
    assert all(first and first.high - first.low < 0.2 for first in results)
    wide = crossing.crossing(noisy, 0.5, near=13)
    assert wide and wide.high > 21  # nothing between the two is surely off
    open_ = crossing.crossing(straight(0.518, -0.001, 1e-4), 0.5, near=18)
    assert open_ and (open_.low, open_.high) == (-math.inf, math.inf)


def test_a_line_that_luck_may_have_kept_from_the_target_meets_it_where_it_comes_nearest():
    expected = np.eye(3) * 1e-4
    result = crossing.crossing(crossing.polyline([0, 1, 2], [0.53, 0.515, 0.505], expected), 0.5, near=0)
    assert result is not None and result.value == 2
    assert 0 < result.low < 1.5 and result.high == math.inf
    assert (
        crossing.crossing(crossing.polyline([0, 1, 2], [0.53, 0.525, 0.521], expected), 0.5, near=0) is None
    )


def test_a_line_that_meets_the_target_at_a_place_or_an_end_is_found():
    line = crossing.polyline([0, 1, 2], [0.6, 0.55, 0.5], np.eye(3) * 1e-6)
    assert crossing.meetings(line, 0.5) == [2.0] and crossing.meetings(line, 0.6) == [0.0]
    assert crossing.meetings(line, 0.55) == [1.0]


@pytest.mark.slow
@pytest.mark.proof("stats")
def test_lines_that_meet_the_target_at_one_place_are_seldom_told_apart():
    """Of different slopes, with luck in common; at 95 % in at most 5 of 100."""
    rng, replications = np.random.default_rng(4), 600
    truth = np.array([0.5 - 0.02 * (X - 18.7), 0.5 - 0.005 * (X - 18.7)]).ravel()
    spread = np.kron([[1, 0.6], [0.6, 1]], np.eye(X.size)) * 4e-5
    common, own = spread[: X.size, X.size :], spread[: X.size, : X.size]
    text = 0
    for means in rng.multivariate_normal(truth, spread, replications):
        a, b = (crossing.polyline(X, first, own) for first in means.reshape(2, -1))
        text += crossing.crossings_differ(a, b, common, 0.5)
    assert text / replications <= 0.05 + allowance(replications)


def test_what_two_lines_have_in_common_tells_them_apart():
    a, b = straight(0.70, -0.01, 4e-5), straight(0.71, -0.01, 4e-5)
    assert not crossing.crossings_differ(a, b, np.zeros((X.size, X.size)), 0.5)
    assert crossing.crossings_differ(a, b, 0.9 * a.covariance, 0.5)
    assert crossing.crossings_differ(
        straight(0.70, -0.01, 1e-6), straight(0.75, -0.01, 1e-6), 0 * a.covariance, 0.5
    )


def test_log_odds_scatter_as_their_covariance_says():
    rng, shares = np.random.default_rng(4), np.array([0.35, 0.5])
    seen = [(rng.random((2000, 1)) < shares).mean(axis=0) for _ in range(400)]  # the same luck for both
    law = (np.minimum.outer(shares, shares) - np.outer(shares, shares)) / 2000
    results = [crossing.log_odds(first, law, 2000).values for first in seen]
    assert np.cov(np.array(results).T) == pytest.approx(
        crossing.log_odds(shares, law, 2000).covariance, rel=0.15
    )
    assert np.mean(results, axis=0) == pytest.approx(np.log(shares / (1 - shares)), abs=0.006)


def test_a_share_that_never_varied_has_finite_and_uncertain_log_odds():
    result = crossing.log_odds([0.0, 1.0], np.zeros((2, 2)), 500)
    assert result.values == pytest.approx([-math.log(1001), math.log(1001)])
    assert np.sqrt(np.diag(result.covariance)) == pytest.approx([1.41, 1.41], abs=0.02)


def test_residuals_of_least_squares_are_tested_as_by_their_sum_of_squares():
    rng, design = np.random.default_rng(1), np.column_stack([np.ones(X.size), X])
    keep = np.eye(X.size) - design @ np.linalg.pinv(design)
    left = keep @ rng.normal(0, 0.01, X.size)
    result = equalising.lack_of_fit(left, keep * 1e-4, X.size - 2)
    assert result == pytest.approx(stats.chi2.sf((left**2).sum() / 1e-4, X.size - 2))
    assert math.isnan(equalising.lack_of_fit(left, keep, 0))


def test_bad_shapes_are_refused():
    for x in ([1], [1, 1], [2, 1], [1, 2, 3]):
        with pytest.raises(ValueError, match="two ascending places"):
            crossing.polyline(x, [0.5, 0.4], np.eye(2))
    with pytest.raises(ValueError, match="shares from 0 to 1"):
        crossing.log_odds([1.2], [[1e-4]], 100)
    with pytest.raises(ValueError, match="same places"):
        crossing.crossings_differ(
            straight(0.7, -0.01, 1), crossing.polyline([1, 2], [0, 1], np.eye(2)), np.eye(2), 0.5
        )
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
    result = equalising.equal_setting(
        SQUARE, three_seats(SQUARE), np.eye(15) * 1e-8, 10**7, ([4, 4], [0, 0], [10, 10])
    )
    assert result.values == pytest.approx([5, 3], abs=0.01)
    assert result.shares == pytest.approx([1 / 3] * 3, abs=1e-3)
    assert (result.low <= [5, 3]).all() and (result.high >= [5, 3]).all()


@pytest.mark.slow
@pytest.mark.proof("stats")
def test_the_ranges_hold_and_the_interval_covers():
    inside = equalising.equal_setting(
        SQUARE, three_seats(SQUARE), np.eye(15) * 1e-8, 10**7, ([4, 4], [0, 4], [10, 10])
    )
    assert inside.values[1] == pytest.approx(4) and inside.low[1] == -math.inf
    rng, held = np.random.default_rng(3), 0
    for _ in range(25):
        seen = three_seats(SQUARE) + rng.normal(0, 0.003, (5, 3))
        result = equalising.equal_setting(
            SQUARE, seen, np.eye(15) * 0.003**2, 25_000, ([4, 4], [0, 0], [10, 10])
        )
        held += result.low[0] <= 5 <= result.high[0]
    assert 20 <= held <= 25
