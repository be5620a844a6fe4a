"""Effects of coins: those of statsmodels and SciPy, and intervals that hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy import stats

from simkit.stats.coins import false_discoveries, gaps, main_effects, ratio_changes

Values = NDArray[np.float64]


def drawn(units: int = 200, factors: int = 4, seed: int = 1) -> tuple[Values, Values, Values]:
    """Coins, an outcome whose spread hangs on a coin, weights."""
    rng = np.random.default_rng(seed)
    coins = (rng.random((units, factors)) < 0.3).astype(float)
    outcome = coins @ np.linspace(-0.2, 0.2, factors) + rng.normal(size=units) * (0.2 + 0.3 * coins[:, 0])
    return coins, outcome, np.r_[np.full(units - 1, 16.0), 5.0]


def test_effects_are_those_of_weighted_least_squares_with_hc2_errors() -> None:
    coins, outcome, weights = drawn()
    model = sm.WLS(outcome, sm.add_constant(coins), weights=weights).fit(cov_type="HC2", use_t=True)
    result = main_effects(coins, outcome, weights)
    assert result.effect == pytest.approx(model.params[1:])
    assert np.column_stack([result.low, result.high]) == pytest.approx(model.conf_int()[1:])
    assert result.p == pytest.approx(model.pvalues[1:])


@pytest.mark.parametrize("seed", range(5))
def test_joint_intervals_leave_out_0_where_the_false_discovery_rate_chooses(seed: int) -> None:
    result = main_effects(*drawn(units=100, factors=12, seed=seed))
    chosen = false_discoveries(result.p) < 0.05
    assert ((result.joint_low > 0) | (result.joint_high < 0)).tolist() == chosen.tolist()
    assert (result.joint_high - result.joint_low > result.high - result.low).all()


def test_one_coin_is_a_difference_of_means_with_neymans_error() -> None:
    coins, outcome, _ = drawn(factors=1)
    here, there = outcome[coins[:, 0] == 1], outcome[coins[:, 0] == 0]
    result = main_effects(coins, outcome, np.ones(len(outcome)))
    half = stats.t.ppf(0.975, len(outcome) - 2) * np.sqrt(
        here.var(ddof=1) / len(here) + there.var(ddof=1) / len(there)
    )
    assert result.effect[0] == pytest.approx(here.mean() - there.mean())
    assert result.high[0] - result.effect[0] == pytest.approx(half)


def test_coins_that_cannot_be_told_apart_have_no_effect_and_the_others_keep_theirs() -> None:
    coins, outcome, weights = drawn()
    alone = main_effects(coins[:, [0, 3]], outcome, weights)
    result = main_effects(np.column_stack([coins[:, [0, 3]], np.zeros(200)]), outcome, weights)
    assert np.isnan(result.effect).tolist() == [False, False, True]
    assert result.effect[:2] == pytest.approx(alone.effect)
    twice = main_effects(coins[:, [0, 0, 3]], outcome, weights)
    assert np.isnan(twice.p).tolist() == [True, True, False]


def test_what_never_varies_has_no_effect_for_sure() -> None:
    result = main_effects(drawn()[0], np.full(200, 36.0), np.ones(200))
    assert result.effect.tolist() == [0.0] * 4 and result.p.tolist() == [1.0] * 4


def test_too_few_units_are_refused() -> None:
    with pytest.raises(ValueError, match="more units than factors"):
        main_effects(np.zeros((5, 4)), np.zeros(5), np.ones(5))


def test_a_change_of_a_ratio_over_ones_is_welchs_test() -> None:
    coins, outcome, _ = drawn(factors=1)
    here, there = outcome[coins[:, 0] == 1], outcome[coins[:, 0] == 0]
    expected = stats.ttest_ind(here, there, equal_var=False)
    result = ratio_changes(coins, outcome[:, np.newaxis], np.ones((200, 1)))
    assert result.p[0] == pytest.approx(expected.pvalue)
    ends = expected.confidence_interval(0.95)
    assert (result.low[0], result.high[0]) == pytest.approx((ends.low, ends.high))


def test_a_side_with_few_units_says_nothing() -> None:
    coins = np.zeros((100, 1))
    coins[:29] = 1
    result = ratio_changes(coins, np.ones((100, 1)), np.ones((100, 1)))
    assert np.isnan(result.effect[0]) and np.isnan(result.p[0])


def owning(seed: int, often: float, more: float, units: int = 150) -> list[Values]:
    """Owners win so much more than others; who sits in the first place wins more and owns more often."""
    rng = np.random.default_rng(seed)
    sat = np.full((2, units, 1), 16.0)
    own = rng.binomial(16, np.array([often, often / 2])[:, np.newaxis, np.newaxis], (2, units, 1)).astype(
        float
    )
    base = np.array([0.6, 0.3])[:, np.newaxis, np.newaxis]
    own_won, rest = rng.binomial(own.astype(int), base + more), rng.binomial((sat - own).astype(int), base)
    return [own_won.astype(float), own, (own_won + rest).astype(float), sat]


def true_gap(often: float, more: float) -> float:
    """Owners less all in their place, by the place's part of the owners."""
    parts, rates = np.array([2 / 3, 1 / 3]), np.array([often, often / 2])
    return float((parts * more * (1 - rates)).sum())


def test_gaps_compare_within_places_and_hold_what_they_promise() -> None:
    assert gaps(*owning(1, 0.4, 0.0, 20_000)).effect[0] == pytest.approx(0, abs=0.005)
    results = [gaps(*owning(seed, 0.4, 0.1)) for seed in range(400)]
    expected = true_gap(0.4, 0.1)
    held = np.mean([first.low[0] <= expected <= first.high[0] for first in results])
    assert 0.92 <= held <= 0.98
    assert np.mean([first.effect[0] for first in results]) == pytest.approx(expected, abs=0.002)


def test_false_discoveries_are_benjamini_and_hochbergs() -> None:
    seen = [0.01, 0.04, np.nan, 0.03, 0.5]
    expected = stats.false_discovery_control([0.01, 0.04, 0.03, 0.5])
    assert false_discoveries(seen)[[0, 1, 3, 4]] == pytest.approx(expected)
    assert np.isnan(false_discoveries(seen)[2]) and np.isnan(false_discoveries([np.nan])).all()


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize(("units", "rate"), [(60, 0.5), (200, 0.25), (400, 0.1)])
def test_intervals_of_effects_cover_although_coins_interact(units: int, rate: float) -> None:
    """Shares of 16 games in which the first two coins work together; the effect is over the other coins."""
    rng, held, times = np.random.default_rng(7), 0, 2_000
    expected = 0.1 + 0.2 * rate
    for _ in range(times):
        coins = rng.random((units, 6)) < rate
        share = 0.4 + 0.1 * coins[:, 0] + 0.2 * coins[:, 0] * coins[:, 1]
        result = main_effects(coins, rng.binomial(16, share) / 16, np.full(units, 16.0))
        held += result.low[0] <= expected <= result.high[0]
    assert 0.93 <= held / times <= 0.975
