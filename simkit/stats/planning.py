"""Sample sizes: the numbers of games or deals that a question needs.

variance: over deals, of their means over rotations or of differences between rule sets; p(1 − p) for single
games.
"""

import math
from bisect import bisect_left
from collections.abc import Callable

from scipy import special

from simkit.stats.quantiles import normal, student

NORMAL_FROM = 10**7  # deals above which Student's distribution is taken as normal
MAX_DEALS = 10**15  # an answer above this means a mistake in the question


def games_needed(effect: float, seats: int, level: float = 0.95, power: float = 0.8) -> int:
    """Return the number of games that detect a seat share of 1/k + effect against 1/k with the given power.

    Formula: (z(level) √(p(1−p)) + z(power) √(q(1−q)))² / effect², p = 1/k, q = p + effect, rounded up.
    Source: Fleiss, Levin & Paik 2003, Statistical Methods for Rates and Proportions, chapter 2, without
    continuity correction. Units: shares. Errors: ValueError for arguments that no share can have.

    >>> games_needed(0.02, 2), games_needed(0.01, 4)
    (4904, 14832)
    """
    fair = 1 / seats if seats > 1 else 0.0
    other = fair + effect
    if fair == 0 or effect == 0 or not 0 <= other <= 1:
        raise ValueError(f"2 seats and an effect within their shares are needed, not {seats} and {effect}")
    by_chance, by_power = (math.sqrt(share * (1 - share)) for share in (fair, other))
    return math.ceil(((normal(level) * by_chance + _power_quantile(power) * by_power) / effect) ** 2)


def power_of(deals: int, effect: float, variance: float, level: float = 0.95) -> float:
    """Return the power of a two-sided t test of `deals` deals to detect a true mean of `effect` against 0.

    Formula: 1 − F(t) + F(−t), F noncentral t with D − 1 degrees of freedom, noncentrality effect
    √(D/variance). Source: Johnson, Kotz & Balakrishnan 1995, Continuous Univariate Distributions 2, chapter
    31. Units: those of the values. Errors: ValueError for fewer than 2 deals, a variance not above 0.

    >>> round(power_of(34, 0.5, 1.0), 3)
    0.808
    """
    if deals < 2 or not variance > 0:
        raise ValueError(f"2 deals or more and a variance above 0 are needed, not {deals} and {variance}")
    shift, limit = abs(effect) * math.sqrt(deals / variance), student(level, deals - 1)
    if deals > NORMAL_FROM or shift > 30:
        return float(special.ndtr(shift - limit) + special.ndtr(-shift - limit))
    # Beyond a shift of 5 the other side is below 1e-6, and SciPy sometimes returns nan.
    other_side = special.nctdtr(deals - 1, shift, -limit) if shift < 5 else 0.0
    return float(1 - special.nctdtr(deals - 1, shift, limit) + other_side)


def deals_needed(effect: float, variance: float, level: float = 0.95, power: float = 0.8) -> int:
    """Return the number of deals that detect a mean (share − 1/k, difference) of `effect` against 0.

    Formula: the smallest D with `power_of(D) ≥ power`. Source, units: `power_of`. Errors: also ValueError for
    an effect of 0, level or power not between 0 and 1.

    >>> deals_needed(0.5, 1.0), deals_needed(0.01, 0.25)
    (34, 19625)
    """
    _power_quantile(power)
    if effect == 0:
        raise ValueError("an effect other than 0 is needed")
    return _smallest(lambda deals: power_of(deals, effect, variance, level) >= power)


def deals_for_width(half_width: float, variance: float, level: float = 0.95) -> int:
    """Return the number of deals after which the interval of a mean is expected within mean ± half_width.

    Formula: the smallest D with t(D − 1) √(variance/D) ≤ half_width. Units: those of the values. Errors:
    ValueError for a half-width or variance not above 0.

    >>> deals_for_width(0.01, 0.25), deals_for_width(0.01, 0.25 / 4)
    (9607, 2404)
    """
    if not half_width > 0 or not variance > 0:
        raise ValueError(f"a half-width and a variance above 0 are needed, not {half_width} and {variance}")
    return _smallest(lambda deals: student(level, deals - 1) * math.sqrt(variance / deals) <= half_width)


def deals_to_narrow(deals: int, half_width: float, target: float) -> int:
    """Return the number of deals that narrows an interval of a mean from ± half_width to about ± target.

    Formula: n (h / t)², as the standard error of a mean of n deals falls with √n.

    >>> deals_to_narrow(100, 0.04, 0.02)
    400
    """
    return round(deals * (half_width / target) ** 2)


def _power_quantile(power: float) -> float:
    """Return the normal quantile of a power; ValueError outside 0 to 1."""
    if not 0 < power < 1:
        raise ValueError(f"a power between 0 and 1 is needed, not {power}")
    return float(special.ndtri(power))


def _smallest(enough: Callable[[int], bool]) -> int:
    """Return the least number of deals, from 2 on, that is enough; ValueError if there is none."""
    deals = bisect_left(range(MAX_DEALS), True, lo=2, key=enough)
    if deals == MAX_DEALS:
        raise ValueError("no number of deals is enough: the effect is too small for the variance")
    return deals
