"""Shrinkage: estimates of the best of many that allow for its having been picked."""

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import Floats

MIN_VALUES = 4  # with which shrinking helps


def shrink(values: ArrayLike, variance: float) -> Floats:
    """Return values moved towards their mean by as much of their spread as luck explains.

    The greatest of many measured values is greater than the true one on average; shrunk values are right on
    average, whichever is picked. Formula: m + max(0, 1 − (k − 3) v / Σ(x − m)²) (x − m) of k values x with
    mean m and variance v of each. Source: James & Stein 1961; towards the mean and never beyond it: Efron &
    Morris 1973, J. Am. Stat. Assoc. 68, 117-130, section 1. Units: those of the values. Fewer than four
    values stay as they are. Errors: ValueError for a negative variance.

    >>> shrink([0.3, 0.4, 0.5, 0.6], 0.02).round(2).tolist()
    [0.36, 0.42, 0.48, 0.54]
    """
    if variance < 0:
        raise ValueError("a variance is not negative")
    numbers = np.asarray(values, dtype=float)
    if len(numbers) < MIN_VALUES:
        return numbers
    from_mean = numbers - numbers.mean()
    total = float((from_mean**2).sum())
    factor = max(0.0, 1 - (len(numbers) - 3) * variance / total) if total else 0.0
    return np.asarray(numbers.mean() + factor * from_mean)
