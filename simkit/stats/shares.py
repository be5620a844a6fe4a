"""Shares and differences with intervals; the unit is the deal, never the single game.

A deal is played once, or once per rotation of the lineup. All plays of one deal share its luck, so they are one
observation: the mean over the plays of the deal. Every function takes these means, or their mean and variance.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

NOTHING = 1e-12  # a variance below this is rounding


class Share(NamedTuple):
    """A share (0 to 1) with its interval, and what it rests on."""

    share: float
    low: float
    high: float
    games: int  # plays
    deals: int  # independent observations
    effective: float  # independent games that would tell as much


class Mean(NamedTuple):
    """A mean with its interval, in the unit of the values."""

    mean: float
    low: float
    high: float
    deals: int


class Difference(NamedTuple):
    """A mean difference over common deals with its interval, in the unit of the values."""

    difference: float
    low: float
    high: float
    deals: int
    factor: float  # variance on independent deals divided by variance on common deals; above 1 pairing has helped


def wilson(share: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Score interval of a share seen in n independent games; n need not be whole.

    Formula: (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n).
    Source: Wilson 1927, J. Am. Stat. Assoc. 22, 209-212; Brown, Cai & DasGupta 2001, Stat. Sci. 16, eq. (4). The same as SciPy's
    `binomtest(...).proportion_ci(method="wilson")`, which takes whole counts only. Coverage swings with n and p around the level.
    Units: shares from 0 to 1. Errors: ValueError for a share outside 0 to 1, n not above 0, a level outside 0 to 1.

    >>> [round(x, 4) for x in wilson(53 / 150, 150)]
    [0.2814, 0.4326]
    """
    if not 0 <= share <= 1 or not n > 0:
        raise ValueError(f"a share from 0 to 1 of more than 0 games is needed, not {share} of {n}")
    z2 = _two_sided(level) ** 2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return (0.0 if share == 0 else low), (1.0 if share == 1 else high)


def effective_games(share: float, variance: float, deals: int, games: int, level: float = 0.95) -> float:
    """How many independent games would tell as much as these deals.

    Formula: n* = n p(1−p)/(n−1) ÷ (v/D), times (t(m−1)/t(D−1))² for the variance being estimated from D deals only, where v is the
    sample variance of the deal means, n the games, D the deals, m the larger of n and the unadjusted n*, t Student's quantile.
    Source: Korn & Graubard 1998, Survey Methodology 24, 193-201 (effective sample size, degrees-of-freedom adjustment; there m = n).
    For single games won or lost n* = n exactly. Draws (1/2) and rotations can make n* larger than n: they average luck out.
    Where the deals show no variance, or there is only one, n* = D: every deal then counts as one game, which is conservative.
    Units: share 0 to 1, variance of shares. Errors: ValueError for no deals or fewer games than deals.

    >>> effective_games(0.5, 0.25 * 100 / 99, deals=100, games=100)
    100.0
    """
    if deals < 1 or games < deals:
        raise ValueError(f"at least one deal and one game per deal are needed, not {deals} deals and {games} games")
    if deals == 1 or variance <= NOTHING:
        return float(deals)
    plain = games / (games - 1) * share * (1 - share) * deals / variance
    ratio = _student(level, max(plain, games) - 1) / _student(level, deals - 1)
    return float(round(plain * ratio**2, 9))


def share_from_moments(share: float, variance: float, deals: int, games: int, level: float = 0.95) -> Share:
    """The interval of a share from mean and sample variance of its deal means, for tables that are streamed.

    Formula: Wilson's interval with n = `effective_games`.
    Source: Franco, Little, Louis & Slud 2019, J. Survey Stat. Methodol. 7, 334-364 (Wilson with the effective sample size).
    Units: shares 0 to 1. Errors: as `wilson` and `effective_games`.

    >>> share_from_moments(0.8, 0.16 * 25 / 24, deals=25, games=25).low.__round__(4)
    0.6087
    """
    share = min(1.0, max(0.0, share))
    effective = effective_games(share, variance, deals, games, level)
    low, high = wilson(share, effective, level)
    return Share(share, low, high, games, deals, effective)


def share_interval(values: ArrayLike, rotations: int = 1, level: float = 0.95) -> Share:
    """The interval of a share whose unit is the deal.

    values[deal]: mean over the plays of the deal of (1/k for a win shared by k seats, else 0). rotations: plays per deal.
    Equal to Wilson's interval where every deal is one game won or lost. Formula and source: `share_from_moments`.
    Coverage found for rotated deals at 95 %: 94 to 96 %, conservative with few deals and small shares (97 % at 20 deals, share .1).
    Units: shares 0 to 1. Errors: ValueError for an empty array, more than one axis, values outside 0 to 1, rotations below 1.

    >>> won = share_interval([1] * 20 + [0] * 5)
    >>> round(won.low, 4), round(won.high, 4), won.deals
    (0.6087, 0.9114, 25)
    >>> pairs = share_interval([0.5] * 90 + [1.0] * 10, rotations=2)
    >>> pairs.games, round(pairs.share, 2), round(pairs.low, 3), round(pairs.high, 3)
    (200, 0.55, 0.52, 0.58)
    """
    seen = _observations(values)
    if seen.min() < 0 or seen.max() > 1 or rotations < 1:
        raise ValueError("shares from 0 to 1 and at least one play per deal are needed")
    return share_from_moments(float(seen.mean()), _variance(seen), seen.size, seen.size * rotations, level)


def mean_from_moments(mean: float, variance: float, deals: int, level: float = 0.95) -> Mean:
    """The interval of a mean over deals.

    Formula: mean ± t(D−1) √(v/D), v the sample variance of the deal means. Source: Student 1908, Biometrika 6, 1-25.
    Units: those of the values. Errors: ValueError for no deals. One deal has no interval (nan).

    >>> [round(x, 3) for x in mean_from_moments(10.0, 4.0, 16)[:3]]
    [10.0, 8.934, 11.066]
    """
    if deals < 1:
        raise ValueError("at least one deal is needed")
    half = _student(level, deals - 1) * math.sqrt(max(variance, 0.0) / deals) if deals > 1 else math.nan
    return Mean(mean, mean - half, mean + half, deals)


def difference_from_moments(mean: float, variance: float, apart: float, deals: int, bound: float = 0.0, level: float = 0.95) -> Difference:
    """The interval of a mean difference over common deals, from moments; `apart` is var(a) + var(b).

    Formula: as `mean_from_moments` for the differences; factor = (var a + var b) / var(a − b), by which independent deals would
    have to be more for the same precision. Differences that never vary have no t interval: then mean ± `bound` × (upper Wilson
    limit of 0 in D), since at most that part of all deals can differ; `bound` = largest possible difference, 0 if unknown.
    Source: Law 2015, Simulation Modeling and Analysis, 5th ed., sections 10.2.1 (paired t) and 11.2 (common random numbers).
    Units: those of the values. Errors: as `mean_from_moments`.

    >>> difference_from_moments(0.02, 0.1, 0.5, deals=1000).factor
    5.0
    """
    if variance <= NOTHING:
        half = bound * wilson(0.0, deals, level)[1]
        return Difference(mean, mean - half, mean + half, deals, math.inf if apart > NOTHING else math.nan)
    known = mean_from_moments(mean, variance, deals, level)
    return Difference(mean, known.low, known.high, deals, apart / variance)


def paired_difference(a: ArrayLike, b: ArrayLike, bound: float = 0.0, level: float = 0.95) -> Difference:
    """Mean of a − b over common deals, with its interval and the variance-reduction factor.

    a[deal], b[deal]: means of the same deals under two rule sets. Formula and source: `difference_from_moments`; the interval is
    that of SciPy's `ttest_rel(a, b).confidence_interval()`. The factor is nan where neither varies.
    Units: those of the values. Errors: ValueError for arrays that are empty or of different length.

    >>> d = paired_difference([1.0, 2.0, 4.0, 4.0], [0.0, 1.5, 3.0, 3.5])
    >>> round(d.difference, 3), round(d.low, 3), round(d.high, 3), round(d.factor, 1)
    (0.75, 0.291, 1.209, 57.0)
    """
    left, right = _observations(a), _observations(b)
    if left.size != right.size:
        raise ValueError(f"the deals must be the same, not {left.size} and {right.size}")
    gap = left - right
    return difference_from_moments(float(gap.mean()), _variance(gap), _variance(left) + _variance(right), gap.size, bound, level)


def verdict(low: float, high: float, fair: float, margin: float = 0.02) -> str:
    """FAIR if the interval lies within fair ± margin, UNFAIR if wholly outside, else UNDECIDED.

    Source: interval inclusion, Schuirmann 1987, J. Pharmacokin. Biopharm. 15, 657-680, at the level of the interval. For one look at
    a number of deals fixed beforehand. Units: shares 0 to 1. Errors: ValueError for a margin not above 0.

    >>> verdict(0.49, 0.51, 0.5), verdict(0.46, 0.47, 0.5), verdict(0.47, 0.49, 0.5)
    ('FAIR', 'UNFAIR', 'UNDECIDED')
    """
    if not margin > 0:
        raise ValueError(f"a margin above 0 is needed, not {margin}")
    if fair - margin <= low and high <= fair + margin:
        return "FAIR"
    return "UNFAIR" if high < fair - margin or low > fair + margin else "UNDECIDED"


def _observations(values: ArrayLike) -> NDArray[np.float64]:
    seen = np.asarray(values, dtype=np.float64)
    if seen.ndim != 1 or seen.size == 0 or np.isnan(seen).any():
        raise ValueError("one number per deal and at least one deal are needed")
    return seen


def _variance(seen: NDArray[np.float64]) -> float:
    return float(seen.var(ddof=1)) if seen.size > 1 else 0.0


def _two_sided(level: float) -> float:
    """The normal quantile of a two-sided interval."""
    if not 0 < level < 1:
        raise ValueError(f"a level between 0 and 1 is needed, not {level}")
    return float(stats.norm.ppf(0.5 + level / 2))


def _student(level: float, freedom: float) -> float:
    """Student's quantile of a two-sided interval."""
    _two_sided(level)
    quantile: Any = stats.t.ppf(0.5 + level / 2, freedom)
    return float(quantile)
