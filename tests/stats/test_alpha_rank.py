"""α-rank: the values of others, the chances of taking over worked out plainly, and its limit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simkit.stats.alpha_rank import alpha_rank, alpha_rank_limit

BIASED = [[0.0, -0.5, 1.0], [0.5, 0.0, -0.1], [-1.0, 0.1, 0.0]]


def test_the_stationary_distribution_that_openspiel_tests_against() -> None:
    r, t, p, s, d, e = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25  # the commitment game of Han, Pereira & Lenaerts 2013
    game = [
        [r - e / 2, r - e, 0, s + d - e, r - e],
        [r, r, s, s, s],
        [0, t, p, p, p],
        [t - d, t, p, p, p],
        [r, t, p, p, p],
    ]
    assert alpha_rank(game, alpha=0.1, population=20) == pytest.approx(
        [0.40966787, 0.07959841, 0.20506998, 0.08505983, 0.2206039]
    )


def test_the_chain_written_out_has_the_same_stationary_distribution() -> None:
    game, alpha, m = np.array([[0.5, 0.6, 0.3], [0.4, 0.2, 0.55], [0.7, 0.45, 0.9]]), 3.0, 7
    chain = np.zeros((3, 3))
    for s in range(3):
        for r in set(range(3)) - {s}:
            total, walk = 1.0, 1.0
            for p in range(1, m):
                mutant = ((p - 1) * game[r, r] + (m - p) * game[r, s]) / (m - 1)
                other = (p * game[s, r] + (m - p - 1) * game[s, s]) / (m - 1)
                walk *= math.exp(-alpha * (mutant - other))
                total += walk
            chain[s, r] = 1 / total / 2
        chain[s, s] = 1 - chain[s].sum()
    assert alpha_rank(game, alpha, m) == pytest.approx(np.linalg.matrix_power(chain, 100_000)[0])


@pytest.mark.parametrize("game", [BIASED, [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]])
def test_rock_paper_scissors_biased_or_not_is_a_third_each_in_the_limit(game: list[list[float]]) -> None:
    limit = alpha_rank_limit(game)  # Omidshafiei et al. 2019, on biased rock-paper-scissors
    assert limit == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_the_prisoners_defect() -> None:
    game = np.array([[-1.0, -3.0], [0.0, -2.0]])
    assert alpha_rank_limit(game) == pytest.approx([0, 1], abs=1e-6)
    assert alpha_rank([[0.5]], alpha=1) == [1.0]


def test_without_intensity_all_are_alike_and_no_intensity_is_too_great() -> None:
    assert alpha_rank(BIASED, 0) == pytest.approx([1 / 3] * 3)
    ladder = [[0.5, 0.501, 0.51], [0.499, 0.5, 0.501], [0.49, 0.499, 0.5]]
    assert alpha_rank(ladder, 1e9) == pytest.approx([1, 0, 0])
    assert alpha_rank_limit(ladder) == pytest.approx([1, 0, 0], abs=1e-6)


def test_even_strategies_share_the_mass_of_the_best() -> None:
    game = [[0.5, 0.5, 0.9], [0.5, 0.5, 0.9], [0.1, 0.1, 0.5]]
    assert alpha_rank_limit(game) == pytest.approx([0.5, 0.5, 0], abs=1e-6)
    assert alpha_rank_limit(np.full((3, 3), 0.5)) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("bad", [[[0.5, 0.4]], [[math.nan]], [0.5]])
def test_what_is_no_game_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="square matrix"):
        alpha_rank(bad, 1)
    with pytest.raises(ValueError, match="intensity"):
        alpha_rank(BIASED, -1)
