"""Values shrunk towards their mean, against published ones."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.stats.shrinkage import shrink

# Efron & Morris 1977, Scientific American 236(5), 119-127: batting averages of 18 players after 45 times at bat.
HITS = [18, 17, 16, 15, 14, 14, 13, 12, 11, 11, 10, 10, 10, 10, 10, 9, 8, 7]


def test_batting_averages_shrink_as_published() -> None:
    averages = np.array(HITS) / 45
    mean = averages.mean()
    shrunk = shrink(averages, mean * (1 - mean) / 45)
    assert shrunk[0] == pytest.approx(0.294, abs=5e-4)  # Clemente, from 0.400
    assert (shrunk - mean) / (averages - mean) == pytest.approx(0.212, abs=5e-4)


def test_the_best_of_equals_is_right_on_average() -> None:
    rng, error = np.random.default_rng(1), 0.03
    picked, plain = [], []
    for _ in range(2000):
        measured = 0.5 + error * rng.standard_normal(37)
        picked.append(shrink(measured, error**2).max())
        plain.append(measured.max())
    assert np.mean(plain) > 0.56 and np.mean(picked) < 0.51


def test_three_values_and_differences_without_luck_stay_as_they_are() -> None:
    assert shrink([0.1, 0.2, 0.9], 0.1).tolist() == [0.1, 0.2, 0.9]
    assert shrink([0.1, 0.2, 0.9, 0.8], 0.0).tolist() == pytest.approx([0.1, 0.2, 0.9, 0.8])
    assert shrink([0.5] * 5, 0.1).tolist() == [0.5] * 5
