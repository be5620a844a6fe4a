"""Multiple comparisons: p-values of paired differences, and their adjustment for the number of tests."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from simkit.stats.deals import NOTHING, with_two_added
from simkit.stats.quantiles import normal


def difference_p_value(mean: float, variance: float, deals: int, bound: float = 0.0, plays: int = 1) -> float:
    """Return the two-sided p-value of a mean difference over common deals.

    Formula: 2 T(−|mean| / √(variance/D)), T Student's with D − 1 degrees of freedom; where all deals have the
    same difference 2^(1−D), and 1 for no difference. With a `bound` normal after adding two deals, and for
    equal differences at least 2 Φ(−√(D g/(1−g))), g = |mean|/`bound`, to agree with the intervals of
    `difference_from_moments`. Source: Student 1908, Biometrika 6, 1-25; Fisher 1935, The Design of
    Experiments, section 21 (signs). Units: those of a − b. Errors: ValueError for no deals.

    >>> round(difference_p_value(0.75, 0.0833, 4), 4)
    0.0138
    """
    if deals < 1:
        raise ValueError("at least one deal is needed")
    if variance <= NOTHING or deals == 1:
        return _all_alike(abs(mean), deals, bound)
    if bound > 0:
        middle, error = with_two_added(mean, variance, deals, bound / plays)
        return float(2 * special.ndtr(-abs(middle) / error))
    return float(2 * special.stdtr(deals - 1, -abs(mean) / math.sqrt(variance / deals)))


def _all_alike(gap: float, deals: int, bound: float) -> float:
    """Return the p-value for deals with equal differences; the score test agrees with Wilson's limit."""
    if gap <= NOTHING:
        return 1.0
    fraction = min(gap / bound, 1.0) if bound > 0 else 1.0
    score_p = 2 * special.ndtr(-math.sqrt(deals * fraction / (1 - fraction))) if fraction < 1 else 0.0
    return float(max(math.ldexp(1.0, 1 - deals), score_p))


def interval_p_value(difference: float, low: float, high: float) -> float:
    """Return the p-value of a difference from its 95 % interval: from the half that points towards 0.

    Formula: 2 Φ(−z₀.₉₇₅ |d| / (distance from d to that end)). Source: Altman & Bland 2011, BMJ 343, d2304.
    Units: those of the difference. Errors: ValueError for a difference outside its interval.

    >>> round(interval_p_value(0.1, 0.0, 0.2), 4), interval_p_value(0.0, -0.1, 0.1)
    (0.05, 1.0)
    """
    if not low <= difference <= high:
        raise ValueError("a difference inside its interval is needed")
    half = difference - low if difference > 0 else high - difference
    if half <= NOTHING:
        return 1.0 if abs(difference) <= NOTHING else 0.0
    return float(2 * special.ndtr(-normal(0.95) * abs(difference) / half))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return Holm's adjusted p-values: rejecting all below α errs anywhere with probability at most α.

    Formula: for p sorted ascending, the running maximum of (m − i) p_i, i from 0, at most 1; valid under any
    dependence. Source: Holm 1979, Scand. J. Stat. 6, 65-70. Errors: ValueError for p-values outside 0 to 1.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.array(p_values, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError("p-values from 0 to 1 in one row are needed")
    # Not from statsmodels, which takes a second to load and would be a dependency for this alone.
    order = np.argsort(values)
    adjusted = np.empty_like(values)
    adjusted[order] = np.maximum.accumulate(values[order] * np.arange(values.size, 0, -1)).clip(max=1)
    return adjusted


def holm_level(p_adjusted: ArrayLike, level: float = 0.95) -> float:
    """Return the level at which exactly the intervals of the differences that Holm's test rejects exclude 0.

    Formula: 1 − (1 − level)/max(1, m − r), m the comparisons, r those with an adjusted p-value below
    1 − level. Promise: the chance that one or more intervals miss a true difference of 0 is at most
    1 − level; joint coverage of all is not promised. Source: Holm 1979, Scand. J. Stat. 6, 65-70 (the test).

    >>> p_adjusted = holm([0.001, 0.2, 0.3])
    >>> holm_level(p_adjusted), holm_level([0.04]), holm_level([])
    (0.975, 0.95, 0.95)
    """
    alpha = 1 - level
    return 1 - alpha / max(1, int((np.asarray(p_adjusted) >= alpha - NOTHING).sum()))
