"""How many games: the published numbers, those of statsmodels, and that a number asked for is the smallest."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from simkit.stats import planning
from simkit.stats.deals import mean_from_moments

POINT = 0.01


@pytest.mark.parametrize(
    ("seats", "points", "games"),
    [(2, 2, 4_900), (2, 1, 19_620), (3, 1, 17_520), (4, 1, 14_830), (6, 1, 11_050), (10, 1, 7_250)],
)
def test_the_known_numbers_of_games(seats: int, points: int, games: int) -> None:
    """Known to the nearest ten."""
    assert abs(planning.games_needed(points * POINT, seats) - games) <= 5


@pytest.mark.parametrize(("effect", "deals"), [(0.05, 400), (0.3, 2), (1.0, 12), (0.2, 150), (0.01, 200_000)])
def test_power_is_that_of_statsmodels(effect: float, deals: int) -> None:
    assert planning.power_of(deals, effect * 3, 9.0) == pytest.approx(
        TTestPower().power(effect, deals, 0.05), abs=1e-5
    )


@pytest.mark.parametrize("effect", [0.01, 0.05, 0.3, 1.0])
def test_deals_needed_are_those_of_statsmodels(effect: float) -> None:
    expected = TTestPower().solve_power(effect, power=0.9, alpha=0.01)
    assert planning.deals_needed(effect, 1.0, level=0.99, power=0.9) == math.ceil(expected)


@given(st.floats(0.01, 2), st.floats(0.01, 10), st.floats(0.5, 0.99))
def test_the_deals_needed_are_the_fewest(effect: float, variance: float, power: float) -> None:
    deals = planning.deals_needed(effect, variance, power=power)
    assert planning.power_of(deals, effect, variance) >= power
    assert deals == 2 or planning.power_of(deals - 1, effect, variance) < power


@pytest.mark.parametrize("half", [0.3, 0.05, 0.01])
def test_the_deals_for_a_width_are_the_fewest_that_give_it(half: float) -> None:
    deals = planning.deals_for_width(half, 0.25)
    assert mean_from_moments(0.0, 0.25, deals).high <= half < mean_from_moments(0.0, 0.25, deals - 1).high


def test_a_tenth_of_the_variance_needs_a_tenth_of_the_deals() -> None:
    assert planning.deals_needed(0.01, 0.25) == pytest.approx(
        10 * planning.deals_needed(0.01, 0.025), rel=0.01
    )


def test_the_power_promised_is_found_in_play() -> None:
    """One share of 4 seats, 4 points above fair, 2,000 replications: 80 % within three standard errors."""
    games = planning.games_needed(0.04, 4)
    shares = np.random.default_rng(5).binomial(games, 0.29, 2_000) / games
    mean = np.mean(np.abs(shares - 0.25) > 1.959964 * math.sqrt(0.25 * 0.75 / games))
    assert abs(mean - 0.8) < 3 * math.sqrt(0.8 * 0.2 / 2_000)


def test_questions_without_an_answer_are_refused() -> None:
    with pytest.raises(ValueError, match="seats"):
        planning.games_needed(0.1, 1)
    with pytest.raises(ValueError, match="effect"):
        planning.games_needed(0.0, 2)
    with pytest.raises(ValueError, match="effect"):
        planning.deals_needed(0.0, 1.0)
    with pytest.raises(ValueError, match="no number"):
        planning.deals_needed(1e-12, 1.0)
    with pytest.raises(ValueError, match="variance"):
        planning.power_of(100, 0.1, 0.0)
    with pytest.raises(ValueError, match="power"):
        planning.deals_needed(0.1, 1.0, power=1.0)
    with pytest.raises(ValueError, match="half-width"):
        planning.deals_for_width(0.0, 1.0)
