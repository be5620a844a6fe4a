"""Ratios and slopes of observations that come in unequal numbers per deal; the deal stays the unit."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from scipy import stats


class Ratio(NamedTuple):
    """A total divided by a total, and the sample variance of its linearised deal values: divided by `deals` it is that of the ratio."""

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
    """The ratio of two totals over deals, and how much it varies, from sums that can be streamed.

    Formula: R = Σy_d / Σn_d; variance = Σ(y_d − R n_d)² / (D − 1) ÷ (Σn_d / D)², with the arguments Σy_d, Σn_d, Σy_d², Σn_d y_d,
    Σn_d². With the same n in every deal it is the sample variance of the deal means. The variance of R is that divided by D.
    Source: Cochran 1977, Sampling Techniques, 3rd ed., chapter 6 (the ratio estimate of clusters of unequal size, without the finite-population factor). The same as the
    cluster-robust variance of a constant in statsmodels (`OLS.fit(cov_type="cluster")`).
    Units: y in units of the value, n in observations. Errors: ValueError for no deals or no observations.

    >>> ratio_from_sums(y=3, n=4, yy=5, ny=6, nn=10, deals=2).ratio
    0.75
    """
    if deals < 1 or not n > 0:
        raise ValueError(f"at least one deal and one observation are needed, not {deals} deals and {n} observations")
    ratio = y / n
    left = max(0.0, yy - 2 * ratio * ny + ratio**2 * nn)
    return Ratio(ratio, left / max(1, deals - 1) / (n / deals) ** 2, deals)


def slope_from_sums(xx: float, xy: float, scores: float, deals: int, level: float = 0.95) -> Slope:
    """The slope of a regression with its interval clustered by deal, from sums over x that is centred within its groups.

    Formula: b = Σx̃y / Σx̃²; its standard error √(D/(D−1) Σ_d u_d²) / Σx̃², where u_d = Σ x̃e over the observations of a deal, e the
    residuals; interval b ± t(D−1) se. Arguments: xx = Σx̃², xy = Σx̃y, scores = Σ_d u_d².
    Source: Liang & Zeger 1986, Biometrika 73, 13-22; Cameron & Miller 2015, J. Human Resources 50, 317-372, section II.
    Units: y per x. Errors: ValueError for no deals or an x that never varies. One deal has no interval (nan).

    >>> slope_from_sums(xx=10.0, xy=9.0, scores=1.0, deals=100).slope
    0.9
    """
    if deals < 1 or not xx > 0:
        raise ValueError(f"at least one deal and an x that varies are needed, not {deals} deals and a sum of squares of {xx}")
    if not 0 < level < 1:
        raise ValueError(f"a level between 0 and 1 is needed, not {level}")
    quantile: Any = stats.t.ppf(0.5 + level / 2, deals - 1) if deals > 1 else math.nan
    half = float(quantile) * math.sqrt(deals / max(1, deals - 1) * max(0.0, scores)) / xx
    return Slope(xy / xx, xy / xx - half, xy / xx + half, deals)
