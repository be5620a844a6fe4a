"""Sobol indices of a function whose indices are published."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simkit.questions import screen

# V(Y) and its parts: Ishigami & Homma 1990, ISUMA; a = 7, b = 0.1
FIRST = {"x1": 0.3139, "x2": 0.4424, "x3": 0.0}
TOTAL = {"x1": 0.5576, "x2": 0.4424, "x3": 0.2437}


@pytest.mark.slow
@pytest.mark.proof("questions.screen")
def test_the_indices_of_the_ishigami_function_are_the_published_ones() -> None:
    """sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1, each from −π to π."""
    values = np.linspace(-math.pi, math.pi, 1_000).tolist()
    points = screen.sobol_points(dict.fromkeys(FIRST, values), 1_024, seed=1)
    x = np.array(points.settings, float)
    y = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    indices = screen.sobol_indices(list(FIRST), y[points.which], seed=1)
    for expected, kind in ((FIRST, "first"), (TOTAL, "total")):
        for name, value in expected.items():
            error = (indices[name][f"{kind}_high"] - indices[name][kind]) / 1.96
            assert abs(indices[name][kind] - value) < 0.02 + 4 * error, (name, kind)
