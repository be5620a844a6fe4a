"""Any number of seats rated: agreement with the PlackettLuce package, statsmodels and the plain likelihood;
recovery and coverage.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from simkit.stats.plackett_luce import ELO, clustered, plackett_luce, ratings, seat_ratings
from tests.stats.two_seats import over_deals


def _play(rng: np.random.Generator, strength: np.ndarray, seat: np.ndarray, seated: np.ndarray) -> np.ndarray:
    """Ranks without ties: who comes first is a race of exponential clocks."""
    speed = strength[seated] + seat + rng.gumbel(size=seated.shape)
    return np.argsort(np.argsort(-speed, axis=1), axis=1) + 1


def _rotated(seats: int, games: int) -> np.ndarray:
    return (np.arange(seats) + np.arange(games)[:, np.newaxis]) % seats


def test_the_fruit_example_of_the_r_package_with_its_half_games_against_a_ghost() -> None:
    # PlackettLuce 0.4 (Turner et al. 2020): coefficients printed by its own tests; by default it adds half a
    # win and half a loss of each item against a hypothetical one
    ranks = np.array([[1, 2, 0, 0], [3, 1, 2, 0], [2, 1, 1, 0], [1, 2, 3, 0], [2, 1, 1, 0], [1, 0, 2, 0]])
    ghosts = np.zeros((6, 4), dtype=int)
    for row, (fruit, won) in enumerate(itertools.product(range(3), (1, 2))):
        ghosts[row, [fruit, 3]] = won, 3 - won
    both = np.vstack([ranks, ghosts])
    seated = np.where(both > 0, np.arange(4), -1)
    fit = plackett_luce(
        ["apple", "banana", "orange", "ghost"], seated, both, [1] * 6 + [0.5] * 6, seat_effects=False
    )
    assert fit.estimate[[1, 2, -1]] == pytest.approx([0.2867987, -0.4636687, -1.0701129], abs=1e-5)
    assert fit.orders == [2]


@pytest.mark.slow
@pytest.mark.proof("stats")
def test_without_ties_it_is_the_conditional_logit_of_statsmodels() -> None:
    from statsmodels.discrete.conditional_models import ConditionalLogit

    rng = np.random.default_rng(2)
    seated = np.array([rng.permutation(5)[:3] for _ in range(200)])
    ranks = _play(rng, np.array([0, 0.5, -0.5, 0.2, 0.8]), np.array([0.4, 0, -0.2]), seated)
    chosen, features, groups = [], [], []
    for game, (who, rank) in enumerate(zip(seated, ranks, strict=True)):
        for place in (1, 2):
            for seat in np.flatnonzero(rank >= place):
                chosen.append(1 * (rank[seat] == place))
                features.append(
                    [1.0 * (who[seat] == i) for i in range(1, 5)] + [1.0 * (seat == s) for s in (1, 2)]
                )
                groups.append(2 * game + place)
    expected = ConditionalLogit(np.array(chosen), np.array(features), groups=np.array(groups)).fit(disp=0)
    fit = plackett_luce("abcde", seated, ranks)
    free = [1, 2, 3, 4, 6, 7]
    assert fit.estimate[free] == pytest.approx(expected.params, abs=1e-4)
    assert np.sqrt(np.diag(fit.covariance))[free] == pytest.approx(expected.bse, rel=1e-3)
    assert fit.log_likelihood == pytest.approx(expected.llf, abs=1e-6)


def _minus_log_likelihood(at: np.ndarray, seated: np.ndarray, ranks: np.ndarray) -> float:
    """The model of Turner et al. 2020 written out: three seats, ties of two and three, one free worth per
    strategy and seat but the first.
    """
    worth, seat, tie = (
        np.exp([0.0, *at[:2]]),
        np.exp([0.0, *at[2:4]]),
        {1: 1.0, 2: np.exp(at[4]), 3: np.exp(at[5])},
    )
    total = 0.0
    for who, rank in zip(seated, ranks, strict=True):
        left = [0, 1, 2]
        while len(left) > 1:
            best = min(rank[s] for s in left)
            sets = [c for size in (1, 2, 3) for c in itertools.combinations(left, size)]
            weights = {
                c: tie[len(c)] * np.prod([worth[who[s]] * seat[s] for s in c]) ** (1 / len(c)) for c in sets
            }
            took = tuple(s for s in left if rank[s] == best)
            total += np.log(weights[took] / sum(weights.values()))
            left = [s for s in left if s not in took]
    return -total


def test_with_ties_it_is_the_maximum_of_the_likelihood_written_out() -> None:
    rng = np.random.default_rng(4)
    seated = _rotated(3, 90)
    ranks = np.ceil(
        _play(rng, np.array([0, 0.5, -0.5]), np.array([0.4, 0, -0.2]), seated)
        * rng.choice([1, 0.5, 0.3], (90, 1))
    ).astype(int)
    expected = optimize.minimize(
        _minus_log_likelihood, np.zeros(6), args=(seated, ranks), method="BFGS", options={"gtol": 1e-4}
    )
    fit = plackett_luce("abc", seated, ranks)
    assert fit.orders == [2, 3]
    assert fit.log_likelihood == pytest.approx(-expected.fun, abs=1e-6)
    assert fit.estimate[[1, 2, 4, 5, 6, 7]] == pytest.approx(expected.x, abs=1e-3)


def test_ten_seats_give_back_what_was_put_in() -> None:
    rng = np.random.default_rng(6)
    strength, seat = np.linspace(-0.5, 0.5, 10), np.linspace(0, 0.6, 10)
    seated = _rotated(10, 10_000)
    fit = plackett_luce([str(i) for i in range(10)], seated, _play(rng, strength, seat, seated))
    result = np.array([r.elo for r in ratings(fit)]) / ELO
    assert np.abs(result - strength).max() < 0.085
    assert np.abs(np.array([r.elo for r in seat_ratings(fit)]) / ELO - seat).max() < 0.085


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    strength, seat, seated = np.array([0.6, 0.0, -0.6]), np.array([0.0, -0.2, -0.4]), _rotated(3, 240)
    hits = []
    for run in range(80):
        ranks = _play(np.random.default_rng(run), strength, seat, seated)
        fit = over_deals(plackett_luce("abc", seated, ranks), np.arange(240) // 3)
        hits += [r.low <= ELO * t <= r.high for r, t in zip(ratings(fit), strength, strict=True)]
        hits += [r.low <= ELO * t <= r.high for r, t in zip(seat_ratings(fit)[1:], seat[1:], strict=True)]
    assert 0.91 < np.mean(hits) < 0.985


def test_only_who_won_can_be_asked_for_in_three_ways() -> None:
    rng = np.random.default_rng(8)
    seated = _rotated(4, 400)
    ranks = _play(rng, np.array([0, 0.5, -0.5, 0.2]), np.zeros(4), seated)
    places = plackett_luce("abcd", seated, ranks, places=1)
    unranked = plackett_luce("abcd", seated, np.where(ranks == 1, 1, 0))
    level = plackett_luce("abcd", seated, np.where(ranks == 1, 1, 2), places=1)
    assert places.estimate == pytest.approx(unranked.estimate)
    assert places.estimate == pytest.approx(level.estimate)


def test_what_would_not_fit_into_memory_is_refused() -> None:
    rng = np.random.default_rng(1)
    seated = np.array([rng.permutation(12) for _ in range(8000)])
    with pytest.raises(ValueError, match="memory"):
        plackett_luce("abcdefghijkl", seated, rng.integers(1, 4, seated.shape))


def test_equal_results_may_be_counted_or_repeated_and_scores_add_up_to_nothing() -> None:
    rng = np.random.default_rng(9)
    seated = _rotated(3, 300)
    ranks = _play(rng, np.array([0, 0.5, -0.5]), np.zeros(3), seated)
    rows, counts = np.unique(np.hstack([seated, ranks]), axis=0, return_counts=True)
    first, count = plackett_luce("abc", rows[:, :3], rows[:, 3:], counts), plackett_luce("abc", seated, ranks)
    assert first.estimate == pytest.approx(count.estimate)
    assert counts @ first.scores == pytest.approx(np.zeros(4), abs=1e-4)
    robust = clustered(count, count.scores.T @ count.scores, 300)
    assert over_deals(count, np.arange(300)).covariance == pytest.approx(robust.covariance)


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.permutations(range(4)))
def test_renaming_strategies_renames_the_ratings(seed: int, order: list[int]) -> None:
    rng = np.random.default_rng(seed)
    seated = np.array([rng.permutation(4)[:3] for _ in range(120)])
    ranks = np.minimum(_play(rng, np.array([0, 0.3, -0.3, 0.1]), np.array([0.2, 0, 0]), seated), 3)
    names = np.array(list("abcd"))
    first = ratings(plackett_luce(names.tolist(), seated, ranks))
    other = ratings(plackett_luce(names[order].tolist(), np.argsort(order)[seated], ranks))
    for left, right in zip(sorted(first), sorted(other), strict=True):
        assert left.name == right.name and left[1:] == pytest.approx(right[1:], abs=1e-3)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(2, 4), st.integers(1, 12))
def test_few_games_give_a_reason_or_numbers_that_mean_something(
    seed: int, seats: int, strategies: int, games: int
) -> None:
    rng = np.random.default_rng(seed)
    seated, ranks = rng.integers(0, strategies, (games, seats)), rng.integers(0, seats + 1, (games, seats))
    try:
        fit = plackett_luce("abcd"[:strategies], seated, ranks)
    except ValueError as reason:
        assert len(str(reason)) > 20
        return
    assert all(abs(r.elo) < 3000 and r.high - r.low < 6000 for r in ratings(fit) + seat_ratings(fit))


@pytest.mark.parametrize(
    ("seated", "ranks", "message"),
    [
        ([[0, 1, 2]] * 6, list(itertools.permutations((1, 2, 3))), "cannot be told apart.*rotate"),
        (
            [[0, 1, 2], [1, 2, 0], [2, 0, 1]],
            [[1, 2, 3], [3, 2, 1], [2, 1, 3]],
            "a never lost to b and c|a and b never lost to c",
        ),
        ([[0, 1]], [[1, 2, 3]], "same shape"),
        ([[0, 5]], [[1, 2]], "indices"),
        ([[0, 1]], [[0, 0]], "no game tells"),
    ],
)
def test_what_cannot_be_rated_is_said(seated: list[list[int]], ranks: list[list[int]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plackett_luce("abc", seated, ranks)


def _differences(seated: np.ndarray, ranks: np.ndarray, strategies: int) -> np.ndarray:
    """By how much, in every parameter, each choice differed from what might have been chosen (features as
    Turner et al. 2020).
    """
    seats, result = seated.shape[1], []
    for who, rank in zip(seated, ranks, strict=True):
        left = list(range(seats))
        while len(left) > 1 and any(rank[s] for s in left):
            best = min(rank[s] for s in left if rank[s])
            result.append((who, tuple(left), tuple(s for s in left if rank[s] == best)))
            left = [s for s in left if rank[s] != best]
    sizes = sorted({len(took) for _, _, took in result})

    def feature(who: np.ndarray, some: tuple[int, ...]) -> np.ndarray:
        strategy, seat = (
            np.bincount(part, minlength=n) / len(some)
            for part, n in ((who[list(some)], strategies), (np.array(some), seats))
        )
        return np.concatenate([strategy[1:], seat[1:], [len(some) == size for size in sizes if size > 1]])

    return np.array(
        [
            feature(who, took) - feature(who, c)
            for who, left, took in result
            for size in {1, *sizes}
            for c in itertools.combinations(left, size)
        ]
    )


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(2, 3), st.integers(2, 3), st.integers(2, 14))
def test_ratings_are_given_only_where_a_finite_maximum_exists(
    seed: int, seats: int, strategies: int, games: int
) -> None:
    # it exists and is the only one unless some direction makes no choice less likely (Albert & Anderson
    # 1984): a linear programme
    rng = np.random.default_rng(seed)
    seated, ranks = rng.integers(0, strategies, (games, seats)), rng.integers(0, seats + 1, (games, seats))
    try:
        plackett_luce("abc"[:strategies], seated, ranks)
    except ValueError:
        return
    rows = _differences(seated, ranks, strategies)
    assert np.linalg.matrix_rank(rows) == rows.shape[1]
    free = optimize.linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=(-1, 1))
    assert free.fun > -1e-7
