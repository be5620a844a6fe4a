"""Two-person zero-sum matrix games: values, mixed strategies, cross-fitted estimates with intervals."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import Floats, normal

REPLICATIONS = 400
NEGLIGIBLE = 1e-9
MIN_WEIGHT = 0.01  # weight from which a strategy counts as part of a mix


class Mixes(NamedTuple):
    """The value to the side that picks rows, and the optimal mix of each side."""

    value: float
    rows: Floats
    columns: Floats


class Value(NamedTuple):
    """A value with its interval, and how often each strategy was in the optimal mix of resampled deals."""

    value: float
    low: float
    high: float
    plain: float  # value of the mean matrix itself, with mixes chosen on the same deals
    rows: Floats
    columns: Floats


def solve(matrix: ArrayLike) -> Mixes:
    """Return the value of a matrix game to the side of the rows, which maximises, and mixes that secure it.

    matrix[i, j]: payoff of i against j. Formula: max v with Σ_i x_i A_ij ≥ v for all j, x a distribution; the
    other mix is its dual; a saddle point in pure strategies comes first. Source: von Neumann 1928, Math. Ann.
    100, 295-320; as a linear programme Dantzig 1951, in Activity Analysis of Production and Allocation,
    330-335. Errors: ValueError unless it is a matrix of finite numbers.

    >>> value, rows, columns = solve([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])  # rock, paper, scissors
    >>> round(value, 9), rows.round(3).tolist(), columns.round(3).tolist()
    (0.5, [0.333, 0.333, 0.333], [0.333, 0.333, 0.333])
    """
    payoffs = np.asarray(matrix, np.float64)
    if payoffs.ndim != 2 or not payoffs.size or not np.isfinite(payoffs).all():
        raise ValueError(f"a matrix of finite numbers is needed, not one of the shape {payoffs.shape}")
    return _saddle(payoffs) or _mixed(payoffs)


def _saddle(payoffs: Floats) -> Mixes | None:
    """Return the saddle point in pure strategies; None if there is none."""
    row, column = int(payoffs.min(axis=1).argmax()), int(payoffs.max(axis=0).argmin())
    row_count, column_count = payoffs.shape
    value = float(payoffs[row].min())
    if value < payoffs[:, column].max():
        return None
    return Mixes(value, np.eye(row_count)[row], np.eye(column_count)[column])


def _mixed(payoffs: Floats) -> Mixes:
    """Return value and mixes by linear programming."""
    from scipy.optimize import linprog  # takes 0.5 s to import

    row_count, column_count = payoffs.shape
    solution: Any = linprog(
        np.append(np.zeros(row_count), -1.0),
        A_ub=np.column_stack([-payoffs.T, np.ones(column_count)]),
        b_ub=np.zeros(column_count),
        A_eq=np.append(np.ones(row_count), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[*[(0, None)] * row_count, (None, None)],
        method="highs-ds",
    )
    if solution.status != 0:
        raise ValueError(f"the linear programme of a game was not solved: {solution.message}")
    return Mixes(
        float(solution.x[-1]), _normalised(solution.x[:-1]), _normalised(-solution.ineqlin.marginals)
    )


def _normalised(weights: Floats) -> Floats:
    """Return weights that add up to 1, negligible ones set to 0."""
    positive = np.where(weights < NEGLIGIBLE, 0.0, weights)
    return np.asarray(positive / positive.sum())


def _crossed(mixes: Sequence[Mixes], matrices: Sequence[Floats]) -> float:
    """Return the mean value of the mixes of each matrix in the other one."""
    pairs = zip(mixes, reversed(matrices), strict=True)
    return float(np.mean([mix.rows @ matrix @ mix.columns for mix, matrix in pairs]))


def cross_fitted(deals: ArrayLike, level: float = 0.95, replications: int = REPLICATIONS) -> Value:
    """Return the value of a matrix game estimated from deals, with its interval.

    deals[d, i, j]: payoff of i against j on deal d, all on common luck. Formula: mixes chosen on the even
    deals are worth x'Āy on the odd ones, and vice versa; the mean of both, ± z standard deviations of the
    same mean over resampled deals (bootstrap within each half, mixes chosen anew). Source: Chernozhukov et
    al. 2018, Econometrics J. 21, C1-C68, section 3 (cross-fitting); Efron 1979, Ann. Stat. 7, 1-26
    (bootstrap). Coverage: tests/stats/test_zero_sum.py. Units: those of the matrix. Errors: ValueError for
    fewer than four deals.

    >>> payoffs = np.array([[[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]] * 8)
    >>> [round(x, 6) for x in cross_fitted(payoffs, replications=20)[:3]]
    [0.5, 0.5, 0.5]
    """
    payoffs = np.asarray(deals, np.float64)
    if payoffs.ndim != 3 or len(payoffs) < 4:
        raise ValueError(f"four deals or more of a matrix are needed, not the shape {payoffs.shape}")
    rng, halves = np.random.default_rng(1), (payoffs[0::2], payoffs[1::2])
    resampled = [_resampled(half, replications, rng) for half in halves]
    mixes = [[solve(matrix) for matrix in matrices] for matrices in resampled]
    replicates = zip(*mixes, *resampled, strict=True)
    values = [_crossed((mix1, mix2), (matrix1, matrix2)) for mix1, mix2, matrix1, matrix2 in replicates]
    means = [half.mean(axis=0) for half in halves]
    value = _crossed([solve(mean) for mean in means], means)
    width = normal(level) * float(np.std(values))
    rows = np.mean([mix.rows > MIN_WEIGHT for half in mixes for mix in half], axis=0)
    columns = np.mean([mix.columns > MIN_WEIGHT for half in mixes for mix in half], axis=0)
    return Value(value, value - width, value + width, solve(payoffs.mean(axis=0)).value, rows, columns)


def _resampled(half: Floats, replications: int, rng: np.random.Generator) -> Floats:
    """Return mean matrices of deals drawn with replacement: [replication, i, j]."""
    times = rng.multinomial(len(half), np.full(len(half), 1 / len(half)), size=replications)
    return np.asarray(np.tensordot(times / len(half), half, axes=1))
