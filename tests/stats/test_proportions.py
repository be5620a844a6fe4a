"""Wilson, Newcombe, Goodman: the published values and those of SciPy and statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, multinomial_proportions_confint

from simkit.stats.proportions import joint_level, newcombe, simultaneous, wilson


@pytest.mark.parametrize(
    ("won", "of", "low", "high"), [(56, 70, 0.0524, 0.3339), (9, 10, 0.1705, 0.8090), (10, 10, 0.6791, 1.0)]
)
def test_newcombes_own_examples(won: int, of: int, low: float, high: float) -> None:
    """Newcombe 1998, table II, method 10: 56/70 − 48/80, 9/10 − 3/10, 10/10 − 0/20."""
    other = {70: (48, 80), 10: (3, 10) if won == 9 else (0, 20)}[of]
    found = newcombe(won / of, of, other[0] / other[1], other[1])
    assert [round(x, 4) for x in found] == [low, high]


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_newcombe_is_that_of_statsmodels_for_whole_counts(n_a: int, n_b: int, data: st.DataObject) -> None:
    a, b = data.draw(st.integers(0, n_a)), data.draw(st.integers(0, n_b))
    known = confint_proportions_2indep(a, n_a, b, n_b, method="newcomb")
    assert newcombe(a / n_a, n_a, b / n_b, n_b) == pytest.approx(known, abs=1e-9)


@given(st.floats(0, 1), st.floats(0.5, 1e4), st.floats(0, 1), st.floats(0.5, 1e4))
def test_a_difference_told_the_other_way_round_is_the_same_interval(
    p: float, n: float, q: float, m: float
) -> None:
    low, high = newcombe(p, n, q, m)
    back = newcombe(q, m, p, n)
    assert (-back[1], -back[0]) == (pytest.approx(low), pytest.approx(high))
    assert low <= p - q <= high


@pytest.mark.parametrize("counts", [[30, 40, 30], [1, 0, 50], [56, 72, 73, 59, 62, 87, 58]])
def test_three_seats_or_more_have_the_intervals_of_goodman(counts: list[int]) -> None:
    n = sum(counts)
    known = multinomial_proportions_confint(counts, method="goodman")
    assert np.array(simultaneous([c / n for c in counts], n)) == pytest.approx(known, abs=1e-12)


def test_two_seats_have_the_interval_of_one() -> None:
    """Their shares are one number told twice."""
    assert joint_level(2, 0.9) == 0.9
    assert simultaneous([0.6, 0.4], 50) == [pytest.approx(wilson(0.6, 50)), pytest.approx(wilson(0.4, 50))]


def test_each_seat_may_have_its_own_effective_size() -> None:
    found = simultaneous([0.2, 0.3, 0.5], [50.5, 70.0, 90.0])
    assert found[0] == wilson(0.2, 50.5, joint_level(3)) and found[2] == wilson(0.5, 90, joint_level(3))


@pytest.mark.parametrize(("shares", "sizes"), [([0.5, 0.4], 10), ([0.5, 0.5], [10.0]), ([1.2, -0.2], 10)])
def test_what_is_no_division_among_seats_is_refused(shares: list[float], sizes: float | list[float]) -> None:
    with pytest.raises(ValueError, match="needed"):
        simultaneous(shares, sizes)


@pytest.mark.parametrize(("share", "n", "level"), [(1.1, 10, 0.95), (0.5, 0, 0.95), (0.5, 10, 1.0)])
def test_wilson_refuses_what_is_no_share(share: float, n: float, level: float) -> None:
    with pytest.raises(ValueError, match="needed"):
        wilson(share, n, level)
