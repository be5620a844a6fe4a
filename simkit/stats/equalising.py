"""The setting of several options at which all seats have the same share: a linear model of log ratios."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from simkit.stats.crossing import rounded_in
from simkit.stats.quantiles import Floats

DRAWS, OUTER = 1000, (0.025, 0.975)  # simulated repetitions for the intervals, and their outer quantiles
LACK = 0.05  # p-value below which the model is reported to fit badly
PREFERENCE = 1e-3  # weight of the preferred setting against log ratios: decides where the shares do not


class Setting(NamedTuple):
    """The value of each option with its interval [option], and the expected shares [seat]."""

    values: Floats
    low: Floats
    high: Floats
    shares: Floats
    coefficients: Floats  # [1 + option, seat]: log ratios = [1, x] @ coefficients
    lack: float  # p-value of the lack-of-fit test (nan without surplus settings)

    def at(self, x: ArrayLike) -> Floats:
        """Return the expected shares [seat] at option values x[option]."""
        return _shares(self.coefficients, np.asarray(x, np.float64))


class Ranges(NamedTuple):
    """The preferred setting and the ranges of the options [option]."""

    prefer: Floats
    low: Floats
    high: Floats

    @property
    def scale(self) -> Floats:
        """Widths of the ranges."""
        return np.maximum(self.high - self.low, 1e-9)


def equal_setting(
    x: ArrayLike, shares: ArrayLike, covariance: ArrayLike, deals: int, ranges: Sequence[ArrayLike]
) -> Setting:
    """Return the setting within the ranges at which all seats' shares are most equal, near the preferred one.

    x[i, option], shares[i, seat], covariance[(i, seat), (j, seat)]: settings and mean shares over `deals`
    deals; ranges: as `Ranges`. Formula: least squares of a_s + B_s x over the seats within the ranges, a and
    B by least squares from log p_s − mean log p, p as (Dp + 1/2)/(D + k/2); intervals: quantiles of the
    solutions for DRAWS normal draws, ±inf at an end of the ranges. Source: Aitchison 1986, The Statistical
    Analysis of Compositional Data, section 4.6; Efron & Tibshirani 1993, An Introduction to the Bootstrap,
    chapter 13. Units: those of x. Errors: ValueError for fewer settings than options + 1 or other shapes.

    >>> x = [[10, 10], [10, 12], [12, 10], [12, 12]]
    >>> shares = [[0.5, 0.5], [0.4, 0.6], [0.6, 0.4], [0.5, 0.5]]
    >>> ranges = [10, 11], [8, 8], [14, 14]
    >>> equal_setting(x, shares, np.eye(8) * 1e-6, 10_000, ranges).values.round(1).tolist()
    [10.5, 10.5]
    """
    places, means, matrix = (np.asarray(array, np.float64) for array in (x, shares, covariance))
    if places.ndim != 2 or means.shape[:1] != places.shape[:1] or matrix.shape != (means.size, means.size):
        raise ValueError("shares[i, seat] with their covariance are needed for each setting x[i, option]")
    design = np.column_stack([np.ones(len(places)), places])
    settings, columns = design.shape
    if settings < columns:
        raise ValueError(f"{columns - 1} options need {columns} settings or more, not {settings}")
    bounds = Ranges(*(np.asarray(array, np.float64) for array in ranges))
    weights, (ratios, matrix) = np.linalg.pinv(design), _log_ratios(means, matrix, deals)
    values = _solve((weights @ ratios)[np.newaxis], bounds)[0]
    projection = np.kron(np.eye(settings) - design @ weights, np.eye(means.shape[1]))
    freedom = (settings - columns) * (means.shape[1] - 1)
    lack = lack_of_fit(projection @ ratios.ravel(), projection @ matrix @ projection.T, freedom)
    ends = _ends(weights, ratios, matrix, bounds)
    return Setting(values, *ends, _shares(weights @ ratios, values), weights @ ratios, lack)


def _ends(weights: Floats, ratios: Floats, covariance: Floats, bounds: Ranges) -> tuple[Floats, Floats]:
    """Return the ends of the intervals [option]: quantiles of the solutions for simulated log ratios."""
    draws = np.random.default_rng(1).multivariate_normal(ratios.ravel(), covariance, DRAWS, method="eigh")
    solutions = _solve(weights @ draws.reshape(DRAWS, *ratios.shape), bounds)
    low, high = np.quantile(solutions, OUTER, axis=0)
    edge = 1e-9 * (bounds.high - bounds.low)
    low = np.where(low <= bounds.low + edge, -np.inf, low)
    return low, np.where(high >= bounds.high - edge, np.inf, high)


def _shares(coefficients: Floats, x: Floats) -> Floats:
    """Return the shares [seat] that the model expects at x."""
    return np.asarray(special.softmax(np.concatenate([[1.0], x]) @ coefficients))


def _log_ratios(shares: Floats, covariance: Floats, deals: int) -> tuple[Floats, Floats]:
    """Return centred log ratios [setting, seat] and their covariance, by the delta method."""
    settings, seats = shares.shape
    inside, adjusted = rounded_in(shares, covariance, deals)
    centred = np.kron(np.eye(settings), np.eye(seats) - 1 / seats) / inside.ravel()
    logs = np.log(inside)
    return logs - logs.mean(axis=1, keepdims=True), centred @ adjusted @ centred.T


def lack_of_fit(residuals: Floats, covariance: Floats, freedom: int) -> float:
    """Return the p-value of the hypothesis that the residuals are noise with this covariance.

    nan without degrees of freedom. Formula: r' Σr⁺ r ~ χ²(freedom). Source: Seber & Lee 2003, Linear
    Regression Analysis, section 4.4.
    """
    if freedom < 1:
        return math.nan
    distance = residuals @ np.linalg.pinv(covariance, rcond=1e-8, hermitian=True) @ residuals
    return float(special.chdtrc(freedom, distance))


def _solve(coefficients: Floats, bounds: Ranges) -> Floats:
    """Return the setting [draw, option] for coefficients [draw, 1 + option, seat].

    Draws whose solution lies outside the ranges are solved one by one with bounds.
    """
    from scipy.optimize import lsq_linear

    prefer, low, _ = bounds
    matrix = coefficients[:, 1:] * bounds.scale[:, np.newaxis]  # [draw, option, seat]
    target = -coefficients[:, 0] - low @ coefficients[:, 1:]
    ridge, preferred = PREFERENCE * np.eye(len(low)), PREFERENCE * (prefer - low) / bounds.scale
    right = np.einsum("dos,ds->do", matrix, target) + PREFERENCE * preferred
    fractions = np.linalg.solve(matrix @ matrix.swapaxes(1, 2) + ridge**2, right[..., np.newaxis])[..., 0]
    for draw in np.flatnonzero(((fractions < 0) | (fractions > 1)).any(axis=1)):
        goal = np.concatenate([target[draw], preferred])
        fit: Any = lsq_linear(np.vstack([matrix[draw].T, ridge]), goal, bounds=(0.0, 1.0))
        fractions[draw] = fit.x
    return np.asarray(low + fractions * bounds.scale)
