"""Ratios and slopes of observations of which deals have unequal numbers, with the deal as the unit."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.deals import Mean, mean_from_moments
from simkit.stats.quantiles import student


class Ratio(NamedTuple):
    """A ratio of two totals; `variance` is that of its linearised deal values (`deals` times its own)."""

    ratio: float
    variance: float
    deals: int


class Slope(NamedTuple):
    """A regression slope with its interval, in units of y per unit of x."""

    slope: float
    low: float
    high: float
    deals: int


def ratio_from_sums(y: float, n: float, yy: float, ny: float, nn: float, deals: int) -> Ratio:
    """Return the ratio of two totals over deals with its variance, from sums that can be streamed.

    Formula: R = Σy_d / Σn_d; variance (D times that of R) = Σ(y_d − R n_d)² / (D − 1) ÷ (Σn_d / D)², from
    Σy_d, Σn_d, Σy_d², Σn_d y_d, Σn_d². Source: Cochran 1977, Sampling Techniques, 3rd ed., chapter 6. Units:
    y per n. Errors: ValueError for no deals or no observations.

    >>> ratio_from_sums(y=3, n=4, yy=5, ny=6, nn=10, deals=2).ratio
    0.75
    """
    if deals < 1 or not n > 0:
        raise ValueError(f"at least one deal and one observation are needed, not {deals} and {n}")
    ratio = y / n
    residual_squares = max(0.0, yy - 2 * ratio * ny + ratio**2 * nn)
    return Ratio(ratio, residual_squares / max(1, deals - 1) / (n / deals) ** 2, deals)


def ratio_difference(totals: ArrayLike, products: ArrayLike, deals: int, level: float = 0.95) -> Mean:
    """Return the difference R₁ − R₂ of two ratios of totals over the same deals, with its interval.

    totals = Σ(y₁, n₁, y₂, n₂) over deals, products[4, 4] = the sums of their products. Formula: for each deal
    e = (y₁ − R₁n₁)/n̄₁ − (y₂ − R₂n₂)/n̄₂; R₁ − R₂ ± t(D−1) √(Σe² / ((D−1) D)). Source: Cochran 1977, Sampling
    Techniques, 3rd ed., section 6.19. Units: y per n. Errors: ValueError for no deals or no observations.

    >>> ratio_difference([3, 4, 1, 4], [[5, 6, 2, 6], [6, 10, 2, 10], [2, 2, 1, 2], [6, 10, 2, 10]], 2).mean
    0.5
    """
    y1, n1, y2, n2 = np.asarray(totals, dtype=np.float64)
    if deals < 1 or not min(n1, n2) > 0:
        raise ValueError(f"at least one deal and one observation of each are needed, not {deals}, {n1}, {n2}")
    first, second = y1 / n1, y2 / n2
    weights = deals * np.array([1 / n1, -first / n1, -1 / n2, second / n2])
    variance = max(0.0, float(weights @ np.asarray(products, dtype=np.float64) @ weights)) / max(1, deals - 1)
    return mean_from_moments(float(first - second), variance, deals, level)


def slope_from_sums(xx: float, xy: float, scores: float, deals: int, level: float = 0.95) -> Slope:
    """Return a regression slope with its interval clustered by deal, from sums over x centred within groups.

    xx = Σx̃², xy = Σx̃y, scores = Σ_d u_d², u_d = Σ x̃e of a deal, e the residuals. Formula: b = xy/xx; its
    standard error √(D/(D−1) scores) / xx; ± t(D−1) se. Source: Liang & Zeger 1986, Biometrika 73, 13-22.
    Units: y per x. Errors: ValueError for no deals or an x that never varies. One deal has no interval (nan).

    >>> slope_from_sums(xx=10.0, xy=9.0, scores=1.0, deals=100).slope
    0.9
    """
    if deals < 1 or not xx > 0:
        raise ValueError(f"at least one deal and an x that varies are needed, not {deals} and Σx² = {xx}")
    half = math.nan
    if deals > 1:
        half = student(level, deals - 1) * math.sqrt(deals / (deals - 1) * max(0.0, scores)) / xx
    return Slope(xy / xx, xy / xx - half, xy / xx + half, deals)
