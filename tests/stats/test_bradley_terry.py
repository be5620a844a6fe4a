"""Two seats rated: published ratings, agreement with statsmodels and with the plain likelihood, coverage,
what cannot be rated.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize

from simkit.stats.plackett_luce import ELO, Ratings, ratings, seat_ratings
from tests.stats.two_seats import bradley_terry

TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
# American League East 1987, wins of the home team (row) and of the visitor (column): Agresti 2002,
# Categorical Data Analysis, pp. 437-438
HOME = [
    "- 4 4 4 6 4 6",
    "3 - 4 4 6 6 4",
    "2 4 - 2 4 4 6",
    "3 5 2 - 4 4 6",
    "5 2 3 4 - 5 6",
    "2 3 3 4 4 - 2",
    "2 1 1 2 1 3 -",
]
AWAY = [
    "- 3 2 3 1 2 0",
    "3 - 2 3 0 1 3",
    "5 3 - 4 3 2 0",
    "3 1 5 - 3 2 1",
    "1 5 3 2 - 2 0",
    "5 3 4 3 2 - 4",
    "5 5 6 4 6 4 -",
]


def errors(fit: Ratings) -> np.ndarray:
    return np.sqrt(np.diag(fit.covariance))


def _baseball(**keys: bool) -> Ratings:
    rows = [
        (i, j, int(HOME[i].split()[j]), 0, int(AWAY[i].split()[j]))
        for i in range(7)
        for j in range(7)
        if i != j
    ]
    return bradley_terry(TEAMS, *zip(*rows, strict=True), **keys)


def _games(
    rng: np.random.Generator, strength: np.ndarray, seat: float, tie: float, rows: int
) -> tuple[np.ndarray, ...]:
    """Games drawn by the model's own formula, one per row."""
    pairs = np.array([(i, j) for i in range(len(strength)) for j in range(len(strength)) if i != j])[
        np.arange(rows) % 6
    ]
    d = strength[pairs[:, 0]] - strength[pairs[:, 1]] - seat
    weights = np.stack([np.exp(d / 2), np.full(rows, tie), np.exp(-d / 2)])
    outcome = (rng.random(rows) > np.cumsum(weights / weights.sum(axis=0), axis=0)).sum(axis=0)
    return pairs[:, 0], pairs[:, 1], *(1 * (outcome == first) for first in range(3))


def test_the_baseball_ratings_of_agresti_without_home_advantage() -> None:
    fit = _baseball(seat_effects=False)
    rows = np.sort(fit.estimate[:6] - fit.estimate[6])
    assert np.round(rows, 2).tolist() == [0.68, 1.11, 1.25, 1.29, 1.44, 1.58]  # table 10.11, column 3
    assert errors(fit)[1:7].round(1).tolist() == [0.3] * 6


def test_the_baseball_ratings_of_agresti_with_home_advantage() -> None:
    fit = _baseball()
    worth = np.exp(fit.estimate[:7])
    assert np.sort(worth / worth.sum()).round(3).tolist() == [
        0.044,
        0.088,
        0.137,
        0.157,
        0.164,
        0.190,
        0.220,
    ]  # column 5
    assert round(-seat_ratings(fit)[1].elo / ELO, 3) == 0.302


def test_without_ties_it_is_the_logistic_regression_of_statsmodels() -> None:
    import statsmodels.api as sm

    rng = np.random.default_rng(5)
    first, second, won, _, lost = _games(rng, np.array([0.0, 0.4, -0.3]), 0.2, 0.0, 600)
    deals = np.arange(600) // 4
    features = np.stack([1.0 * (first == i) - (second == i) for i in (1, 2)] + [-np.ones(600)], axis=1)
    expected = sm.Logit(won, features).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": deals, "use_correction": False}
    )
    plain = sm.Logit(won, features).fit(disp=0)
    fit = bradley_terry("abc", first, second, won, np.zeros(600), lost)
    over_deals = bradley_terry("abc", first, second, won, np.zeros(600), lost, deals)
    assert fit.estimate[[1, 2, 4]] == pytest.approx(expected.params, abs=1e-6)
    assert fit.log_likelihood == pytest.approx(plain.llf)
    assert errors(fit)[[1, 2, 4]] == pytest.approx(plain.bse, rel=1e-5)
    assert errors(over_deals)[[1, 2, 4]] == pytest.approx(expected.bse * math.sqrt(150 / 149), rel=1e-5)
    assert over_deals.deals == 150


def test_with_ties_it_is_the_maximum_of_davidsons_likelihood() -> None:
    first, second = np.array([0, 1, 0, 2, 1, 2]), np.array([1, 0, 2, 0, 2, 1])
    counts = np.array([[30, 8, 20], [22, 6, 31], [40, 5, 9], [12, 9, 30], [25, 10, 18], [17, 7, 28]])

    def minus(at: np.ndarray) -> float:
        worth, seat, tie = np.exp([0.0, at[0], at[1]]), np.exp(at[2]), np.exp(at[3])
        win, loss = worth[first], worth[second] * seat
        total = win + loss + tie * np.sqrt(win * loss)
        return -float(
            (counts * np.log(np.stack([win, tie * np.sqrt(win * loss), loss], axis=1) / total[:, None])).sum()
        )

    expected = optimize.minimize(minus, np.zeros(4), method="BFGS", options={"gtol": 1e-7})
    fit = bradley_terry("abc", first, second, *counts.T)
    assert fit.estimate[[1, 2, 4, 5]] == pytest.approx(expected.x, abs=1e-5)
    assert fit.log_likelihood == pytest.approx(-expected.fun)
    steps = 1e-4 * np.eye(4)
    curvature = [
        [
            minus(expected.x + a + b)
            - minus(expected.x + a - b)
            - minus(expected.x - a + b)
            + minus(expected.x - a - b)
            for a in steps
        ]
        for b in steps
    ]
    assert fit.covariance[np.ix_([1, 2, 4, 5], [1, 2, 4, 5])] == pytest.approx(
        np.linalg.inv(np.array(curvature) / 4e-8), abs=1e-4
    )


def _covered(runs: int, deals: int) -> tuple[float, float]:
    """How often intervals over deals hold the truth, where the four games of a deal share a whim of the
    cards.
    """
    strength, seat, hits, seats = np.array([0.0, 0.5, -0.5]), 0.3, 0, 0
    for run in range(runs):
        rng = np.random.default_rng(run)
        games = _games(rng, strength, seat, 0.5, deals * 6)
        fit = bradley_terry("abc", *games, np.arange(deals * 6) // 6)
        result = ratings(fit)
        truth = ELO * (strength - strength.mean())
        hits += sum(r.low <= t <= r.high for r, t in zip(result, truth, strict=True))
        first = seat_ratings(fit)[1]
        seats += first.low <= ELO * seat <= first.high
    return hits / (3 * runs), seats / runs


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    strategies, seats = _covered(80, deals=60)
    assert 0.90 < strategies < 0.99 and seats > 0.88


@pytest.mark.slow
@pytest.mark.proof("stats")
def test_intervals_hold_the_truth_in_94_to_96_percent_of_many_runs() -> None:
    strategies, seats = _covered(4000, deals=100)
    assert 0.94 < strategies < 0.96 and 0.935 < seats < 0.965


def test_games_repeated_within_a_deal_tell_nothing_new() -> None:
    rng = np.random.default_rng(3)
    games = _games(rng, np.array([0.0, 0.5, -0.5]), 0.3, 0.5, 600)
    once = bradley_terry("abc", *games, np.arange(600))
    thrice = bradley_terry("abc", *(np.tile(part, 3) for part in games), np.tile(np.arange(600), 3))
    assert thrice.covariance == pytest.approx(once.covariance, rel=1e-6)
    plain = bradley_terry("abc", *(np.tile(part, 3) for part in games))
    assert errors(plain)[1] < 0.6 * errors(once)[1]


def test_ratings_are_about_their_mean_and_their_intervals_are_those_of_the_contrast() -> None:
    fit = _baseball()
    result = ratings(fit)
    assert sum(r.elo for r in result) == pytest.approx(0)
    contrast = np.append(np.eye(7)[0] - 1 / 7, np.zeros(fit.estimate.size - 7))
    half = 1.959964 * ELO * math.sqrt(contrast @ fit.covariance @ contrast)
    assert (result[0].low, result[0].high) == pytest.approx(
        (result[0].elo - half, result[0].elo + half), abs=1e-4
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [(0, 1, 5, 0, 5), (1, 0, 5, 0, 5), (2, 3, 5, 0, 5), (3, 2, 5, 0, 5)],
            r"no games link \[a and b\] and \[c and d\].*meet",
        ),
        (
            [(0, 1, 9, 0, 0), (1, 0, 0, 0, 9), (1, 2, 5, 1, 5), (2, 1, 5, 1, 4), (3, 2, 5, 0, 5)],
            "a never lost to b, c and d.*play more deals",
        ),
        (
            [(0, 1, 9, 1, 4), (0, 2, 5, 0, 3), (0, 3, 5, 0, 3)],
            "seat and strategy cannot be told apart.*rotate",
        ),
        (
            [
                (0, 1, 9, 0, 0),
                (1, 0, 9, 0, 0),
                (0, 2, 5, 0, 0),
                (2, 0, 5, 0, 0),
                (0, 3, 4, 0, 0),
                (3, 0, 4, 0, 0),
            ],
            "do not settle.*seat 1",
        ),
        (
            [
                (0, 1, 0, 9, 0),
                (1, 0, 0, 9, 0),
                (0, 2, 0, 9, 0),
                (2, 0, 0, 9, 0),
                (0, 3, 0, 4, 0),
                (3, 0, 0, 4, 0),
            ],
            "do not settle.*ties of 2",
        ),
        ([(0, 1, 0, 0, 0)], "no game tells"),
    ],
)
def test_what_cannot_be_rated_is_said_and_never_a_huge_number(
    rows: list[tuple[int, ...]], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        bradley_terry("abcd", *zip(*rows, strict=True))


def test_too_few_deals_for_an_interval_over_deals_are_refused() -> None:
    with pytest.raises(ValueError, match="too few"):
        bradley_terry(
            "ab", [0, 1, 0, 1], [1, 0, 1, 0], [3, 2, 2, 2], [1, 1, 1, 1], [2, 2, 2, 3], [0, 0, 1, 1]
        )
