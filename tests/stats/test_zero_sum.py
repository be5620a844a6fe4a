"""The value of a matrix game: known games, mixes that nobody can improve on, intervals that cover."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.special import ndtri

from simkit.stats import zero_sum
from tests.kuhn_matrix import kuhn_poker


def test_games_with_known_values() -> None:
    pennies = zero_sum.solve([[1, 0], [0, 1]])
    assert pennies.value == pytest.approx(0.5) and pennies.rows == pytest.approx([0.5, 0.5])
    saddle = zero_sum.solve([[0.6, 0.7], [0.5, 0.4]])
    assert saddle.value == pytest.approx(0.6) and saddle.rows.tolist() == [1, 0] == saddle.columns.tolist()
    assert zero_sum.solve(kuhn_poker()).value == pytest.approx(-1 / 18)


def test_two_by_two_games_without_a_saddle_have_the_value_of_the_textbook() -> None:
    """(ad − bc)/(a + d − b − c), for instance von Neumann & Morgenstern 1944, section 18."""
    a, b, c, d = 0.7, 0.2, 0.3, 0.9
    assert zero_sum.solve([[a, b], [c, d]]).value == pytest.approx((a * d - b * c) / (a + d - b - c))


SIZES = st.tuples(st.integers(1, 6), st.integers(1, 6))


@given(arrays.arrays(np.float64, SIZES, elements=st.floats(-1, 1, width=16)))
def test_neither_side_can_do_better_against_the_mix_of_the_other(matrix: np.ndarray) -> None:
    value, rows, columns = zero_sum.solve(matrix)
    assert (matrix @ columns).max() == pytest.approx(value, abs=1e-7) == (rows @ matrix).min()
    assert rows.sum() == pytest.approx(1) == columns.sum() and min(rows.min(), columns.min()) >= 0


@pytest.mark.parametrize("wrong", [[], [1.0], [[np.nan]]])
def test_what_is_no_matrix_is_refused(wrong: list[object]) -> None:
    with pytest.raises(ValueError, match="matrix of finite numbers"):
        zero_sum.solve(wrong)
    with pytest.raises(ValueError, match="four deals"):
        zero_sum.cross_fitted(np.zeros((3, 2, 2)))


RNG = np.random.default_rng(0)
GAMES = {
    "rock, paper, scissors": np.array([[0.5, 0.3, 0.7], [0.7, 0.5, 0.3], [0.3, 0.7, 0.5]]),
    "all alike": np.full((6, 6), 0.5),
    "one side has eight alike": np.full((8, 1), 0.5),
    "one side has eight nearly alike": (0.5 - 0.01 * np.arange(8))[:, np.newaxis],
    "six nearly alike": 0.5 + 0.01 * (np.arange(6)[np.newaxis] - np.arange(6)[:, np.newaxis]),
    "five at random": RNG.uniform(0.35, 0.65, (5, 5)),
    "saddle": np.array([[0.6, 0.7], [0.5, 0.4]]),
}


def played(game: np.ndarray, deals: int, rng: np.random.Generator) -> np.ndarray:
    """Who won each pairing of each deal; a fifth of the luck is the deal's."""
    common = rng.normal(size=(deals, 1, 1)) * np.sqrt(0.2)
    luck = common + rng.normal(size=(deals, *game.shape)) * np.sqrt(0.8)
    return np.asarray((luck < ndtri(game)).astype(float))


def covered(name: str, runs: int, deals: int = 600) -> tuple[float, float]:
    """How often the interval holds the true value, and the mean error of the value."""
    game, rng, held, errors = GAMES[name], np.random.default_rng(3), 0, []
    true = zero_sum.solve(game).value
    for _ in range(runs):
        result = zero_sum.cross_fitted(played(game, deals, rng), replications=50)
        held += result.low <= true <= result.high
        errors.append(result.value - true)
    return held / runs, float(np.mean(errors))


def test_luck_that_picks_the_best_of_many_is_not_part_of_the_value() -> None:
    """The plain value of eight that are alike, the best of which is taken, is too high by a standard error."""
    games = [played(GAMES["one side has eight alike"], 400, RNG) for _ in range(8)]
    results = [zero_sum.cross_fitted(game, replications=5) for game in games]
    assert (
        abs(np.mean([first.value for first in results]) - 0.5)
        < 0.02
        < np.mean([first.plain for first in results]) - 0.5
    )


@pytest.mark.slow
@pytest.mark.proof("stats")
@pytest.mark.parametrize("name", GAMES)
def test_intervals_cover_whatever_the_game(name: str) -> None:
    part, error = covered(name, 60)
    assert part > 0.86 and abs(error) < 0.02  # 0.95 less three standard errors
