"""Effects of many factors at once that were each drawn by a coin, and of one on a ratio."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

LEVEL = 0.95
ROUNDING = 1e-9  # parts of the largest outcome that are no effect
FEWEST = 30  # units with something below, so that a ratio is near normal (Cochran 1977, section 6.8)
Values = NDArray[np.float64]


class Effects(NamedTuple):
    """Per factor: the effect, its 95 % interval, how often luck alone is as far from 0."""

    effect: Values
    low: Values
    high: Values
    p: Values


def main_effects(coins: ArrayLike, outcome: ArrayLike, weights: ArrayLike) -> Effects:
    """What each of many factors adds to an outcome, each drawn by a coin of its own for every unit.

    Formula: weighted least squares of the outcome y on a constant and all coins Z, b = (X'WX)⁻¹X'Wy;
    variance (X'WX)⁻¹ (Σ w²x x' e²/(1 − h)) (X'WX)⁻¹ (HC2), e the residuals, h the leverages; interval and
    p-value by Student's t with n − k − 1 degrees of freedom. With one factor HC2 is Neyman's variance of a
    difference of means, which no true variance exceeds on average. Source: Samii & Aronow 2012, Stat.
    Probab. Lett. 82, 365-370; several factors: Dasgupta, Pillai & Rubin 2015, J. R. Stat. Soc. B 77,
    727-753. What is estimated: E(y | Z_j = 1) − E(y | Z_j = 0) over the draws of all other coins, whatever
    interactions there are, since the coins are independent. A factor that was always or never drawn, or with
    another, has nan. Shapes: coins [unit, factor], outcome [unit], weights [unit], e.g. deals of a unit.
    Units: of the outcome. Errors: ValueError for fewer units than factors and 2, or outcomes that are not
    numbers.

    >>> found = main_effects([[0], [0], [1], [1]], [1.0, 3.0, 4.0, 6.0], [1, 1, 1, 1])
    >>> found.effect.round(6).tolist(), ((found.high - found.low) / 2).round(2).tolist()
    ([3.0], [6.08])
    """
    drawn, y, w = np.asarray(coins, float), np.asarray(outcome, float), np.asarray(weights, float)
    units, factors = drawn.shape
    if units < factors + 2 or not np.isfinite(y).all():
        raise ValueError("more units than factors, with outcomes that are numbers, are needed")
    x = np.column_stack([np.ones(units), drawn]) * np.sqrt(w)[:, np.newaxis]
    inverse, known = np.linalg.pinv(x.T @ x), _told_apart(x)
    b = inverse @ x.T @ (np.sqrt(w) * y)
    b[np.abs(b) < ROUNDING * np.abs(y).max(initial=1.0)] = 0.0
    leverage = ((x @ inverse) * x).sum(axis=1).clip(max=1 - 1e-9)
    residual = (np.sqrt(w) * y - x @ b) ** 2 / (1 - leverage)
    error = np.sqrt(np.diag(inverse @ (x.T * residual) @ x @ inverse).clip(min=0))
    lost = np.where(known, 1.0, np.nan)[1:]
    return _told(b[1:] * lost, error[1:] * lost, np.full(factors, units - factors - 1.0))


def _told_apart(x: Values) -> NDArray[np.bool_]:
    """Which columns are no sum of the others: the projection on the row space leaves them as they are."""
    _, sizes, directions = np.linalg.svd(x, full_matrices=False)
    kept = directions[sizes > sizes.max() * max(x.shape) * np.finfo(float).eps]
    found: NDArray[np.bool_] = np.abs((kept**2).sum(axis=0) - 1) < 1e-6
    return found


def ratio_changes(coins: ArrayLike, above: ArrayLike, below: ArrayLike, fewest: int = FEWEST) -> Effects:
    """What each factor adds to a ratio of sums over units: R₁ − R₀, R_z = Σ a / Σ b over units with coin z.

    Formula: variance of R_z = n/(n − 1) Σ (a − R_z b)² / (Σ b)² over its n units, of the difference the sum
    of both; degrees of freedom of Welch and Satterthwaite. Source: Cochran 1977, Sampling Techniques, 3rd
    ed., eq. 6.13 (ratio of two sums); Welch 1947, Biometrika 34, 28-35. What is estimated: the difference of
    the two ratios in the long run; nan where a side has fewer than `fewest` units with something below.
    Shapes: coins [unit, factor], above and below [unit, factor]. Units: those of the ratio.

    >>> found = ratio_changes([[0], [0], [1], [1]], [[1], [3], [2], [2]], [[4], [4], [8], [8]], 2)
    >>> found.effect.tolist(), ((found.high - found.low) / 2).round(2).tolist()
    ([-0.25], [3.18])
    """
    drawn, a, b = (np.asarray(one, float) for one in (coins, above, below))
    (usual, *of_usual), (changed, *of_changed) = (_ratio(side, a, b, fewest) for side in (1 - drawn, drawn))
    with np.errstate(invalid="ignore", divide="ignore"):
        total = of_usual[0] + of_changed[0]
        freedom = total**2 / sum(variance**2 / (units - 1) for variance, units in (of_usual, of_changed))
    return _told(changed - usual, np.sqrt(total), np.where(total > 0, freedom, np.inf))


def _ratio(side: Values, above: Values, below: Values, fewest: int) -> tuple[Values, Values, Values]:
    """Ratio, its variance and the units, of the units on a side."""
    units, whole = side.sum(axis=0), (side * below).sum(axis=0)
    enough = (side * (below > 0)).sum(axis=0) >= fewest
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(enough, (side * above).sum(axis=0) / whole, np.nan)
        squares = (side * (above - ratio * below) ** 2).sum(axis=0)
        variance = units / (units - 1) * squares / whole**2
    return ratio, np.where(enough, variance, np.nan), units


def gaps(own_won: ArrayLike, own: ArrayLike, won: ArrayLike, sat: ArrayLike, fewest: int = FEWEST) -> Effects:
    """How much more owners win than all who sit in the same places, by thing that is owned.

    Formula: R = Σ_p (G_p − m_p O_p) / O, with p a place (seat and strategy), G_p and O_p what owners there
    won and how many they were, O all owners, m_p = S_p / N_p what a seat there won on average; variance by
    linearisation: n/(n − 1) Σ u², u = (Σ_p (g_p − m_p o_p) − R o) / O − Σ_p (O_p / O)(s_p − m_p n_p) / N_p
    of each unit. Source: Woodruff 1971, J. Am. Stat. Assoc. 66, 411-414. An association, unless luck says
    who owns. Shapes: own_won and own [place, unit, thing], won and sat [place, unit, thing], zero where a
    unit is not to count. Units: of won. nan where fewer than `fewest` units have owners.

    >>> own, sat = [[[1.0], [1.0]], [[0.0], [0.0]]], [[[1.0], [1.0]], [[1.0], [1.0]]]
    >>> gaps(own, own, own, sat, 2).effect.tolist()
    [0.0]
    """
    g, o, s, n = (np.asarray(one, float) for one in (own_won, own, won, sat))
    owners = o.sum(axis=(0, 1))
    enough = (o.sum(axis=0) > 0).sum(axis=0) >= fewest
    with np.errstate(invalid="ignore", divide="ignore"):
        seats = np.maximum(n.sum(axis=1, keepdims=True), 1.0)
        mean = s.sum(axis=1, keepdims=True) / seats
        beyond, total = (g - mean * o).sum(axis=0), o.sum(axis=0)
        gap = np.where(enough, beyond.sum(axis=0) / owners, np.nan)
        part = o.sum(axis=1, keepdims=True) / owners
        each = (beyond - gap * total) / owners - (part * (s - mean * n) / seats).sum(axis=0)
        units = (n.sum(axis=0) > 0).sum(axis=0)
        error = np.sqrt(units / (units - 1) * (each**2).sum(axis=0))
    gap[np.abs(gap) < ROUNDING] = 0.0
    return _told(gap, error, np.maximum(units - 1.0, 1.0))


def _told(effect: Values, error: Values, freedom: Values) -> Effects:
    half = special.stdtrit(freedom, (1 + LEVEL) / 2) * error
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where((error > 0) | (effect != 0), np.abs(effect) / error, 0.0)
    return Effects(effect, effect - half, effect + half, 2 * special.stdtr(freedom, -ratio))


def false_discoveries(p_values: ArrayLike) -> Values:
    """Adjusted p-values: of the effects called real below α, at most the part α is expected not to be.

    Formula: for p sorted ascending, the running minimum from the greatest on of p_i m / i; nan stays so.
    Source: Benjamini & Hochberg 1995, J. R. Stat. Soc. B 57, 289-300 (`scipy.stats.false_discovery_control`);
    it holds for independent tests, and coins thrown apart make estimates that are uncorrelated.
    Errors: ValueError for others than 0 to 1.

    >>> false_discoveries([0.01, float("nan"), 0.04, 0.03]).round(2).tolist()
    [0.03, nan, 0.04, 0.04]
    """
    from scipy import stats  # takes 0.2 s to load

    seen = np.array(p_values, dtype=np.float64)
    known = ~np.isnan(seen)
    if known.any():
        seen[known] = stats.false_discovery_control(seen[known])
    return seen
