"""Wilson and Goodman: the values of SciPy and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import multinomial_proportions_confint

from simkit.stats.deals import joint_level, wilson


@pytest.mark.parametrize("counts", [[30, 40, 30], [1, 0, 50], [56, 72, 73, 59, 62, 87, 58]])
def test_three_seats_or_more_have_the_intervals_of_goodman(counts: list[int]) -> None:
    n = sum(counts)
    expected = multinomial_proportions_confint(counts, method="goodman")
    results = [wilson(c / n, n, joint_level(len(counts))) for c in counts]
    assert np.array(results) == pytest.approx(expected, abs=1e-12)


def test_two_seats_have_the_interval_of_one() -> None:
    """Their shares are one number told twice."""
    assert joint_level(2, 0.9) == joint_level(1, 0.9) == 0.9


@pytest.mark.parametrize("won", [0, 1, 7, 40])
def test_wilson_is_that_of_scipy(won: int) -> None:
    expected = stats.binomtest(won, 40).proportion_ci(method="wilson")
    assert wilson(won / 40, 40) == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(("seats", "level"), [(0, 0.95), (3, 1.0)])
def test_no_seats_and_no_level_are_refused(seats: int, level: float) -> None:
    with pytest.raises(ValueError, match="needed"):
        joint_level(seats, level)


@pytest.mark.parametrize(("share", "n", "level"), [(1.1, 10, 0.95), (0.5, 0, 0.95), (0.5, 10, 1.0)])
def test_wilson_refuses_what_is_no_share(share: float, n: float, level: float) -> None:
    with pytest.raises(ValueError, match="needed"):
        wilson(share, n, level)
