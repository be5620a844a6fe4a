"""Where a curve through means on common deals meets a target, with its interval: a fair value."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.quantiles import Floats, normal, root

LACK = 0.05  # p-value below which a fit is said to lack something
DEGREES = [0, 0, 1, 2, 2, 2, 3]  # by the number of settings; the last for more of them
STEPS = 2000  # points at which a curve is looked at


class Curve(NamedTuple):
    """A polynomial in (x − centre) / scale, its weights on the fitted means, and how well it fits."""

    centre: float
    scale: float
    weights: Floats  # [power, setting]: coefficients = weights @ means
    means: Floats  # [setting]
    covariance: Floats  # of the means [setting, setting]
    lack: float  # p-value of the test that nothing but noise is left (nan without settings to spare)

    def at(self, x: ArrayLike) -> Floats:
        return self._powers(x) @ (self.weights @ self.means)

    def influence(self, x: ArrayLike) -> Floats:
        """What each fitted mean contributes to the value at x: [..., setting]."""
        return self._powers(x) @ self.weights

    def error(self, x: ArrayLike) -> Floats:
        part = self.influence(x)
        return np.asarray(np.sqrt(np.einsum("...i,ij,...j->...", part, self.covariance, part).clip(0)))

    def slope(self, x: float) -> float:
        step = 1e-4 * self.scale
        return float((self.at(x + step) - self.at(x - step)) / (2 * step))

    def _powers(self, x: ArrayLike) -> Floats:
        z = (np.asarray(x, np.float64) - self.centre) / self.scale
        return np.asarray(z[..., np.newaxis] ** np.arange(len(self.weights)))


class Crossing(NamedTuple):
    """Where a curve meets the target, with its interval; an end that lies beyond the range is ±inf."""

    value: float
    low: float
    high: float


def fit(x: ArrayLike, means: ArrayLike, covariance: ArrayLike, degree: int) -> Curve:
    """A polynomial by least squares, every setting alike: one that never varied must not outweigh the rest.

    x[i], means[i], covariance[i, j] of the means. Formula: β = (X'X)⁻¹X'y, Cov β = A Σ A', A = (X'X)⁻¹X';
    lack of fit r' Σr⁺ r ~ χ²(settings − degree − 1). Source: Seber & Lee 2003, Linear Regression Analysis,
    sections 3.10, 4.4; Kleijnen 2015, Design and Analysis of Simulation Experiments, section 3.4. Errors:
    ValueError for too few settings or other shapes.

    >>> curve = fit([0, 1, 2], [0.6, 0.5, 0.4], np.eye(3) * 1e-4, degree=1)
    >>> round(float(curve.at(1.5)), 3)
    0.45
    """
    place, seen, spread = (np.asarray(part, np.float64) for part in (x, means, covariance))
    fits = place.ndim == 1 and seen.shape == place.shape and spread.shape == (place.size, place.size)
    if not fits or place.size <= degree:
        raise ValueError(f"degree {degree} needs more than {degree} settings with their covariance")
    centre, scale = float(place.mean()), float(np.ptp(place)) / 2 or 1.0
    powers = ((place - centre) / scale)[:, np.newaxis] ** np.arange(degree + 1)
    weights: Floats = np.asarray(np.linalg.pinv(powers), np.float64)
    left = np.eye(place.size) - powers @ weights
    lack = lack_of_fit(left @ seen, left @ spread @ left.T, place.size - degree - 1)
    return Curve(centre, scale, weights, seen, spread, lack)


def lack_of_fit(left: Floats, spread: Floats, freedom: int) -> float:
    """The p-value of residuals with this covariance: formula and source as `fit`."""
    if freedom < 1:
        return math.nan
    distance = left @ np.linalg.pinv(spread, rcond=1e-8, hermitian=True) @ left
    return float(special.chdtrc(freedom, distance))


class LogOdds(NamedTuple):
    """Log odds of shares, their covariance, the change of each per unit of its share."""

    values: Floats
    covariance: Floats
    slopes: Floats


def log_odds(shares: ArrayLike, covariance: ArrayLike, deals: int) -> LogOdds:
    """Shares on the scale on which curves that level off at 0 and 1 are nearly straight.

    shares[i], covariance[i, j]: of so many deals. Formula: log((Dp + 1/2) / (D − Dp + 1/2)), delta method;
    variance p̃(1 − p̃)/D of shares that never varied. Source: Haldane 1956, Ann. Hum. Genet. 20, 309-311;
    Agresti 2013, Categorical Data Analysis, section 3.1. Errors: ValueError for other shares or no deals.

    >>> log_odds([0.5, 0.75], np.eye(2) * 1e-4, 1000).values.round(2).tolist()
    [0.0, 1.1]
    """
    seen, spread = np.asarray(shares, np.float64), np.asarray(covariance, np.float64)
    if deals < 1 or not ((seen >= -1e-9) & (seen <= 1 + 1e-9)).all():
        raise ValueError("shares from 0 to 1 of one deal or more are needed")
    inside, spread = rounded_in(seen, spread, deals)
    slopes = 1 / (inside * (1 - inside))
    return LogOdds(np.log(inside / (1 - inside)), spread * np.outer(slopes, slopes), slopes)


def rounded_in(shares: Floats, covariance: Floats, deals: int) -> tuple[Floats, Floats]:
    """Shares [..., one of k or p] moved half a deal off 0 and 1; those that never varied get a variance.

    Formula, source: `log_odds`; k shares of a row share the half deals, (Dp + 1/2) / (D + k/2).

    >>> rounded_in(np.array([0.0, 0.5]), np.diag([0.0, 1e-4]), 999)[0].tolist()
    [0.0005, 0.5]
    """
    kinds = shares.shape[-1] if shares.ndim > 1 else 2
    inside = (deals * shares.clip(0, 1) + 0.5) / (deals + kinds / 2)
    spread, flat = covariance.copy(), inside.ravel()
    still = np.flatnonzero(np.diag(spread) <= 1e-15)
    spread[still, still] = (flat * (1 - flat))[still] / deals
    return inside, spread


def local(x: ArrayLike, means: ArrayLike, covariance: ArrayLike) -> Curve:
    """The curve through settings near a crossing; its degree goes by their number, not by the means (`fit`).

    >>> len(local([0, 1, 2, 3], [0.6, 0.5, 0.4, 0.3], np.eye(4) * 1e-4).weights)  # degree 2
    3
    """
    many = np.unique(x).size
    if many < 2:
        raise ValueError("at least two settings are needed")
    return fit(x, means, covariance, DEGREES[min(many, len(DEGREES) - 1)])


def crossings(curve: Curve, target: float, low: float, high: float, level: float = 0.95) -> list[Crossing]:
    """Every place from low to high where the curve meets the target, each with its interval.

    Formula: the x around it at which the target lies within the curve ± z × its standard error; ±inf beyond
    the range. Source: Fieller 1954, J. R. Stat. Soc. B 16, 175-185. Errors: ValueError unless low < high.

    >>> curve = fit([0, 1, 2], [0.6, 0.5, 0.4], np.eye(3) * 1e-4, degree=1)
    >>> [round(x, 2) for x in crossings(curve, 0.5, 0, 2)[0]]
    [1.0, 0.89, 1.11]
    """
    if not low < high:
        raise ValueError(f"a range from low to high is needed, not {low} to {high}")
    x = np.linspace(low, high, STEPS + 1)
    gap = curve.at(x) - target
    places = np.flatnonzero((gap[:-1] == 0) | (gap[:-1] * gap[1:] < 0)).tolist()
    places += [STEPS - 1] if gap[-1] == 0 else []
    return [_crossing(curve, target, x, normal(level), int(place)) for place in places]


def _crossing(curve: Curve, target: float, x: Floats, z: float, place: int) -> Crossing:
    """The crossing between x[place] and the next, with the places beside it from which on the band is off."""

    def off(at: ArrayLike) -> Floats:
        return curve.at(at) - target

    def outside(at: ArrayLike) -> Floats:
        return np.abs(off(at)) - z * curve.error(at)

    value = root(off, x[place], x[place + 1])
    beyond = np.flatnonzero(outside(x) > 0)
    before, after = beyond[beyond <= place], beyond[beyond > place]
    low, high = -math.inf, math.inf
    # Each end lies between a place outside and its neighbour inside, or the crossing if that is nearer.
    if before.size:
        low = root(outside, x[before[-1]], min(value, x[before[-1] + 1]))
    if after.size:
        high = root(outside, max(value, x[after[0] - 1]), x[after[0]])
    return Crossing(value, low, high)


def difference_of_crossings(
    a: Curve, at: float, b: Curve, bt: float, common: ArrayLike, level: float = 0.95
) -> tuple[float, float, float]:
    """The difference of two curves' crossings with its interval.

    common[i, j]: covariance of a mean of a with one of b. Formula: delta method, influences −influence(x*) /
    slope(x*). Source: Kleijnen 2015, section 3.4. Units: those of x. Errors: ValueError if a curve is flat.

    >>> curve = fit([0, 1, 2], [0.6, 0.5, 0.4], np.eye(3) * 1e-4, degree=1)
    >>> difference_of_crossings(curve, 1.0, curve, 1.0, np.eye(3) * 1e-4)
    (0.0, 0.0, 0.0)
    """
    slopes = a.slope(at), b.slope(bt)
    if not all(slopes):
        raise ValueError("a curve is flat where it meets the target")
    left, right = a.influence(at) / slopes[0], b.influence(bt) / slopes[1]
    own = left @ a.covariance @ left + right @ b.covariance @ right
    half = normal(level) * math.sqrt(max(0.0, float(own - 2 * left @ np.asarray(common) @ right)))
    return at - bt, at - bt - half, at - bt + half
