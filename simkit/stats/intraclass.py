"""How much of a result the deal decides: the correlation of results that share a deal."""

import math

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.deals import NOTHING
from simkit.stats.quantiles import normal


def intraclass(covariance: ArrayLike, deals: int, level: float = 0.95) -> tuple[float, float, float] | None:
    """The intraclass correlation of two plays of a deal with its interval; None if nothing varies.

    covariance[m, m]: over deals, of the results of the m plays of a deal, each kind about its own mean.
    Formula: mean of the covariances ÷ mean of the variances (ICC(3,1)); ρ ± z √(2 (1 − ρ)² (1 + (m − 1)ρ)² /
    (m (m − 1)(D − 1))). Source: Shrout & Fleiss 1979, Psychol. Bull. 86, 420-428; Donner 1986, Int. Stat.
    Rev. 54, 67-82, section 2. Errors: ValueError for fewer than 2 plays or deals.

    >>> [round(x, 3) for x in intraclass([[0.25, 0.1], [0.1, 0.25]], deals=401)]
    [0.4, 0.318, 0.482]
    """
    seen = np.asarray(covariance, np.float64)
    plays = len(seen)
    if plays < 2 or deals < 2:
        raise ValueError(f"two plays of a deal and two deals at least are needed, not {plays} and {deals}")
    variance = float(np.trace(seen)) / plays
    if variance <= NOTHING:
        return None
    rho = (float(seen.sum()) / plays - variance) / (plays - 1) / variance
    spread = 2 * (1 - rho) ** 2 * (1 + (plays - 1) * rho) ** 2 / (plays * (plays - 1) * (deals - 1))
    half = normal(level) * math.sqrt(spread)
    return rho, max(-1 / (plays - 1), rho - half), min(1.0, rho + half)
