"""Effects of factors that were randomised by independent coin flips, on a mean or on a ratio."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from simkit.stats.quantiles import Floats

LEVEL = 0.95
ERROR = 0.05  # false discovery rate, and part of the joint intervals of chosen factors that miss
ROUNDING = 1e-9  # effects below this part of the largest outcome are rounding errors
FEWEST = 30  # units with a positive denominator that make a ratio nearly normal (Cochran 1977, section 6.8)


class Effects(NamedTuple):
    """Effect of each factor with its 95 % interval, its interval among all factors, and its p-value."""

    effect: Floats
    low: Floats
    high: Floats
    joint_low: Floats
    joint_high: Floats
    p: Floats


def main_effects(coins: ArrayLike, outcome: ArrayLike, weights: ArrayLike) -> Effects:
    """Return the main effects on an outcome of factors that coin flips assign to each unit.

    coins[unit, factor], outcome[unit], weights[unit], e.g. deals of a unit. Estimated is E(y | Z_j = 1) −
    E(y | Z_j = 0) over the draws of all other coins. Formula: weighted least squares of the outcome y on a
    constant and all coins Z, b = (X'WX)⁻¹X'Wy; variance (X'WX)⁻¹ (Σ w²x x' e²/(1 − h)) (X'WX)⁻¹ (HC2), e the
    residuals, h the leverages; Student's t with n − k − 1 degrees of freedom. Factors that were always or
    never drawn, or always together with another, have nan. Source: Samii & Aronow 2012, Stat. Probab. Lett.
    82, 365-370; Dasgupta, Pillai & Rubin 2015, J. R. Stat. Soc. B 77, 727-753 (several factors). Units: of
    the outcome. Errors: ValueError for fewer units than factors + 2, or outcomes that are not finite.

    >>> effects = main_effects([[0], [0], [1], [1]], [1.0, 3.0, 4.0, 6.0], [1, 1, 1, 1])
    >>> effects.effect.round(6).tolist(), ((effects.high - effects.low) / 2).round(2).tolist()
    ([3.0], [6.08])
    """
    flips, y, w = np.asarray(coins, float), np.asarray(outcome, float), np.asarray(weights, float)
    units, factors = flips.shape
    if units < factors + 2 or not np.isfinite(y).all():
        raise ValueError("more units than factors, with outcomes that are numbers, are needed")
    x = np.column_stack([np.ones(units), flips]) * np.sqrt(w)[:, np.newaxis]
    inverse, identifiable = np.linalg.pinv(x.T @ x), _identifiable_columns(x)
    b = inverse @ x.T @ (np.sqrt(w) * y)
    b[np.abs(b) < ROUNDING * np.abs(y).max(initial=1.0)] = 0.0
    leverage = ((x @ inverse) * x).sum(axis=1).clip(max=1 - 1e-9)
    residual = (np.sqrt(w) * y - x @ b) ** 2 / (1 - leverage)
    standard_error = np.sqrt(np.diag(inverse @ (x.T * residual) @ x @ inverse).clip(min=0))
    mask = np.where(identifiable, 1.0, np.nan)[1:]
    return _with_intervals(b[1:] * mask, standard_error[1:] * mask, np.full(factors, units - factors - 1.0))


def _identifiable_columns(x: Floats) -> NDArray[np.bool_]:
    """Return which columns are no combination of the others: the projection on the row space keeps them."""
    _, singular_values, directions = np.linalg.svd(x, full_matrices=False)
    row_space = directions[singular_values > singular_values.max() * max(x.shape) * np.finfo(float).eps]
    identifiable: NDArray[np.bool_] = np.abs((row_space**2).sum(axis=0) - 1) < 1e-6
    return identifiable


def ratio_changes(coins: ArrayLike, above: ArrayLike, below: ArrayLike, fewest: int = FEWEST) -> Effects:
    """Return the effect of each factor on a ratio of sums: R₁ − R₀, R_z = Σ a / Σ b over units with coin z.

    coins, above (a), below (b) [unit, factor]. Formula: variance of R_z = n/(n − 1) Σ (a − R_z b)² / (Σ b)²
    over its n units, of the difference the sum of both; degrees of freedom of Welch and Satterthwaite; nan
    where a side has fewer than `fewest` units with a positive denominator. Source: Cochran 1977, Sampling
    Techniques, 3rd ed., eq. 6.13; Welch 1947, Biometrika 34, 28-35. Units: of the ratio.

    >>> effects = ratio_changes([[0], [0], [1], [1]], [[1], [3], [2], [2]], [[4], [4], [8], [8]], 2)
    >>> effects.effect.tolist(), ((effects.high - effects.low) / 2).round(2).tolist()
    ([-0.25], [3.18])
    """
    flips, a, b = (np.asarray(array, float) for array in (coins, above, below))
    (base, *of_base), (changed, *of_changed) = (_ratio(side, a, b, fewest) for side in (1 - flips, flips))
    with np.errstate(invalid="ignore", divide="ignore"):
        total = of_base[0] + of_changed[0]
        freedom = total**2 / sum(variance**2 / (units - 1) for variance, units in (of_base, of_changed))
    return _with_intervals(changed - base, np.sqrt(total), np.where(total > 0, freedom, np.inf))


def _ratio(side: Floats, above: Floats, below: Floats, fewest: int) -> tuple[Floats, Floats, Floats]:
    """Return ratio, its variance and number of units [factor] of the units on one side of the coin."""
    units, whole = side.sum(axis=0), (side * below).sum(axis=0)
    enough = (side * (below > 0)).sum(axis=0) >= fewest
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(enough, (side * above).sum(axis=0) / whole, np.nan)
        squares = (side * (above - ratio * below) ** 2).sum(axis=0)
        variance = units / (units - 1) * squares / whole**2
    return ratio, np.where(enough, variance, np.nan), units


def gaps(own_won: ArrayLike, own: ArrayLike, won: ArrayLike, sat: ArrayLike, fewest: int = FEWEST) -> Effects:
    """Return by how much the owners of each thing win more than all seats in the same places.

    own_won, own, won, sat [place, unit, thing], zero for units that do not count. Formula: R = Σ_p (G_p − m_p
    O_p) / O, with p a place (seat and strategy), G_p the wins and O_p the number of owners there, O all
    owners, m_p = S_p / N_p the mean win of a seat there; variance by linearisation: n/(n − 1) Σ u², u = (Σ_p
    (g_p − m_p o_p) − R o) / O − Σ_p (O_p / O)(s_p − m_p n_p) / N_p of each unit; nan where fewer than
    `fewest` units have owners. Source: Woodruff 1971, J. Am. Stat. Assoc. 66, 411-414. Units: of won.

    >>> own, sat = [[[1.0], [1.0]], [[0.0], [0.0]]], [[[1.0], [1.0]], [[1.0], [1.0]]]
    >>> gaps(own, own, own, sat, 2).effect.tolist()
    [0.0]
    """
    g, o, s, n = (np.asarray(array, float) for array in (own_won, own, won, sat))
    owners = o.sum(axis=(0, 1))
    enough = (o.sum(axis=0) > 0).sum(axis=0) >= fewest
    with np.errstate(invalid="ignore", divide="ignore"):
        seats = np.maximum(n.sum(axis=1, keepdims=True), 1.0)
        mean = s.sum(axis=1, keepdims=True) / seats
        beyond, total = (g - mean * o).sum(axis=0), o.sum(axis=0)
        gap = np.where(enough, beyond.sum(axis=0) / owners, np.nan)
        part = o.sum(axis=1, keepdims=True) / owners
        linearised = (beyond - gap * total) / owners - (part * (s - mean * n) / seats).sum(axis=0)
        units = (n.sum(axis=0) > 0).sum(axis=0)
        standard_error = np.sqrt(units / (units - 1) * (linearised**2).sum(axis=0))
    gap[np.abs(gap) < ROUNDING] = 0.0
    return _with_intervals(gap, standard_error, np.maximum(units - 1.0, 1.0))


def _with_intervals(effect: Floats, standard_error: Floats, freedom: Floats) -> Effects:
    """Return effects with intervals and p-values by Student's t with `freedom` degrees of freedom."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where((standard_error > 0) | (effect != 0), np.abs(effect) / standard_error, 0.0)
    p_values = 2 * special.stdtr(freedom, -ratio)
    half = special.stdtrit(freedom, (1 + LEVEL) / 2) * standard_error
    joint = special.stdtrit(freedom, 1 - false_coverage(p_values) / 2) * standard_error
    return Effects(effect, effect - half, effect + half, effect - joint, effect + joint, p_values)


def false_coverage(p_values: ArrayLike) -> float:
    """Return the error rate of each interval at which those that exclude 0 are the false-discovery choice.

    Formula: R q / m for R of m p-values chosen at q = ERROR (at least 1). Of the intervals of chosen factors
    at most q are expected to miss. Source: Benjamini & Yekutieli 2005, J. Am. Stat. Assoc. 100, 71-81.

    >>> false_coverage([0.01, 0.02, 0.9, 0.5]), false_coverage([0.9, 0.5])
    (0.025, 0.025)
    """
    adjusted = false_discoveries(p_values)
    defined = adjusted[~np.isnan(adjusted)]
    chosen = int((defined < ERROR).sum())
    return ERROR * max(chosen, 1) / max(defined.size, 1)


def false_discoveries(p_values: ArrayLike) -> Floats:
    """Return p-values adjusted for the false discovery rate (Benjamini-Hochberg); nan stays nan.

    Formula: for p sorted ascending, the running minimum of p_i m / i, beginning with the greatest. Source:
    Benjamini & Hochberg 1995, J. R. Stat. Soc. B 57, 289-300 (`scipy.stats.false_discovery_control`).

    >>> false_discoveries([0.01, float("nan"), 0.04, 0.03]).round(2).tolist()
    [0.03, nan, 0.04, 0.04]
    """
    from scipy import stats  # takes 0.2 s to load

    adjusted = np.array(p_values, dtype=np.float64)
    defined = ~np.isnan(adjusted)
    if defined.any():
        adjusted[defined] = stats.false_discovery_control(adjusted[defined])
    return adjusted
