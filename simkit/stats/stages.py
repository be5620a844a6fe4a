"""Estimate and interval of a mean after a sequential test, by the stagewise ordering of outcomes.

A test that stopped early observed something extreme: its plain mean is too far out, the interval too narrow.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from simkit.stats.quantiles import Floats, root

MAX_DEVIATIONS = 8.0  # standard deviations beyond which probabilities count as 0
NODES = 3.0  # grid nodes per standard deviation of the smallest step
SEARCH_REACH, MAX_DOUBLINGS = 6.0, 8  # standard errors about the plain mean within which ends are searched


class Walk(NamedTuple):
    """A log-likelihood ratio, analysed several times; the test continues between `low` and `high`.

    Each deal moves it by `slope` × (result − `middle`); the results have the variance `variance`.
    """

    analyses: Sequence[int]  # numbers of deals, ascending; the test stopped at the last one
    low: float
    high: float
    slope: float
    middle: float
    variance: float

    def at(self, mean: float) -> float:
        """Return its value after all deals if their results have this mean."""
        return self.analyses[-1] * self.slope * (mean - self.middle)


class Estimate(NamedTuple):
    """A value with its interval."""

    value: float
    low: float
    high: float


def stagewise(walk: Walk, mean: float, level: float = 0.95) -> Estimate:
    """Return the median-unbiased mean and its interval after a test that stopped at the last of its analyses.

    Formula: the θ at which P_θ(an outcome at least as far up) = 1/2 and (1 ∓ level)/2; outcomes in stagewise
    order: stopped above at an earlier analysis, at this one with at least as great a mean, and so on to
    stopped below at the earliest. Probabilities by integrating the normal density of the walk from analysis
    to analysis; with one analysis mean ± z √(v/n). Source: Siegmund 1978, Biometrika 65, 341-349; Fairbanks &
    Madsen 1982, Biometrika 69, 69-74; Armitage, McPherson & Rowe 1969, J. R. Stat. Soc. A 132, 235-244
    (integration). Coverage and bias: tests/stats/test_stages.py. Units: those of the results.

    >>> one_look = Walk([400], -2.9, 2.9, 0.1, 0.5, 0.25)
    >>> [round(x, 3) for x in stagewise(one_look, 0.55)]
    [0.55, 0.501, 0.599]
    """
    error, side = float(np.sqrt(walk.variance / walk.analyses[-1])), (1 - level) / 2
    for reach in (SEARCH_REACH * error * 2**times for times in range(MAX_DOUBLINGS)):
        grid = _Grid(walk, mean, reach)
        ends = mean - reach, mean + reach
        if grid.beyond(ends[0]) < side and grid.beyond(ends[1]) > 1 - side:
            break

    def quantile(part: float) -> float:
        return root(lambda theta: grid.beyond(theta) - part, *ends, xtol=1e-4 * error)

    return Estimate(quantile(0.5), quantile(side), quantile(1 - side))


class _Grid:
    """Gauss-Legendre nodes between the bounds, at which densities are stored."""

    def __init__(self, walk: Walk, mean: float, reach: float) -> None:
        self.walk, self.seen = walk, walk.at(mean)
        self.deviation = walk.slope * np.sqrt(walk.variance)  # of the walk, after one deal
        drift = max(abs(walk.slope * (mean + side - walk.middle)) for side in (-reach, reach))
        self.analyses = [n for n in walk.analyses[:-1] if self._may_stop(n, drift)] + [walk.analyses[-1]]
        width, smallest_step = walk.high - walk.low, min(np.diff([0, *self.analyses]))
        node_count = int(np.ceil(NODES * width / (self.deviation * np.sqrt(smallest_step)))) + 20
        nodes, weights = special.roots_legendre(min(node_count, 2_000))
        self.places = walk.low + width * (nodes + 1) / 2
        self.weights = weights * width / 2

    def _may_stop(self, deals: int, drift: float) -> bool:
        """Return whether the walk may reach a bound within so many deals."""
        reached = drift * deals + MAX_DEVIATIONS * self.deviation * np.sqrt(deals)
        return bool(reached > min(-self.walk.low, self.walk.high))

    def beyond(self, theta: float) -> float:
        """Return the probability of an outcome at least as far up as the observed one."""
        drift = self.walk.slope * (theta - self.walk.middle)
        below = self.seen <= self.walk.low
        end, chance, density = self.walk.low if below else self.walk.high, 0.0, None
        for previous, analysis in zip([0, *self.analyses], self.analyses, strict=False):
            start = np.zeros(1) if density is None else self.places
            mass = np.ones(1) if density is None else density * self.weights
            deals = analysis - previous
            mean, deviation = start + drift * deals, self.deviation * np.sqrt(deals)
            last = analysis == self.analyses[-1]
            side = (mean - (self.seen if last else end)) / deviation
            chance += float(mass @ special.ndtr(-side if below else side))
            if not last:
                density = mass @ _normal(self.places, mean[:, np.newaxis], deviation)
        return 1 - chance if below else chance


def _normal(x: Floats, mean: Floats, deviation: float) -> Floats:
    """Return the normal density at x."""
    return np.asarray(np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi)))
