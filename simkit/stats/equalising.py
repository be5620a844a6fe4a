"""The setting of several options at which all seats have the same share, from shares measured at several settings on the same deals.

The model is straight in the log ratios of the shares (each share's logarithm less the mean of them), the scale on which shares that sum
to 1 and level off at 0 and 1 are nearly straight.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from simkit.stats.crossing import lack_of_fit, rounded_in

DRAWS = 1000  # imagined repetitions for the intervals
PREFERENCE = 1e-3  # weight of staying near the preferred setting, against log ratios: settles only what the shares leave open

Floats = NDArray[np.float64]


class Setting(NamedTuple):
    """The value of each option with its interval [option], and the shares expected there [seat]."""

    values: Floats
    low: Floats
    high: Floats
    shares: Floats
    coefficients: Floats  # [1 + option, seat]: log ratios = [1, x] @ coefficients
    ratios: Floats  # [setting, seat]: the log ratios measured
    lack: float  # p-value of the test that nothing but noise is left (nan without settings to spare)

    def at(self, x: ArrayLike) -> Floats:
        """The shares expected at a setting."""
        return _shares(self.coefficients, np.asarray(x, np.float64))


def equal_setting(
    x: ArrayLike,
    shares: ArrayLike,
    covariance: ArrayLike,
    deals: int,
    prefer: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    level: float = 0.95,
) -> Setting:
    """Where the shares of all seats are as equal as the ranges allow; of several such settings the one nearest to `prefer`.

    x[i, option], shares[i, seat]: settings tried and mean shares over so many deals; covariance[(i, seat), (j, seat)]: of the means, i and
    j outside. prefer, low, high[option]: usual setting and ranges. Formula: least squares of a_s + B_s x over the seats within the
    ranges, a and B fitted by least squares to the log ratios log p_s − mean log p (p as (Dp + 1/2)/(D + k/2)); intervals: the same of
    DRAWS normal draws of the log ratios, in quantiles (parametric bootstrap). Source: Aitchison 1986, The Statistical Analysis of
    Compositional Data, section 4.6 (centred log ratios); Myers, Montgomery & Anderson-Cook 2016, Response Surface Methodology, sections 6.2
    and 6.6; Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 13. An interval that reaches an end of the ranges is open
    there: ±inf. Units: those of x. Errors: ValueError for fewer settings than options + 1 or shapes that do not match.

    >>> x = [[10, 10], [10, 12], [12, 10], [12, 12]]
    >>> shares = [[0.5, 0.5], [0.4, 0.6], [0.6, 0.4], [0.5, 0.5]]
    >>> equal_setting(x, shares, np.eye(8) * 1e-6, 10_000, [10, 11], [8, 8], [14, 14]).values.round(1).tolist()
    [10.5, 10.5]
    """
    place, seen = np.asarray(x, np.float64), np.asarray(shares, np.float64)
    spread = np.asarray(covariance, np.float64)
    if place.ndim != 2 or seen.ndim != 2 or len(place) != len(seen) or spread.shape != (seen.size, seen.size):
        raise ValueError(
            f"shares[i, seat] with their covariance are needed for each setting x[i, option], not {place.shape}, {seen.shape}"
        )
    if len(place) <= place.shape[1]:
        raise ValueError(
            f"{place.shape[1]} options need at least {place.shape[1] + 1} settings, not {len(place)}"
        )
    ends = [np.asarray(part, np.float64) for part in (prefer, low, high)]
    design = np.column_stack([np.ones(len(place)), place])
    weights = np.linalg.pinv(design)
    ratios, spread = _log_ratios(seen, spread, deals)
    coefficients = weights @ ratios
    values = _solve(coefficients, *ends)
    draws = (
        np.random.default_rng(1)
        .multivariate_normal(ratios.ravel(), spread, DRAWS, method="eigh")
        .reshape(DRAWS, *seen.shape)
    )
    outer = np.quantile(_solve_all(weights @ draws, *ends), [0.5 - level / 2, 0.5 + level / 2], axis=0)
    edge = 1e-9 * (ends[2] - ends[1])
    lower, upper = (
        np.where(outer[0] <= ends[1] + edge, -np.inf, outer[0]),
        np.where(outer[1] >= ends[2] - edge, np.inf, outer[1]),
    )
    left = np.kron(np.eye(len(place)) - design @ weights, np.eye(seen.shape[1]))
    lack = lack_of_fit(
        left @ ratios.ravel(), left @ spread @ left.T, (len(place) - design.shape[1]) * (seen.shape[1] - 1)
    )
    return Setting(values, lower, upper, _shares(coefficients, values), coefficients, ratios, lack)


def _shares(coefficients: Floats, x: Floats) -> Floats:
    return np.asarray(special.softmax(np.concatenate([[1.0], x]) @ coefficients))


def _log_ratios(shares: Floats, covariance: Floats, deals: int) -> tuple[Floats, Floats]:
    """Centred log ratios [setting, seat] and their covariance, by the delta method."""
    settings, seats = shares.shape
    inside, spread = rounded_in(shares, covariance, deals)
    centred = np.kron(np.eye(settings), np.eye(seats) - 1 / seats) / inside.ravel()
    logs = np.log(inside)
    return logs - logs.mean(axis=1, keepdims=True), centred @ spread @ centred.T


def _solve_all(coefficients: Floats, prefer: Floats, low: Floats, high: Floats) -> Floats:
    """The setting for many sets of coefficients [draw, 1 + option, seat]; within the ranges all at once, the others one by one."""
    scale = np.maximum(high - low, 1e-9)
    matrix = coefficients[:, 1:] * scale[:, np.newaxis]  # [draw, option, seat]
    target = -coefficients[:, 0] - low @ coefficients[:, 1:]
    inner = matrix @ matrix.swapaxes(1, 2) + PREFERENCE**2 * np.eye(len(low))
    right = np.einsum("dos,ds->do", matrix, target) + PREFERENCE**2 * (prefer - low) / scale
    parts = np.linalg.solve(inner, right[..., np.newaxis])[..., 0]
    found: Floats = np.asarray(low + parts * scale)
    for draw in np.flatnonzero(((parts < 0) | (parts > 1)).any(axis=1)):
        found[draw] = _solve(coefficients[draw], prefer, low, high)
    return found


def _solve(coefficients: Floats, prefer: Floats, low: Floats, high: Floats) -> Floats:
    """The setting for one set of coefficients [1 + option, seat]; options are measured in widths of their ranges."""
    from scipy.optimize import lsq_linear

    scale = np.maximum(high - low, 1e-9)
    target = -coefficients[0] - low @ coefficients[1:]
    matrix = np.vstack([(coefficients[1:] * scale[:, np.newaxis]).T, PREFERENCE * np.eye(len(low))])
    wanted = np.concatenate([target, PREFERENCE * (prefer - low) / scale])
    solved: Any = lsq_linear(matrix, wanted, bounds=(0.0, 1.0))
    return np.asarray(low + solved.x * scale)
