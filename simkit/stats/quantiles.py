"""Quantiles of two-sided intervals and roots, without importing scipy.stats or scipy.optimize up front."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]


def normal(level: float) -> float:
    """Return the normal quantile of a two-sided interval.

    Formula: Φ⁻¹((1 + level)/2). Source: SciPy's `ndtri`. Errors: ValueError for a level outside 0 to 1.

    >>> round(normal(0.95), 4)
    1.96
    """
    if not 0 < level < 1:
        raise ValueError(f"a level between 0 and 1 is needed, not {level}")
    return float(special.ndtri(0.5 + level / 2))


def student(level: float, freedom: float) -> float:
    """Return Student's quantile of a two-sided interval; `freedom` need not be whole.

    Formula: t⁻¹((1 + level)/2; freedom). Source: SciPy's `stdtrit`. Errors: as `normal`, also ValueError for
    no degrees of freedom.

    >>> round(student(0.95, 9), 4)
    2.2622
    """
    normal(level)
    if not freedom > 0:
        raise ValueError(f"more than 0 degrees of freedom are needed, not {freedom}")
    return float(special.stdtrit(freedom, 0.5 + level / 2))


def root(function: Callable[[float], Any], low: float, high: float, xtol: float = 2e-12) -> float:
    """Return the zero of a function that changes its sign between low and high (SciPy's `brentq`).

    >>> round(root(lambda x: x**2 - 2, 0, 2), 4)
    1.4142
    """
    from scipy.optimize import brentq  # takes 0.5 s to import

    return float(brentq(function, low, high, xtol=xtol, rtol=9e-16))
