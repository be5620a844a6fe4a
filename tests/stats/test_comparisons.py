"""p-values of differences, and adjusted ones: those of SciPy and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from simkit.stats.comparisons import difference_p_value, holm, holm_level
from simkit.stats.deals import difference_from_moments
from tests.stats.by_deal import paired_difference


def test_the_p_value_is_that_of_the_paired_t_test() -> None:
    rng = np.random.default_rng(2)
    gap = rng.normal(0.2, 1, 40)
    result = difference_p_value(float(gap.mean()), float(gap.var(ddof=1)), gap.size)
    assert result == pytest.approx(stats.ttest_1samp(gap, 0).pvalue)


def test_equal_differences_on_all_deals_count_as_signs() -> None:
    assert difference_p_value(0.0, 0.0, 100) == 1
    few = np.array([1.0] * 4 + [0.0] * 96)
    low = paired_difference(few, np.zeros(100), bound=1.0).low
    assert (
        low < 0 and difference_p_value(0.04, float(few.var(ddof=1)), 100, bound=1.0) > 0.05
    )  # as the interval says
    assert difference_p_value(1.0, 0.0, 6) == stats.binomtest(6, 6).pvalue
    assert difference_p_value(1.0, 0.0, 1) == 1


def test_adjusted_p_values_of_the_papers() -> None:
    """The fifteen p-values of Benjamini & Hochberg 1995, section 4.1: three rejected."""
    seen = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    assert int((holm(seen) <= 0.05).sum()) == 3
    assert holm(seen) == pytest.approx(multipletests(seen, method="holm")[1])


def test_the_order_does_not_matter() -> None:
    seen, order = np.array([0.5, 0.001, 0.03, 0.2]), [2, 0, 3, 1]
    assert holm(seen[order]).tolist() == holm(seen)[order].tolist()


@pytest.mark.parametrize("bound", [0.0, 1.0])
@pytest.mark.parametrize("deals", [1, 2, 5, 6, 30])
@pytest.mark.parametrize("scatter", [0.0, 0.3])
def test_an_interval_is_off_zero_where_the_p_value_is_below_what_its_level_leaves(
    deals: int, scatter: float, bound: float
) -> None:
    rng = np.random.default_rng(deals)
    for level in (0.95, 0.99, 0.9999):
        for gap in (0.0, 0.01, 0.1, 0.25, 0.5, 1.0):
            seen = gap + scatter * rng.normal(size=deals)
            mean, variance = float(seen.mean()), float(seen.var(ddof=1)) if deals > 1 else 0.0
            result = difference_from_moments(mean, variance, 1.0, deals, bound, level)
            p_value = difference_p_value(mean, variance, deals, bound)
            assert (result.low > 0 or result.high < 0) == (p_value < 1 - level)


def test_exactly_what_holm_takes_for_real_is_off_zero_at_its_level() -> None:
    rng = np.random.default_rng(3)
    for count in (1, 2, 5, 40):
        for _ in range(50):
            effects = rng.choice([0.0, 1.0, 3.0, 5.0], count)
            means = rng.normal(effects)
            adjusted = holm(2 * stats.norm.sf(abs(means)))
            half = stats.norm.ppf(0.5 + holm_level(adjusted) / 2)
            assert ((abs(means) > half) == (adjusted < 0.05)).all()


@pytest.mark.slow
@pytest.mark.proof("stats")
def test_an_interval_misses_a_true_zero_in_one_family_of_twenty() -> None:
    """Also where others of the family are so large that they are always found."""
    rng, wrong = np.random.default_rng(4), 0
    effects = np.array([0.0] * 6 + [8.0] * 6)
    for _ in range(4000):
        means = rng.normal(effects)
        half = stats.norm.ppf(0.5 + holm_level(holm(2 * stats.norm.sf(abs(means)))) / 2)
        wrong += bool((abs(means[:6]) > half).any())
    assert wrong / 4000 == pytest.approx(1 - (1 - 0.05 / 6) ** 6, abs=3 * 0.0035)  # three standard errors


def test_no_comparison_is_no_comparison() -> None:
    assert holm([]).size == 0


@pytest.mark.parametrize("seen", [[1.1], [float("nan")], [[0.5]]])
def test_what_is_no_p_value_is_refused(seen) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match="p-values"):
        holm(seen)
