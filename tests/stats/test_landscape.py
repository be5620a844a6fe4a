"""The strategy landscape: equilibria against a second optimiser, dominance, cycles, decomposition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from simkit.stats.landscape import cycles, cyclic_part, dominated, nash_average, settled

RPS = np.array([[0.5, 1.0, 0.0], [0.0, 0.5, 1.0], [1.0, 0.0, 0.5]])


def _matchups(seed: int, n: int, levels: int | None = None) -> np.ndarray:
    rng = np.random.default_rng(seed)
    game = rng.random((n, n)) if levels is None else rng.integers(0, levels + 1, (n, n)) / levels
    upper = np.triu(game, 1)
    return upper + np.tril(1 - upper.T, -1) + np.diag([0.5] * n)


def test_rock_paper_scissors_is_a_third_each_and_three_strategies() -> None:
    result = nash_average(RPS)
    assert result.weights == pytest.approx([1 / 3] * 3)
    assert result.effective == pytest.approx(3)
    assert result.shares == pytest.approx([0.5] * 3)


def test_a_copy_of_a_strategy_changes_nobodys_share_and_splits_its_weight() -> None:
    twice = RPS[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])]
    result = nash_average(twice)
    assert result.weights == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-6)
    assert result.shares == pytest.approx([0.5] * 4)


def test_the_best_of_a_ladder_takes_all_and_equals_share() -> None:
    ladder = 0.5 + 0.1 * np.sign(np.arange(4)[:, np.newaxis] - np.arange(4)) * -1
    assert nash_average(ladder).weights == pytest.approx([1, 0, 0, 0], abs=1e-9)
    assert nash_average(np.full((4, 4), 0.5)).weights == pytest.approx([0.25] * 4)
    assert nash_average(np.full((4, 4), 0.5)).effective == pytest.approx(4)
    assert nash_average([[0.5, 0.5, 0.9], [0.5, 0.5, 0.6], [0.1, 0.4, 0.5]]).weights == pytest.approx(
        [0.5, 0.5, 0], abs=1e-7
    )


def test_the_equilibrium_of_weighted_rock_paper_scissors() -> None:
    edges = np.array([[0, 1.0, -2.0], [-1.0, 0, 3.0], [2.0, -3.0, 0]]) / 10  # weights go by the opposite edge
    assert nash_average(0.5 + edges).weights == pytest.approx([3 / 6, 2 / 6, 1 / 6])


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.integers(2, 7), st.sampled_from([None, 2, 4]))
def test_it_is_the_equilibrium_of_greatest_entropy(seed: int, n: int, levels: int | None) -> None:
    shares = _matchups(seed, n, levels)
    result = nash_average(shares)
    game = shares - 0.5
    assert result.weights.sum() == pytest.approx(1) and result.weights.min() >= 0
    assert (result.weights @ game).min() > -1e-6  # nothing does better against it
    expected = optimize.minimize(
        lambda p: float(np.sum(p * np.log(p + 1e-300))),
        np.full(n, 1 / n),
        method="SLSQP",
        bounds=[(1e-12, 1)] * n,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: p @ game + 1e-9},
        ],
        options={"ftol": 1e-12, "maxiter": 500},
    )
    if expected.success and (expected.x @ game).min() > -1e-7:
        assert np.log(result.effective) > -expected.fun - 1e-4


def test_a_strategy_dominated_by_another_or_by_a_mixture_is_named_with_its_reason() -> None:
    (first,) = dominated([[0.5, 0.8, 0.7], [0.2, 0.5, 0.6], [0.3, 0.4, 0.5]], margin=0.15)[:1]
    assert (first.strategy, first.by, first.strictly) == (1, {0: 1.0}, False)
    mixed = [[0.9, 0.1, 0.5], [0.1, 0.9, 0.5], [0.4, 0.4, 0.3]]
    (two,) = dominated(mixed)
    assert (two.strategy, two.strictly) == (2, True) and set(two.by) == {0, 1}
    assert two.by[0] == pytest.approx(0.5) and two.gain == pytest.approx(0.1)
    assert dominated(mixed, margin=0.2) == []


def test_weakly_dominated_by_a_mixture_only() -> None:
    (result,) = dominated([[1.0, 0.0, 0.6], [0.0, 1.0, 0.6], [0.5, 0.5, 0.4]])
    assert (result.strategy, result.strictly) == (2, False) and result.by == pytest.approx({0: 0.5, 1: 0.5})


def test_neither_equals_nor_rock_paper_scissors_are_dominated() -> None:
    assert dominated(RPS) == []
    assert dominated(np.full((3, 3), 0.5)) == []


def test_dominance_over_several_opponents_takes_every_combination() -> None:
    payoffs = np.zeros((2, 2, 2))
    payoffs[0] = 0.3
    payoffs[1, 1, 1] = 0.9
    assert dominated(payoffs) == []
    payoffs[1, 1, 1] = 0.2
    assert [d.strategy for d in dominated(payoffs)] == [1]


def test_cycles_beyond_noise_only_the_strongest_first() -> None:
    shares = np.array(
        [[0.5, 0.6, 0.3, 0.5], [0.4, 0.5, 0.9, 0.45], [0.7, 0.1, 0.5, 0.6], [0.5, 0.55, 0.4, 0.5]]
    )
    result = cycles(shares, shares)
    assert [c.strategies for c in result] == [(0, 1, 2), (1, 2, 3)]
    assert [c.strength for c in result] == pytest.approx([0.1, 0.05])
    assert [c.strategies for c in cycles(shares, low=shares - 0.07)] == [(0, 1, 2)]
    assert cycles(shares, shares, most=0) == []


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(3, 7))
def test_the_number_of_cycles_of_a_tournament_is_kendalls(seed: int, n: int) -> None:
    shares = _matchups(seed, n)
    wins = (shares > 0.5).sum(axis=1)
    assert len(cycles(shares, shares)) == n * (n - 1) * (n - 2) // 6 - sum(w * (w - 1) // 2 for w in wins)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_the_cyclic_part_of_a_ladder_is_0_of_what_it_leaves_1_and_of_both_by_squares(
    seed: int, n: int
) -> None:
    game = _matchups(seed, n) - 0.5
    ratings = game.mean(axis=1)
    ladder = ratings[:, np.newaxis] - ratings
    rest = game - ladder
    assert cyclic_part(0.5 + ladder / 4) == pytest.approx(0)
    assert cyclic_part(0.5 + rest / 4) == pytest.approx(float(n > 2))
    assert cyclic_part(0.5 + game) == pytest.approx(np.sum(rest**2) / np.sum(game**2))


def test_what_noise_may_explain_counts_as_even() -> None:
    shares = np.array([[0.5, 0.6], [0.4, 0.5]])
    assert settled(shares, shares - 0.05, shares + 0.05)[0, 1] == 0.6
    assert settled(shares, shares - 0.2, shares + 0.2)[0, 1] == 0.5


@pytest.mark.parametrize(
    "bad", [[[0.5, 0.6], [0.6, 0.5]], [[0.5, np.nan], [np.nan, 0.5]], [[0.5, 0.5]], [[0.5, 1.2], [-0.2, 0.5]]]
)
def test_what_is_no_matchup_matrix_is_refused(bad: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="shares"):
        nash_average(bad)
