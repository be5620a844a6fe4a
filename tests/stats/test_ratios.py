"""Ratios and slopes with the deal as unit: the same as statsmodels' cluster-robust variances; coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
import statsmodels.api as sm

from simkit.stats import deals, ratios


def observations(rng: np.random.Generator, deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Deals of 1 to 9 observations, and a value of each that depends on its deal."""
    deal = np.repeat(np.arange(deals), rng.integers(1, 10, deals))
    return deal, (rng.random(len(deal)) < rng.random(deals)[deal]).astype(float)


def sums(deal: np.ndarray, value: np.ndarray) -> tuple[float, float, float, float, float, int]:
    n, y = np.bincount(deal).astype(float), np.bincount(deal, value)
    return y.sum(), n.sum(), (y * y).sum(), (n * y).sum(), (n * n).sum(), len(n)


@pytest.mark.parametrize("seed", range(5))
def test_a_ratio_is_the_clustered_mean_of_statsmodels(seed: int) -> None:
    deal, value = observations(np.random.default_rng(seed), 40)
    expected = sm.OLS(value, np.ones(len(value))).fit(
        cov_type="cluster", cov_kwds={"groups": deal}, use_t=True
    )
    result = ratios.ratio_from_sums(*sums(deal, value))
    assert result.ratio == pytest.approx(expected.params[0])
    assert math.sqrt(result.variance / result.deals) == pytest.approx(expected.bse[0])
    mean = deals.mean_from_moments(*result)
    assert (mean.low, mean.high) == pytest.approx(tuple(expected.conf_int()[0]))


def test_with_one_observation_per_deal_it_is_the_mean_and_variance() -> None:
    value = np.array([1.0, 0.0, 0.5, 1.0, 1.0])
    assert ratios.ratio_from_sums(*sums(np.arange(5), value)) == pytest.approx(
        (value.mean(), value.var(ddof=1), 5)
    )


def test_clustered_shares_cover() -> None:
    """1,000 times 60 deals of 1 to 9 looks that hang together: 95 % intervals hold the true share as often as
    they say.
    """
    rng, held = np.random.default_rng(7), 0
    for _ in range(1000):
        result = ratios.ratio_from_sums(*(total := sums(*observations(rng, 60))))
        share = deals.share_from_moments(*result, games=round(total[1]))
        held += share.low <= 0.5 <= share.high
    assert 930 <= held <= 970


@pytest.mark.parametrize("seed", range(5))
def test_a_slope_is_the_clustered_regression_of_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    deal, _ = observations(rng, 30)
    group = rng.integers(0, 3, len(deal))
    x = rng.normal(size=len(deal)) + group
    y = 0.8 * x + group**2 + rng.normal(size=30)[deal] + rng.normal(size=len(deal))
    dummies = np.equal.outer(group, range(3)).astype(float)
    expected = sm.OLS(y, np.column_stack([x, dummies])).fit(
        cov_type="cluster", cov_kwds={"groups": deal}, use_t=True
    )
    centred = x - (dummies @ (dummies.T @ x / dummies.sum(axis=0)))
    scores = (np.bincount(deal, centred * expected.resid) ** 2).sum()
    result = ratios.slope_from_sums((centred**2).sum(), (centred * y).sum(), scores, 30)
    assert result.slope == pytest.approx(expected.params[0])
    correction = math.sqrt(
        (len(y) - 1) / (len(y) - 4)
    )  # statsmodels also counts the parameters; with thousands of pairs it is 1
    assert (result.high - result.slope) * correction == pytest.approx(
        expected.conf_int()[0][1] - expected.params[0]
    )
    assert result.high - result.slope == pytest.approx(result.slope - result.low)


def test_one_deal_has_a_slope_but_no_interval() -> None:
    result = ratios.slope_from_sums(2.0, 3.0, 0.0, 1)
    assert result.slope == 1.5 and math.isnan(result.low) and math.isnan(result.high)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ratios.ratio_from_sums(0, 0, 0, 0, 0, 0), "at least one deal"),
        (lambda: ratios.ratio_from_sums(0, 0, 0, 0, 0, 3), "one observation"),
        (lambda: ratios.slope_from_sums(0.0, 0.0, 0.0, 3), "an x that varies"),
        (lambda: ratios.slope_from_sums(1.0, 1.0, 0.0, 0), "at least one deal"),
        (lambda: ratios.slope_from_sums(1.0, 1.0, 0.0, 3, level=95), "a level between 0 and 1"),
    ],
)
def test_nonsense_is_refused(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
