"""How much of a result the deal decides: the correlation of results that share a deal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import normal


class Intraclass(NamedTuple):
    """The correlation of two plays of one deal, with its interval (−1/(plays − 1) to 1)."""

    correlation: float
    low: float
    high: float


def from_moments(means: ArrayLike, covariance: ArrayLike, plays: int, deals: int, level: float = 0.95) -> Intraclass | None:
    """The intraclass correlation of the plays of a deal, from moments that can be streamed; None where the results never vary.

    means[3], covariance[3, 3]: over deals, of a = the mean of a deal's results, b = its square, c = the mean of their squares.
    Formula: within W = (c − b) m/(m − 1), between B = (b − a²) D/(D − 1) − W/m, ρ = B / (B + W), m plays of each of D deals; its standard
    error by the delta method over deals (gradient of ρ by a, b, c). Source: Fisher 1925, Statistical Methods for Research Workers,
    chapter VII (the analysis-of-variance estimate, ICC(1) of Shrout & Fleiss 1979, Psychol. Bull. 86, 420-428). The interval takes no
    normal results, but many deals (some hundreds).
    Units: none. Errors: ValueError for fewer than 2 plays or deals.

    >>> found = from_moments([0.5, 0.5, 0.5], [[0.25] * 3] * 3, plays=2, deals=400)
    >>> found.correlation
    1.0
    """
    if plays < 2 or deals < 2:
        raise ValueError(f"two plays of a deal and two deals at least are needed, not {plays} and {deals}")
    a, b, c = np.asarray(means, np.float64)
    d, w = deals / (deals - 1), plays / (plays - 1)
    within = (c - b) * w
    between = (b - a * a) * d - within / plays
    total = between + within
    if total <= 1e-12:
        return None
    correlation = between / total
    by_within = np.array([0.0, -w, w])
    by_between = np.array([-2 * a * d, d + w / plays, -w / plays])
    gradient = (by_between * within - by_within * between) / total**2
    half = normal(level) * float(np.sqrt(max(0.0, gradient @ np.asarray(covariance, np.float64) @ gradient) / deals))
    low, high = max(-1 / (plays - 1), correlation - half), min(1.0, correlation + half)
    return Intraclass(float(correlation), float(low), float(high))
