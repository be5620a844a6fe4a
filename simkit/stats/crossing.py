"""Where shares measured at some places, joined by straight lines, meet a target: a fair value."""

import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import Floats, normal

SURELY = 0.999  # level of the set outside which nothing is looked for any more
BETWEEN = 400  # places at which two lines are compared in each part that both may share


class Polyline(NamedTuple):
    """Means at ascending places, joined by straight lines; level beyond the first and the last."""

    x: Floats  # [place], ascending
    means: Floats  # [place]
    covariance: Floats  # of the means [place, place]

    def at(self, x: ArrayLike) -> Floats:
        return self.weights(x) @ self.means

    def weights(self, x: ArrayLike) -> Floats:
        """What each mean contributes to the value at x: [..., place]."""
        return np.stack(
            [np.interp(np.asarray(x, np.float64), self.x, one) for one in np.eye(self.x.size)], axis=-1
        )

    def error(self, x: ArrayLike) -> Floats:
        part = self.weights(x)
        return np.asarray(np.sqrt(np.einsum("...i,ij,...j->...", part, self.covariance, part).clip(0)))


class Crossing(NamedTuple):
    """Where a line meets the target, with its interval; an end that lies beyond the places is ±inf."""

    value: float
    low: float
    high: float


def polyline(x: ArrayLike, means: ArrayLike, covariance: ArrayLike) -> Polyline:
    """Means joined by straight lines. x[i] ascending, means[i], covariance[i, j] of the means.

    Errors: ValueError for other shapes, fewer than two places or places that do not ascend.

    >>> round(float(polyline([0, 1, 2], [0.6, 0.5, 0.3], np.eye(3) * 1e-4).at(1.5)), 3)
    0.4
    """
    place, seen, spread = (np.asarray(part, np.float64) for part in (x, means, covariance))
    fits = place.ndim == 1 and seen.shape == place.shape and spread.shape == (place.size, place.size)
    if not fits or place.size < 2 or not (np.diff(place) > 0).all():
        raise ValueError("two ascending places or more are needed, with their means and the covariance")
    return Polyline(place, seen, spread)


def crossing(line: Polyline, target: float, near: float, level: float = 0.95) -> Crossing | None:
    """The place nearest to `near` at which a line meets the target, with its interval; None: surely nowhere.

    Where luck may have kept it from the target, the place that is the fewest standard errors off it.

    Formula: from the first to the last x at which |line(x) − target| ≤ z × its standard error, of those that
    the value is `connected` with; ±inf where that reaches the end of the line. The line of the true means
    meets the target at x*, where line(x*) is normal about the target: the x kept hold x* with probability
    `level` whatever the shape of the curve, and from the first to the last of them a little more often.
    The promise is about the straight lines between the places measured. Where these are all the whole
    numbers, nothing lies between them: a curve that jumps from one whole number to the next is fair where the
    straight line from the one to the other is. Where they are not, the lines stand for what was not measured,
    and the fair place of a curve that falls (or rises) throughout lies between the same two places.
    Source: Fieller 1954, J. R. Stat. Soc. B 16, 175-185 (the set of values that a test leaves).
    Units: those of x. Errors: ValueError for a level outside 0 to 1.

    >>> line = polyline([0, 1, 2], [0.6, 0.5, 0.3], np.eye(3) * 1e-4)
    >>> [round(end, 2) for end in crossing(line, 0.5, near=1)]
    [1.0, 0.83, 1.09]
    """
    places = meetings(line, target) or _nearest(line, target, normal(level))
    if not places:
        return None
    value = min(places, key=lambda place: abs(place - near))
    low, high = connected(line, target, value)
    kept = [part for part in undecided(line, target, normal(level)) if low <= part[0] and part[1] <= high]
    return Crossing(value, *_opened(line, min(kept)[0], max(kept)[1]))


def meetings(line: Polyline, target: float) -> list[float]:
    """Every place at which a line meets the target.

    >>> meetings(polyline([0, 1, 2, 3], [0.6, 0.4, 0.5, 0.5], np.eye(4)), 0.5)
    [0.5, 2.0, 3.0]
    """
    off = line.means - target
    across = np.flatnonzero(off[:-1] * off[1:] < 0)
    part = off[across] / (off[across] - off[across + 1])
    between = line.x[across] + part * (line.x[across + 1] - line.x[across])
    return sorted([*between.tolist(), *line.x[off == 0].tolist()])


def _nearest(line: Polyline, target: float, z: float) -> list[float]:
    """The place at which a line is the fewest standard errors off the target, if these are at most z.

    It is one of those measured: in between the error is at most that of the straight line.
    """
    errors = np.abs(line.means - target) / np.maximum(line.error(line.x), 1e-12)
    return [float(line.x[errors.argmin()])] if errors.min() <= z else []


def connected(line: Polyline, target: float, value: float) -> tuple[float, float]:
    """The ends of the part around a meeting in which no place is surely off target (`SURELY`); else ±inf."""
    parts = undecided(line, target, normal(SURELY))
    return _opened(line, *next(part for part in parts if part[0] <= value <= part[1]))


def _opened(line: Polyline, low: float, high: float) -> tuple[float, float]:
    return -math.inf if low <= line.x[0] else low, math.inf if high >= line.x[-1] else high


def undecided(line: Polyline, target: float, z: float) -> list[tuple[float, float]]:
    """The parts of a line at which it is within z standard errors of the target: (from, to), ascending.

    Formula: between two places the line and its variance are a straight line and a parabola in x, so that the
    ends are the roots of (line − target)² − z² variance, a parabola too. Source: as `crossing`.

    >>> line = polyline([0, 1], [0.6, 0.4], np.eye(2) * 1e-4)
    >>> [(round(low, 2), round(high, 2)) for low, high in undecided(line, 0.5, 1.96)]
    [(0.43, 0.57)]
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


def _within(off: Floats, spread: Floats, z: float) -> list[tuple[float, float]]:
    """The parts of 0 to 1 in which a straight line between two means is within z errors of zero."""
    rise, bend = off[1] - off[0], spread[0, 0] - 2 * spread[0, 1] + spread[1, 1]
    squares = off[0] ** 2 - z**2 * spread[0, 0]
    parabola = rise**2 - z**2 * bend, 2 * off[0] * rise - 2 * z**2 * (spread[0, 1] - spread[0, 0]), squares
    found = np.roots(parabola)
    inner = sorted(float(t.real) for t in found if abs(t.imag) < 1e-9 and 0 < t.real < 1)
    cuts = [0.0, *inner, 1.0]
    return [part for part in itertools.pairwise(cuts) if np.polyval(parabola, sum(part) / 2) <= 0]


def apart(a: Polyline, b: Polyline, common: ArrayLike, target: float, level: float = 0.95) -> bool:
    """Whether two lines over the same places surely meet the target at different ones.

    common[i, j]: covariance of a mean of a with one of b. Formula: at no x is d' Σ⁻¹ d within the `level`
    quantile of χ²(2), d the two distances from the target there, Σ their covariance: wrong at most so often,
    as at a common meeting d is normal about zero. Source: as `crossing`. Errors: ValueError for other places.

    >>> a, b = (polyline([0, 1], [end, end - 0.2], np.eye(2) * 1e-6) for end in (0.6, 0.62))
    >>> apart(a, b, np.zeros((2, 2)), 0.5), apart(a, a, np.eye(2) * 1e-6, 0.5)
    (True, False)
    """
    if not np.array_equal(a.x, b.x):
        raise ValueError("two lines over the same places are needed")
    most = -2 * math.log(1 - level)  # the quantile of χ²(2)
    parts = itertools.product(*(undecided(one, target, math.sqrt(most)) for one in (a, b)))
    both = [(max(p[0], q[0]), min(p[1], q[1])) for p, q in parts]
    return not any(
        _distance(a, b, np.asarray(common), target, part) <= most for part in both if part[0] <= part[1]
    )


def _distance(a: Polyline, b: Polyline, common: Floats, target: float, part: tuple[float, float]) -> float:
    """The least d' Σ⁻¹ d over a part of the line."""
    x = np.linspace(*part, BETWEEN)
    weights, off = a.weights(x), np.stack([a.at(x), b.at(x)], axis=-1) - target
    entries = [[a.covariance, common], [common.T, b.covariance]]
    spread = np.array([[np.einsum("xi,ij,xj->x", weights, one, weights) for one in row] for row in entries])
    inverse = np.linalg.pinv(np.moveaxis(spread, -1, 0), rcond=1e-9, hermitian=True)
    return float(np.einsum("xi,xij,xj->x", off, inverse, off).min())


class LogOdds(NamedTuple):
    """Log odds of shares and their covariance."""

    values: Floats
    covariance: Floats


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
    return LogOdds(np.log(inside / (1 - inside)), spread * np.outer(slopes, slopes))


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
