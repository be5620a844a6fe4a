"""What is left of a mean when a sequential test said when to stop: estimate and interval by stages.

A test that stopped early saw something extreme: the plain mean is too far out, its interval too narrow.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from simkit.stats.quantiles import Floats, root

FAR = 8.0  # standard deviations within which everything happens
FINE = 3.0  # places of the grid in a standard deviation of the smallest step
REACH, WIDER = 6.0, 8  # standard errors from the plain mean to look for the ends in; doubled so often


class Walk(NamedTuple):
    """A log-likelihood ratio looked at after `looks` deals: it goes on strictly between `low` and `high`.

    Each deal moves it by `slope` × (result − `middle`), results having the variance `variance`.
    """

    looks: Sequence[int]  # the last one is where it stopped
    low: float
    high: float
    slope: float
    middle: float
    variance: float

    def at(self, mean: float) -> float:
        """Where it stands after all its deals, their results having this mean."""
        return self.looks[-1] * self.slope * (mean - self.middle)


class Estimate(NamedTuple):
    value: float
    low: float
    high: float


def stagewise(walk: Walk, mean: float, level: float = 0.95) -> Estimate:
    """Median-unbiased mean, and its interval, of a test that stopped at the last of its looks.

    Formula: the θ at which P_θ(an outcome at least as far up) = 1/2 and (1 ∓ level)/2; outcomes in the order
    of stages: stopped above at an earlier look, at this one with at least as great a mean, and so on to
    stopped below at the earliest. Probabilities by integrating the normal density of the walk from look to
    look; the variance is taken as known. With one look mean ± z √(v/n). Source: Siegmund 1978, Biometrika 65,
    341-349; Fairbanks & Madsen 1982, Biometrika 69, 69-74; integration: Armitage, McPherson & Rowe 1969,
    J. R. Stat. Soc. A 132, 235-244. Coverage and bias: tests/stats/test_stages.py. Units: those of the
    results. Errors: ValueError for looks that do not rise, bounds that do not hold 0, no variance, slope 0.

    >>> one_look = Walk([400], -2.9, 2.9, 0.1, 0.5, 0.25)
    >>> [round(x, 3) for x in stagewise(one_look, 0.55)]
    [0.55, 0.501, 0.599]
    """
    _check(walk)
    error, side = float(np.sqrt(walk.variance / walk.looks[-1])), (1 - level) / 2
    for reach in (REACH * error * 2**times for times in range(WIDER)):
        grid = _Grid(walk, mean, reach)
        ends = mean - reach, mean + reach
        if grid.beyond(ends[0]) < side and grid.beyond(ends[1]) > 1 - side:
            break

    def at(part: float) -> float:
        return root(lambda theta: grid.beyond(theta) - part, *ends, xtol=1e-4 * error)

    return Estimate(at(0.5), at(side), at(1 - side))


def _check(walk: Walk) -> None:
    rises = bool(walk.looks) and all(a < b for a, b in zip([0, *walk.looks], walk.looks, strict=False))
    if not rises or not walk.low < 0 < walk.high or not walk.variance > 0 or not walk.slope > 0:
        raise ValueError(
            f"looks that rise, bounds about 0, a variance and a slope above 0 are needed: {walk}"
        )


class _Grid:
    """The places between the bounds at which densities are kept (Gauss-Legendre)."""

    def __init__(self, walk: Walk, mean: float, reach: float) -> None:
        self.walk, self.seen = walk, walk.at(mean)
        self.deviation = walk.slope * np.sqrt(walk.variance)  # of the walk, after one deal
        drift = max(abs(walk.slope * (mean + side - walk.middle)) for side in (-reach, reach))
        self.looks = [n for n in walk.looks[:-1] if self._may_stop(n, drift)] + [walk.looks[-1]]
        width, least = walk.high - walk.low, min(np.diff([0, *self.looks]))
        places = int(np.ceil(FINE * width / (self.deviation * np.sqrt(least)))) + 20
        nodes, weights = special.roots_legendre(min(places, 2_000))
        self.places = walk.low + width * (nodes + 1) / 2
        self.weights = weights * width / 2

    def _may_stop(self, deals: int, drift: float) -> bool:
        reached = drift * deals + FAR * self.deviation * np.sqrt(deals)
        return bool(reached > min(-self.walk.low, self.walk.high))

    def beyond(self, theta: float) -> float:
        """The chance of an outcome at least as far up as the one seen."""
        drift = self.walk.slope * (theta - self.walk.middle)
        below = self.seen <= self.walk.low
        end, chance, density = self.walk.low if below else self.walk.high, 0.0, None
        for before, look in zip([0, *self.looks], self.looks, strict=False):
            start = np.zeros(1) if density is None else self.places
            mass = np.ones(1) if density is None else density * self.weights
            mean, deviation = start + drift * (look - before), self.deviation * np.sqrt(look - before)
            last = look == self.looks[-1]
            side = (mean - (self.seen if last else end)) / deviation
            chance += float(mass @ special.ndtr(-side if below else side))
            if not last:
                density = mass @ _normal(self.places, mean[:, np.newaxis], deviation)
        return 1 - chance if below else chance


def _normal(x: Floats, mean: Floats, deviation: float) -> Floats:
    return np.asarray(np.exp(-0.5 * ((x - mean) / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi)))
