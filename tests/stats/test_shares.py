"""Intervals whose unit is the deal: golden values, agreement with SciPy, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from simkit.stats import shares

RUNS = 2_000


@pytest.mark.parametrize(("won", "of", "low", "high"), [(53, 150, 0.2814, 0.4326), (20, 25, 0.6087, 0.9114)])
def test_the_golden_wilson_intervals(won: int, of: int, low: float, high: float) -> None:
    found = shares.share_interval([1.0] * won + [0.0] * (of - won))
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert (found.games, found.deals, found.effective) == (of, of, of)


@pytest.mark.parametrize("won", [0, 1, 7, 39, 40])
def test_independent_games_give_the_interval_of_scipy(won: int) -> None:
    found = shares.share_interval([1.0] * won + [0.0] * (40 - won))
    known = stats.binomtest(won, 40).proportion_ci(method="wilson")
    assert found.low == pytest.approx(known.low, abs=1e-12)
    assert found.high == pytest.approx(known.high, abs=1e-12)


def test_rotations_that_repeat_the_game_tell_no_more_than_one_game_per_deal() -> None:
    once = [1.0] * 30 + [0.0] * 70
    single, repeated = shares.share_interval(once), shares.share_interval(once, rotations=4)
    assert repeated.games == 400
    assert 0.97 * single.effective < repeated.effective <= single.effective


def test_rotations_that_average_luck_out_tell_more() -> None:
    assert shares.share_interval([0.5] * 90 + [1.0] * 10, rotations=2).effective > 200


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_without_variance_every_deal_counts_as_one_game(value: float) -> None:
    found = shares.share_interval([value] * 50, rotations=2)
    assert found.effective == 50
    assert (found.low, found.high) == shares.wilson(value, 50)


def test_a_single_deal_has_an_honest_interval() -> None:
    found = shares.share_interval([1.0])
    assert found.low < 0.25 and found.high == 1


@pytest.mark.parametrize("values", [[], [[0.5]], [1.2], [math.nan]])
def test_what_is_not_one_share_per_deal_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="needed"):
        shares.share_interval(values)


def _exact_coverage(share: float, n: int) -> float:
    """Of Wilson's interval, from the binomial distribution."""
    ends = [shares.wilson(won / n, n) for won in range(n + 1)]
    return float(sum(stats.binom.pmf(won, n, share) for won, (low, high) in enumerate(ends) if low <= share <= high))


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_coverage_of_independent_games_over_20_to_60_deals(share: float) -> None:
    """Wilson's coverage swings from one n to the next (97.6 % at n = 20, share .3): its mean over n is what is promised."""
    mean = np.mean([_exact_coverage(share, n) for n in range(20, 61)])
    assert 0.945 < mean < 0.965


def _pairs(rng: np.random.Generator, deals: int, share: float, alike: float) -> np.ndarray:
    """Deal means of two plays per deal, each won with the given share, which are alike to the given degree."""
    common, own = rng.standard_normal((2, RUNS, deals))
    cut = stats.norm.ppf(share)
    other = alike * common + math.sqrt(1 - alike**2) * own
    return np.asarray(((common < cut).astype(float) + (other < cut)) / 2)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("deals", [20, 100])
@pytest.mark.parametrize("alike", [0.5, 0.0, -0.6])
def test_coverage_of_rotated_deals(share: float, deals: int, alike: float) -> None:
    """With 20 deals and a small share the interval is a little conservative: 97.3 % on 20,000 replications at share .1."""
    seen = _pairs(np.random.default_rng([deals, round(100 * share), 7]), deals, share, alike)
    found = [shares.share_interval(row, rotations=2) for row in seen]
    covered = np.mean([one.low <= share <= one.high for one in found])
    assert 0.935 <= covered <= (0.97 if deals > 20 else 0.982)


def test_a_paired_difference_is_that_of_scipy() -> None:
    rng = np.random.default_rng(1)
    base = rng.random(200)
    other = base + 0.1 * rng.standard_normal(200)
    found = shares.paired_difference(other, base)
    known = stats.ttest_rel(other, base).confidence_interval()
    assert (found.low, found.high) == (pytest.approx(known.low), pytest.approx(known.high))
    assert found.factor == pytest.approx((other.var(ddof=1) + base.var(ddof=1)) / (other - base).var(ddof=1))
    assert found.factor > 5


def test_equal_results_on_every_deal_prove_no_equality() -> None:
    found = shares.paired_difference([1.0, 0.0] * 50, [1.0, 0.0] * 50, bound=1.0)
    assert found.difference == 0 and found.high == pytest.approx(shares.wilson(0, 100)[1]) and found.low == -found.high
    assert found.factor == math.inf


def test_differences_need_the_same_deals() -> None:
    with pytest.raises(ValueError, match="same"):
        shares.paired_difference([1.0, 0.0], [1.0])


def test_verdicts() -> None:
    assert [shares.verdict(low, low + 0.01, 0.5) for low in (0.44, 0.475, 0.49, 0.515, 0.53)] == [
        "UNFAIR",
        "UNDECIDED",
        "FAIR",
        "UNDECIDED",
        "UNFAIR",
    ]
