"""Shares, means and differences with the deal as the unit: plays of a deal share its luck.

Functions take the means of the deals, or the mean and sample variance of these. Coverage:
simkit/verify/validate/promise.md.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.quantiles import normal, student

NOTHING = 1e-12  # variances below this are rounding errors


class Share(NamedTuple):
    """A share (0 to 1) with its interval and the sample behind it."""

    share: float
    low: float
    high: float
    games: int  # plays
    deals: int  # independent observations
    effective: float  # number of independent games that would give the same precision


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
    factor: float  # variance on independent deals ÷ variance on common deals; pairing helps above 1


class SeatCovariance(NamedTuple):
    """The k seat shares and the covariance of these means, robust to dependence within a deal.

    Formula: Σ_d (v_d − v̄)(v_d − v̄)ᵀ / (D (D − 1)), v_d the seats' means in deal d. Source: Liang & Zeger
    1986, Biometrika 73, 13-22; Cameron & Miller 2015, J. Hum. Resour. 50, 317-372, section II.
    """

    means: NDArray[np.float64]  # [seat]
    covariance: NDArray[np.float64]  # [seat, seat]
    deals: int


def wilson(share: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Return the score interval of a share observed in n independent games; n need not be whole.

    Formula: (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n). Source: Wilson 1927, J. Am. Stat. Assoc. 22,
    209-212. Coverage at 95 %: 94 to 96 % if 100 or more of the rarer result are expected, 89.5 to 98.5 % with
    fewer. Units: shares. Errors: ValueError for a share outside 0 to 1, n not above 0.

    >>> [round(x, 4) for x in wilson(53 / 150, 150)]
    [0.2814, 0.4326]
    """
    if not 0 <= share <= 1 or not n > 0:
        raise ValueError(f"a share from 0 to 1 of more than 0 games is needed, not {share} of {n}")
    z2 = normal(level) ** 2
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return (0.0 if share == 0 else low), (1.0 if share == 1 else high)


def joint_level(seats: int, level: float = 0.95) -> float:
    """Return the level that each of k seat shares needs for all k intervals to hold together at `level`.

    Formula: 1 − (1 − level)/k; `level` for two shares, which determine each other. Source: Goodman 1965,
    Technometrics 7, 247-254 (Bonferroni). Errors: ValueError for no seats or a level outside 0 to 1.

    >>> joint_level(2), round(joint_level(4), 4)
    (0.95, 0.9875)
    """
    if seats < 1 or not 0 < level < 1:
        raise ValueError(f"a seat or more and a level between 0 and 1 are needed, not {seats} and {level}")
    return level if seats < 3 else 1 - (1 - level) / seats


@lru_cache(1 << 16)  # many cells of few deals have the same results
def share_from_moments(
    share: float, variance: float, deals: int, games: int, level: float = 0.95, off: int | None = None
) -> Share:
    """Return a share with its interval from mean and sample variance v of the means of D deals, n games.

    Formula: Wilson's interval for n* = n p(1−p)/(n−1) ÷ (v/D) (t(m−1)/t(f))² games, m the larger of n and the
    unadjusted n*, t Student's quantile, f = D − 1. If n* > D, f is at most `off`, the number of deals off the
    most frequent mean, and n* at least D. A single deal, or no variance: n* = D. Source: Korn & Graubard
    1998, Survey Methodology 24, 193-201 (there m = n); Franco, Little, Louis & Slud 2019, J. Survey Stat.
    Methodol. 7, 334-364. Units: shares. Errors: ValueError for no deals or fewer games than deals.

    >>> share_from_moments(0.8, 0.16 * 25 / 24, deals=25, games=25).low.__round__(4)
    0.6087
    >>> share_from_moments(0.5, 0.25 * 100 / 99, deals=100, games=100).effective
    100.0
    """
    if deals < 1 or games < deals:
        raise ValueError(f"one deal or more and a game per deal are needed, not {deals} deals, {games} games")
    share, effective = min(1.0, max(0.0, share)), float(deals)
    if deals > 1 and variance > NOTHING:
        unadjusted = games / (games - 1) * share * (1 - share) * deals / variance
        rarely_varies = off is not None and unadjusted > deals + 1
        freedom = min(deals - 1, max(1, off or 0)) if rarely_varies else deals - 1
        ratio = student(level, max(unadjusted, games) - 1) / student(level, freedom)
        effective = max(float(round(unadjusted * ratio**2, 9)), deals if rarely_varies else 0)
    return Share(share, *wilson(share, effective, level), games, deals, effective)


def mean_from_moments(mean: float, variance: float, deals: int, level: float = 0.95) -> Mean:
    """Return a mean over deals with its interval; a single deal has none (nan).

    Formula: mean ± t(D−1) √(v/D). Source: Student 1908, Biometrika 6, 1-25. Coverage at 95 %: 94 to 95.5 %
    from 20 deals with skewness 1; with skewness 5 82 % at 20, 94 % at 400. Errors: ValueError for no deals.

    >>> [round(x, 3) for x in mean_from_moments(10.0, 4.0, 16)[:3]]
    [10.0, 8.934, 11.066]
    """
    if deals < 1:
        raise ValueError("at least one deal is needed")
    half = student(level, deals - 1) * math.sqrt(max(variance, 0.0) / deals) if deals > 1 else math.nan
    return Mean(mean, mean - half, mean + half, deals)


def difference_from_moments(
    gap: float, variance: float, own: float, deals: int, bound: float = 0, level: float = 0.95, plays: int = 1
) -> Difference:
    """Return a mean difference over common deals with its interval, from moments; `own` is var(a) + var(b).

    Formula: as `mean_from_moments`; with a `bound` (the largest possible difference) normal after adding two
    deals with ±`bound`/`plays` (rotations per deal). Differences that never vary: mean ± `bound` × (upper
    Wilson limit of 0 in D); if so few deals may agree by luck (2^(1−D) above 1 − level), the whole range
    ±`bound`, or nan without a bound. factor = (var a + var b) / var(a − b). Source: Bonett & Price 2012, J.
    Educ. Behav. Stat. 37, 479-488 (two added, there for single games); Law 2015, Simulation Modeling and
    Analysis, 5th ed., sections 10.2.1, 11.2. Units, errors: `mean_from_moments`.

    >>> paired = difference_from_moments(0.75, 1 / 12, 4.75, deals=4)
    >>> round(paired.low, 3), round(paired.high, 3), round(paired.factor, 1)
    (0.291, 1.209, 57.0)
    """
    if variance <= NOTHING:
        if abs(gap) > NOTHING and math.ldexp(1.0, 1 - deals) >= 1 - level:
            half = bound or math.nan
            return Difference(gap, -half, half, deals, math.inf if own > NOTHING else math.nan)
        half = bound * wilson(0.0, deals, level)[1]
        low, high = (max(-bound, gap - half), min(bound, gap + half)) if bound else (gap, gap)
        return Difference(gap, low, high, deals, math.inf if own > NOTHING else math.nan)
    if bound <= 0:
        return Difference(*mean_from_moments(gap, variance, deals, level), own / variance)
    middle, error = with_two_added(gap, variance, deals, bound / plays)
    low, high = middle - normal(level) * error, middle + normal(level) * error
    return Difference(gap, max(-bound, min(low, gap)), min(bound, max(high, gap)), deals, own / variance)


def with_two_added(mean: float, variance: float, deals: int, added: float) -> tuple[float, float]:
    """Return mean and standard error as if two more deals had been played, with differences ± `added`."""
    total = deals + 2
    middle = mean * deals / total
    sum_of_squares = variance * (deals - 1) + deals * (mean - middle) ** 2 + 2 * (added**2 + middle**2)
    return middle, math.sqrt(sum_of_squares) / total


def intraclass(covariance: ArrayLike, deals: int, level: float = 0.95) -> tuple[float, float, float] | None:
    """Return the intraclass correlation of two plays of a deal with its interval; None if nothing varies.

    covariance[m, m]: over deals, of the results of the m plays of a deal. Formula: mean of the covariances ÷
    mean of the variances; ρ ± z √(2 (1 − ρ)² (1 + (m − 1)ρ)² / (m (m − 1)(D − 1))). Source: Shrout & Fleiss
    1979, Psychol. Bull. 86 (ICC(3,1)); Donner 1986, Int. Stat. Rev. 54. Errors: ValueError for fewer than 2
    plays or deals.

    >>> [round(x, 3) for x in intraclass([[0.25, 0.1], [0.1, 0.25]], deals=401)]
    [0.4, 0.318, 0.482]
    """
    matrix = np.asarray(covariance, np.float64)
    plays = len(matrix)
    if plays < 2 or deals < 2:
        raise ValueError(f"two plays of a deal and two deals at least are needed, not {plays} and {deals}")
    variance = float(np.trace(matrix)) / plays
    if variance <= NOTHING:
        return None
    rho = (float(matrix.sum()) / plays - variance) / (plays - 1) / variance
    rho_variance = 2 * (1 - rho) ** 2 * (1 + (plays - 1) * rho) ** 2 / (plays * (plays - 1) * (deals - 1))
    half = normal(level) * math.sqrt(rho_variance)
    return rho, max(-1 / (plays - 1), rho - half), min(1.0, rho + half)


def difference_of_shares(first: Share, second: Share) -> Difference:
    """Return the difference of two shares observed on different deals, with its interval.

    Formula: d − √((p₁ − l₁)² + (u₂ − p₂)²) to d + √((u₁ − p₁)² + (p₂ − l₂)²), l and u the ends of the two
    intervals. Source: Newcombe 1998, Stat. Med. 17, 873-890, method 10. `deals` is that of the smaller
    sample; `factor` is 1, as nothing is paired.

    >>> first, second = (Share(p, *wilson(p, n), n, n, n) for p, n in ((0.8, 70), (0.6, 80)))
    >>> [round(x, 4) for x in difference_of_shares(first, second)[:3]]
    [0.2, 0.0524, 0.3339]
    """
    below = math.hypot(first.share - first.low, second.high - second.share)
    above = math.hypot(first.high - first.share, second.share - second.low)
    gap = first.share - second.share
    return Difference(gap, max(-1.0, gap - below), min(1.0, gap + above), min(first.deals, second.deals), 1.0)
