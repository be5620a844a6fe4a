"""The sequential test: the values that the engine-testing field publishes, and error rates when looking often."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from simkit.stats import sprt

LONG = (379, 10170, 21828, 10640, 343)


def _logistic(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of two logistic Elo differences, from results of equal steps."""
    ends = sprt.score_of_elo(elo0), sprt.score_of_elo(elo1)
    return sprt.log_likelihood_ratio(np.linspace(0, 1, len(counts)), counts, ends)


def _normalized(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of two normalised Elo differences, of games (3 counts) or pairs (5)."""
    root_games = math.sqrt((len(counts) - 1) / 2)
    ends = [elo / sprt.PER_UNIT * root_games for elo in (elo0, elo1)]
    return sprt.log_likelihood_ratio(np.linspace(0, 1, len(counts)), counts, ends, of_ratio=True)


def test_the_published_elo_of_a_score() -> None:
    """Of 136 games won, 96 lost and 111 drawn (fastchess)."""
    assert round(sprt.elo_of_score((136 + 111 / 2) / (136 + 96 + 111)), 2) == 40.70


def test_near_the_result_the_exact_ratio_is_the_quadratic_approximation() -> None:
    """N (s1 − s0)(2s − s0 − s1)/(2 v), the form given in Van den Bergh's note for small Elo differences."""
    counts = np.array(LONG, dtype=float)
    points = np.linspace(0, 1, 5)
    mean = counts @ points / counts.sum()
    variance = counts @ (points - mean) ** 2 / counts.sum()
    low, high = sprt.score_of_elo(0), sprt.score_of_elo(2)
    near = counts.sum() * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert _logistic(LONG, 0, 2) == pytest.approx(near, rel=1e-3)


def _by_search(seen: np.ndarray, distance: Callable[[np.ndarray], float], tries: int = 4) -> float:
    """The largest Σ p̂ log p over distributions p with distance(p) = 0, by a general optimiser."""
    best, rng = -math.inf, np.random.default_rng(1)

    def spread_out(x: np.ndarray) -> np.ndarray:
        weights = np.exp(x - x.max())
        return np.asarray(weights / weights.sum())

    for _ in range(tries):
        result = minimize(
            lambda x: -float(seen @ np.log(spread_out(x) + 1e-300)),
            rng.normal(size=seen.size),
            constraints={"type": "eq", "fun": lambda x: distance(spread_out(x))},
            method="SLSQP",
            options={"maxiter": 400, "ftol": 1e-12},
        )
        if abs(distance(spread_out(result.x))) < 1e-7:
            best = max(best, -float(result.fun))
    return best


@pytest.mark.parametrize("counts", [(3, 10, 20, 15, 8), (12, 40, 30), (1, 2, 40, 9, 1)])
@pytest.mark.parametrize("elo", [-150.0, 60.0, 250.0])
def test_the_likelihoods_are_the_largest_that_a_general_optimiser_finds(
    counts: tuple[int, ...], elo: float
) -> None:
    seen, points = np.array(counts) / sum(counts), np.linspace(0, 1, len(counts))
    ratio = elo * math.log(10) / 800 * math.sqrt((len(counts) - 1) / 2)

    def mean(p: np.ndarray) -> float:
        return float(p @ points)

    def sharpe(p: np.ndarray) -> float:
        return mean(p) - 0.5 - ratio * math.sqrt(float(p @ (points - mean(p)) ** 2))

    even = _by_search(seen, lambda p: mean(p) - 0.5)
    logistic = _by_search(seen, lambda p: mean(p) - sprt.score_of_elo(elo)) - even
    normalised = _by_search(seen, sharpe) - even
    assert _logistic(counts, 0, elo) == pytest.approx(sum(counts) * logistic, abs=1e-3)
    assert _normalized(counts, 0, elo) == pytest.approx(sum(counts) * normalised, abs=1e-3)


counted = st.one_of(
    st.lists(st.integers(0, 2000), min_size=3, max_size=3),
    st.lists(st.integers(0, 2000), min_size=5, max_size=5),
).filter(any)


@settings(max_examples=40)
@given(counted)
def test_any_counts_have_a_ratio_and_the_other_side_sees_it_mirrored(counts: list[int]) -> None:
    for ratio in (_logistic, _normalized):
        result = ratio(counts, -3, 8)
        assert math.isfinite(result)
        assert ratio(counts[::-1], 3, -8) == pytest.approx(result, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("times", [10**6, 10**9, 10**12])
@pytest.mark.parametrize("counts", [(0, 1, 0), (1, 0, 0), (0, 0, 0, 1, 1), (0, 0, 0, 0, 1), (0, 1)])
@pytest.mark.parametrize("ratio", [_logistic, _normalized])
def test_any_number_of_equal_results_has_a_ratio_in_proportion(ratio, counts, times) -> None:  # type: ignore[no-untyped-def]
    expected = ratio([10**4 * count for count in counts], -3, 8) / 10**4
    assert ratio([times * count for count in counts], -3, 8) / times == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("counts", [(-1, 2, 3), (0, 0, 0)])
def test_what_are_no_counts_is_refused(counts: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="count"):
        _logistic(counts, 0, 5)


def test_walds_bounds_and_decisions() -> None:
    assert sprt.sprt_bounds(0.05, 0.1) == (pytest.approx(math.log(0.1 / 0.95)), pytest.approx(math.log(18)))
    assert [sprt.decision(llr, 0.05, 0.1) for llr in (-2.3, 0, 2.9)] == ["H0", "continue", "H1"]
    with pytest.raises(ValueError, match="alpha"):
        sprt.sprt_bounds(0.5, 0.5)


def _decided(rng: np.random.Generator, elo: float) -> str:
    """One test of 0 against 60 normalised Elo, looked at every 40 pairs."""
    third = 0.3 + 0.16 * elo / 60 * np.array([-1, 0, 1])  # lost, drawn, won
    game = third + np.array([0, 0.1, 0])
    law = np.convolve(game, game)
    counts = np.zeros(5)
    while (text := sprt.decision(_normalized(counts, 0, 60) if counts.any() else 0.0)) == "continue":
        counts += rng.multinomial(40, law)
    return text


def test_the_errors_stay_within_alpha_however_often_one_looks() -> None:
    """5 % and an allowance of three standard errors on 60 tests."""
    rng = np.random.default_rng(11)
    wrong = np.mean([_decided(rng, 0) == "H1" for _ in range(60)])
    assert wrong <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 60)
