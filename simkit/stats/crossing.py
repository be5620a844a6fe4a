"""Fair values: where shares measured at some places, joined by straight lines, meet a target."""

import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import Floats, normal

SURE_LEVEL = 0.999  # level of the set outside which the search stops
POINTS_PER_PART = 400  # places at which two lines are compared within each part where both may cross


class Polyline(NamedTuple):
    """Means at ascending places, joined by straight lines; constant beyond the first and the last."""

    x: Floats  # [place], ascending
    means: Floats  # [place]
    covariance: Floats  # of the means [place, place]

    def at(self, x: ArrayLike) -> Floats:
        """Return the height of the line at x."""
        return self.weights(x) @ self.means

    def weights(self, x: ArrayLike) -> Floats:
        """Return the weight of each mean in the value at x: [..., place]."""
        return np.stack(
            [np.interp(np.asarray(x, np.float64), self.x, unit) for unit in np.eye(self.x.size)], axis=-1
        )

    def error(self, x: ArrayLike) -> Floats:
        """Return the standard error of the line at x."""
        weights = self.weights(x)
        return np.asarray(np.sqrt(np.einsum("...i,ij,...j->...", weights, self.covariance, weights).clip(0)))


class Crossing(NamedTuple):
    """The place at which a line meets the target, with its interval; ends beyond the places are ±inf."""

    value: float
    low: float
    high: float


def polyline(x: ArrayLike, means: ArrayLike, covariance: ArrayLike) -> Polyline:
    """Return the line through means[i] at ascending places x[i], with covariance[i, j] of the means.

    Errors: ValueError for shapes that do not fit, fewer than two places or places that do not ascend.

    >>> round(float(polyline([0, 1, 2], [0.6, 0.5, 0.3], np.eye(3) * 1e-4).at(1.5)), 3)
    0.4
    """
    places, values, matrix = (np.asarray(array, np.float64) for array in (x, means, covariance))
    fits = places.ndim == 1 and values.shape == places.shape and matrix.shape == (places.size, places.size)
    if not fits or places.size < 2 or not (np.diff(places) > 0).all():
        raise ValueError("two ascending places or more are needed, with their means and the covariance")
    return Polyline(places, values, matrix)


def crossing(line: Polyline, target: float, near: float, level: float = 0.95) -> Crossing | None:
    """Return the place nearest to `near` at which a line meets the target, with its interval.

    If the line never meets the target but may do so within its errors, return the place that is the fewest
    standard errors off the target; if it surely meets it nowhere, return None.

    Formula: from the first to the last x at which |line(x) − target| ≤ z × its standard error, among those
    `connected` with the value; ±inf where that reaches the end of the line. Promise: it covers the place at
    which the line of the true means meets the target with probability `level` or more, whatever the shape of
    the curve; between measured places nothing is promised of a curve that is not straight. Source: Fieller
    1954, J. R. Stat. Soc. B 16, 175-185 (the set of values that a test leaves). Units: those of x. Errors:
    ValueError for a level outside 0 to 1.

    >>> line = polyline([0, 1, 2], [0.6, 0.5, 0.3], np.eye(3) * 1e-4)
    >>> [round(end, 2) for end in crossing(line, 0.5, near=1)]
    [1.0, 0.83, 1.09]
    """
    places = meetings(line, target) or _nearest(line, target, normal(level))
    if not places:
        return None
    value = min(places, key=lambda place: abs(place - near))
    low, high = connected(line, target, value)
    parts = [part for part in undecided(line, target, normal(level)) if low <= part[0] and part[1] <= high]
    return Crossing(value, *_opened(line, min(parts)[0], max(parts)[1]))


def meetings(line: Polyline, target: float) -> list[float]:
    """Return every place at which a line meets the target, ascending."""
    deviations = line.means - target
    segments = np.flatnonzero(deviations[:-1] * deviations[1:] < 0)
    fractions = deviations[segments] / (deviations[segments] - deviations[segments + 1])
    between = line.x[segments] + fractions * (line.x[segments + 1] - line.x[segments])
    return sorted([*between.tolist(), *line.x[deviations == 0].tolist()])


def _nearest(line: Polyline, target: float, z: float) -> list[float]:
    """Return the measured place that is the fewest standard errors off the target, if these are at most z."""
    distances = np.abs(line.means - target) / np.maximum(line.error(line.x), 1e-12)
    return [float(line.x[distances.argmin()])] if distances.min() <= z else []


def connected(line: Polyline, target: float, value: float) -> tuple[float, float]:
    """Return the part around a meeting in which no place is off target at SURE_LEVEL; open ends are ±inf."""
    parts = undecided(line, target, normal(SURE_LEVEL))
    return _opened(line, *next(part for part in parts if part[0] <= value <= part[1]))


def _opened(line: Polyline, low: float, high: float) -> tuple[float, float]:
    """Return an interval with ±inf in place of ends that reach the end of the line."""
    return -math.inf if low <= line.x[0] else low, math.inf if high >= line.x[-1] else high


def undecided(line: Polyline, target: float, z: float) -> list[tuple[float, float]]:
    """Return the parts (from, to), ascending, in which a line is within z standard errors of the target.

    Formula: between two places the ends are the roots of (line − target)² − z² variance, a parabola in x.
    """
    parts: list[tuple[float, float]] = []
    for i in range(line.x.size - 1):
        for low, high in _within(line.means[i : i + 2] - target, line.covariance[i : i + 2, i : i + 2], z):
            ends = [
                float(line.x[i] + t * (line.x[i + 1] - line.x[i])) if t < 1 else float(line.x[i + 1])
                for t in (low, high)
            ]
            if parts and parts[-1][1] == ends[0]:
                ends[0] = parts.pop()[0]
            parts.append((ends[0], ends[1]))
    return parts


def _within(gaps: Floats, covariance: Floats, z: float) -> list[tuple[float, float]]:
    """Return the parts of 0 to 1 in which a straight line between two means is within z errors of zero."""
    rise, curvature = gaps[1] - gaps[0], covariance[0, 0] - 2 * covariance[0, 1] + covariance[1, 1]
    slope = 2 * gaps[0] * rise - 2 * z**2 * (covariance[0, 1] - covariance[0, 0])
    parabola = rise**2 - z**2 * curvature, slope, gaps[0] ** 2 - z**2 * covariance[0, 0]
    roots = np.roots(parabola)
    inner = sorted(float(root.real) for root in roots if abs(root.imag) < 1e-9 and 0 < root.real < 1)
    cuts = [0.0, *inner, 1.0]
    return [part for part in itertools.pairwise(cuts) if np.polyval(parabola, sum(part) / 2) <= 0]


def crossings_differ(a: Polyline, b: Polyline, common: ArrayLike, target: float, level: float = 0.95) -> bool:
    """Return whether two lines over the same places meet the target at different places, at this level.

    common[i, j]: covariance of mean i of a with mean j of b. Formula: at no x is d' Σ⁻¹ d within the `level`
    quantile of χ²(2), d the distances of both lines from the target at x, Σ their covariance. Source: as
    `crossing`. Errors: ValueError for different places.

    >>> a, b = (polyline([0, 1], [end, end - 0.2], np.eye(2) * 1e-6) for end in (0.6, 0.62))
    >>> crossings_differ(a, b, np.zeros((2, 2)), 0.5), crossings_differ(a, a, np.eye(2) * 1e-6, 0.5)
    (True, False)
    """
    if not np.array_equal(a.x, b.x):
        raise ValueError("two lines over the same places are needed")
    limit = -2 * math.log(1 - level)  # the quantile of χ²(2)
    parts = itertools.product(*(undecided(line, target, math.sqrt(limit)) for line in (a, b)))
    common_parts = [(max(p[0], q[0]), min(p[1], q[1])) for p, q in parts]
    return not any(
        _distance(a, b, np.asarray(common), target, part) <= limit
        for part in common_parts
        if part[0] <= part[1]
    )


def _distance(a: Polyline, b: Polyline, common: Floats, target: float, part: tuple[float, float]) -> float:
    """Return the least d' Σ⁻¹ d of `apart` over a part of the lines."""
    x = np.linspace(*part, POINTS_PER_PART)
    weights, deviations = a.weights(x), np.stack([a.at(x), b.at(x)], axis=-1) - target
    entries = [[a.covariance, common], [common.T, b.covariance]]
    matrix = np.array([[np.einsum("xi,ij,xj->x", weights, cov, weights) for cov in row] for row in entries])
    inverse = np.linalg.pinv(np.moveaxis(matrix, -1, 0), rcond=1e-9, hermitian=True)
    return float(np.einsum("xi,xij,xj->x", deviations, inverse, deviations).min())


class LogOdds(NamedTuple):
    """Log odds of shares and their covariance."""

    values: Floats
    covariance: Floats


def log_odds(shares: ArrayLike, covariance: ArrayLike, deals: int) -> LogOdds:
    """Return shares on the log-odds scale, on which curves that level off at 0 and 1 are nearly straight.

    shares[i], covariance[i, j]: over `deals` deals. Formula: log((Dp + 1/2) / (D − Dp + 1/2)), delta method;
    variance p̃(1 − p̃)/D for shares that never varied. Source: Haldane 1956, Ann. Hum. Genet. 20, 309-311;
    Agresti 2013, Categorical Data Analysis, section 3.1. Errors: ValueError for shares outside 0 to 1.

    >>> log_odds([0.5, 0.75], np.eye(2) * 1e-4, 1000).values.round(2).tolist()
    [0.0, 1.1]
    """
    observed, covariances = np.asarray(shares, np.float64), np.asarray(covariance, np.float64)
    if deals < 1 or not ((observed >= -1e-9) & (observed <= 1 + 1e-9)).all():
        raise ValueError("shares from 0 to 1 of one deal or more are needed")
    inside, covariances = rounded_in(observed, covariances, deals)
    slopes = 1 / (inside * (1 - inside))
    return LogOdds(np.log(inside / (1 - inside)), covariances * np.outer(slopes, slopes))


def rounded_in(shares: Floats, covariance: Floats, deals: int) -> tuple[Floats, Floats]:
    """Return shares moved half a deal away from 0 and 1, and a covariance in which every share varies.

    shares[i] are single shares (k = 2), shares[i, category] the k shares of a row. Formula, source:
    `log_odds`; with k shares (Dp + 1/2) / (D + k/2).

    >>> rounded_in(np.array([0.0, 0.5]), np.diag([0.0, 1e-4]), 999)[0].tolist()
    [0.0005, 0.5]
    """
    categories = shares.shape[-1] if shares.ndim > 1 else 2
    inside = (deals * shares.clip(0, 1) + 0.5) / (deals + categories / 2)
    adjusted, flat = covariance.copy(), inside.ravel()
    constant = np.flatnonzero(np.diag(adjusted) <= 1e-15)
    adjusted[constant, constant] = (flat * (1 - flat))[constant] / deals
    return inside, adjusted
