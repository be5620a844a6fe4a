"""The setting of several options at which all seats have the same share: log ratios on straight lines."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.crossing import rounded_in
from simkit.stats.quantiles import Floats

DRAWS, OUTER = 1000, (0.025, 0.975)  # imagined repetitions for the intervals, and which of them are its ends
LACK = 0.05  # p-value below which a fit is said to lack something
PREFERENCE = 1e-3  # weight of the preferred setting against log ratios: settles what the shares leave open


class Setting(NamedTuple):
    """The value of each option with its interval [option], and the shares expected there [seat]."""

    values: Floats
    low: Floats
    high: Floats
    shares: Floats
    coefficients: Floats  # [1 + option, seat]: log ratios = [1, x] @ coefficients
    lack: float  # p-value of the test that nothing but noise is left (nan without settings to spare)

    def at(self, x: ArrayLike) -> Floats:
        return _shares(self.coefficients, np.asarray(x, np.float64))


class Ranges(NamedTuple):
    """The usual setting and the ranges of the options [option]."""

    prefer: Floats
    low: Floats
    high: Floats

    @property
    def scale(self) -> Floats:
        return np.maximum(self.high - self.low, 1e-9)


def equal_setting(
    x: ArrayLike, shares: ArrayLike, covariance: ArrayLike, deals: int, ranges: Sequence[ArrayLike]
) -> Setting:
    """Where the shares of all seats are as equal as the ranges allow; if open, near the usual.

    x[i, option], shares[i, seat], covariance[(i, seat), (j, seat)]: settings and mean shares over so many
    deals; ranges: as `Ranges`. Formula: least squares of a_s + B_s x over the seats within the ranges, a and
    B by least squares from log p_s − mean log p, p as (Dp + 1/2)/(D + k/2); intervals: quantiles of the same
    for DRAWS normal draws, ±inf at an end of the ranges. Source: Aitchison 1986, The Statistical Analysis of
    Compositional Data, section 4.6; Myers, Montgomery & Anderson-Cook 2016, Response Surface Methodology,
    sections 6.2, 6.6; Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 13. Units: those of
    x. Errors: ValueError for fewer settings than options + 1 or other shapes.

    >>> x = [[10, 10], [10, 12], [12, 10], [12, 12]]
    >>> shares = [[0.5, 0.5], [0.4, 0.6], [0.6, 0.4], [0.5, 0.5]]
    >>> ranges = [10, 11], [8, 8], [14, 14]
    >>> equal_setting(x, shares, np.eye(8) * 1e-6, 10_000, ranges).values.round(1).tolist()
    [10.5, 10.5]
    """
    place, seen, spread = (np.asarray(part, np.float64) for part in (x, shares, covariance))
    if place.ndim != 2 or seen.shape[:1] != place.shape[:1] or spread.shape != (seen.size, seen.size):
        raise ValueError("shares[i, seat] with their covariance are needed for each setting x[i, option]")
    design = np.column_stack([np.ones(len(place)), place])
    settings, needed = design.shape
    if settings < needed:
        raise ValueError(f"{needed - 1} options need {needed} settings or more, not {settings}")
    within = Ranges(*(np.asarray(part, np.float64) for part in ranges))
    weights, (ratios, spread) = np.linalg.pinv(design), _log_ratios(seen, spread, deals)
    values = _solve((weights @ ratios)[np.newaxis], within)[0]
    left = np.kron(np.eye(settings) - design @ weights, np.eye(seen.shape[1]))
    freedom = (settings - needed) * (seen.shape[1] - 1)
    lack = lack_of_fit(left @ ratios.ravel(), left @ spread @ left.T, freedom)
    ends = _ends(weights, ratios, spread, within)
    return Setting(values, *ends, _shares(weights @ ratios, values), weights @ ratios, lack)


def _ends(weights: Floats, ratios: Floats, spread: Floats, within: Ranges) -> tuple[Floats, Floats]:
    draws = np.random.default_rng(1).multivariate_normal(ratios.ravel(), spread, DRAWS, method="eigh")
    found = _solve(weights @ draws.reshape(DRAWS, *ratios.shape), within)
    low, high = np.quantile(found, OUTER, axis=0)
    edge = 1e-9 * (within.high - within.low)
    low = np.where(low <= within.low + edge, -np.inf, low)
    return low, np.where(high >= within.high - edge, np.inf, high)


def _shares(coefficients: Floats, x: Floats) -> Floats:
    return np.asarray(special.softmax(np.concatenate([[1.0], x]) @ coefficients))


def _log_ratios(shares: Floats, covariance: Floats, deals: int) -> tuple[Floats, Floats]:
    """Centred log ratios [setting, seat] and their covariance, by the delta method."""
    settings, seats = shares.shape
    inside, spread = rounded_in(shares, covariance, deals)
    centred = np.kron(np.eye(settings), np.eye(seats) - 1 / seats) / inside.ravel()
    logs = np.log(inside)
    return logs - logs.mean(axis=1, keepdims=True), centred @ spread @ centred.T


def lack_of_fit(left: Floats, spread: Floats, freedom: int) -> float:
    """The p-value of residuals with this covariance, if nothing but noise is left; nan without freedom.

    Formula: r' Σr⁺ r ~ χ²(freedom). Source: Seber & Lee 2003, Linear Regression Analysis, section 4.4;
    Kleijnen 2015, Design and Analysis of Simulation Experiments, section 3.4.

    >>> round(lack_of_fit(np.array([1.0, -1.0]), np.eye(2), 1), 3)
    0.157
    """
    if freedom < 1:
        return math.nan
    distance = left @ np.linalg.pinv(spread, rcond=1e-8, hermitian=True) @ left
    return float(special.chdtrc(freedom, distance))


def _solve(coefficients: Floats, within: Ranges) -> Floats:
    """The setting for each of many coefficients [draw, 1 + option, seat]; beyond the ranges one by one."""
    from scipy.optimize import lsq_linear

    prefer, low, _ = within
    matrix = coefficients[:, 1:] * within.scale[:, np.newaxis]  # [draw, option, seat]
    target = -coefficients[:, 0] - low @ coefficients[:, 1:]
    own, usual = PREFERENCE * np.eye(len(low)), PREFERENCE * (prefer - low) / within.scale
    right = np.einsum("dos,ds->do", matrix, target) + PREFERENCE * usual
    parts = np.linalg.solve(matrix @ matrix.swapaxes(1, 2) + own**2, right[..., np.newaxis])[..., 0]
    for draw in np.flatnonzero(((parts < 0) | (parts > 1)).any(axis=1)):
        wanted = np.concatenate([target[draw], usual])
        solved: Any = lsq_linear(np.vstack([matrix[draw].T, own]), wanted, bounds=(0.0, 1.0))
        parts[draw] = solved.x
    return np.asarray(low + parts * within.scale)
