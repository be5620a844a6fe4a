"""Interval of a mean of values from 0 to 1, such as a share in which draws count as halves, for few games."""

from functools import lru_cache

import numpy as np

from simkit.stats.quantiles import Floats, root

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(256)
ANGLES = (NODES + 1) * np.pi / 4  # whose tangents are the places of the integral


@lru_cache(1 << 12)
def mean_interval(
    values: tuple[float, ...], counts: tuple[int, ...], level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of a mean of independent values from 0 to 1, from the number of games with each.

    Formula: the upper end is the quantile (1 + level)/2 of Σ D_v x_v + D x_1, with x_1 = 1 and the D of
    Dirichlet's distribution, parameters counts and 1; the lower end mirrors it. With wins and losses alone it
    is Clopper and Pearson's. Source: Gaffke 2005, Math. Methods Stat. 14, 451-467; Learned-Miller & Thomas
    2019, arXiv:1905.06208. Coverage: at least `level`, proved for wins and losses, computed for wins, draws
    and losses (`tests.stats.draws`). Errors: ValueError for values outside 0 to 1 or no games.

    >>> [round(end, 4) for end in mean_interval((0, 1), (3, 7))]  # of R: binom.test(7, 10)
    [0.3475, 0.9333]
    >>> [round(end, 4) for end in mean_interval((0, 0.5, 1), (2, 2, 6))]
    [0.3767, 0.9132]
    """
    places, games = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if not games.sum() > 0 or min(places) < 0 or max(places) > 1:
        raise ValueError(f"values from 0 to 1 of one game or more are needed, not {counts} of {values}")
    tail = (1 - level) / 2
    return 1 - _upper(1 - places, games, tail), _upper(places, games, tail)


def _upper(values: Floats, counts: Floats, tail: float) -> float:
    """Return the upper end of the interval."""
    mean = float(values @ counts / counts.sum())
    if mean >= 1:
        return 1.0
    values, counts = np.append(values, 1.0), np.append(counts, 1.0)
    return root(lambda end: _chance_above(end, values, counts) - tail, mean, 1 - 1e-12)


def _chance_above(limit: float, values: Floats, counts: Floats) -> float:
    """Return P(Σ D_v x_v > limit), D of Dirichlet's distribution (Imhof 1961, Biometrika 48, equation 3.2).

    The sum is above the limit if Σ (x_v − limit) χ²_v > 0, with 2 `counts` degrees of freedom.
    """
    gaps = values - limit
    scale = np.sqrt(counts @ gaps**2)
    places = np.tan(ANGLES) / scale
    turns = np.outer(gaps, places)
    integrand = np.sin(counts @ np.arctan(turns)) * np.exp(-counts @ np.log1p(turns**2) / 2)
    return float(0.5 + NODE_WEIGHTS @ (integrand / np.tan(ANGLES) / np.cos(ANGLES) ** 2) / 4)
