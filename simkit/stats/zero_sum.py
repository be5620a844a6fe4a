"""The value of a game in which each of two sides picks a strategy: mixes, cross-fitting, interval."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import Floats, normal

REPLICATIONS = 400
SMALL = 1e-9
OFTEN = 0.01  # weight from which a strategy counts as part of a mix


class Mixes(NamedTuple):
    """The value to the side that picks rows, and the best mix of each side."""

    value: float
    rows: Floats
    columns: Floats


class Value(NamedTuple):
    """A value with its interval, and how often each strategy was in the best mix of resampled deals."""

    value: float
    low: float
    high: float
    plain: float  # of the mean matrix itself, its mixes chosen on the same deals
    rows: Floats
    columns: Floats


def solve(matrix: ArrayLike) -> Mixes:
    """The value of a matrix game to the side of the rows (who wants much), and mixes that secure it.

    matrix[i, j]: what i gets against j. Formula: max v with Σ_i x_i A_ij ≥ v for all j, x a distribution; the
    other mix is its dual. Where several mixes secure the value, one of them; where a row and a column do, no
    mix. Source: von Neumann 1928, Math. Ann. 100, 295-320; as a linear programme Dantzig 1951, in Activity
    Analysis of Production and Allocation, 330-335; solved by SciPy (HiGHS). Errors: ValueError for no matrix,
    or one that is not finite.

    >>> value, rows, columns = solve([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])  # rock, paper, scissors
    >>> round(value, 9), rows.round(3).tolist(), columns.round(3).tolist()
    (0.5, [0.333, 0.333, 0.333], [0.333, 0.333, 0.333])
    """
    payoffs = np.asarray(matrix, np.float64)
    if payoffs.ndim != 2 or not payoffs.size or not np.isfinite(payoffs).all():
        raise ValueError(f"a matrix of finite numbers is needed, not one of the shape {payoffs.shape}")
    return _saddle(payoffs) or _mixed(payoffs)


def _saddle(payoffs: Floats) -> Mixes | None:
    """Without mixing, where what a row secures is what a column concedes."""
    row, column = int(payoffs.min(axis=1).argmax()), int(payoffs.max(axis=0).argmin())
    many, others = payoffs.shape
    value = float(payoffs[row].min())
    return (
        Mixes(value, np.eye(many)[row], np.eye(others)[column]) if value >= payoffs[:, column].max() else None
    )


def _mixed(payoffs: Floats) -> Mixes:
    from scipy.optimize import linprog  # takes 0.5 s to import

    many, others = payoffs.shape
    found: Any = linprog(
        np.append(np.zeros(many), -1.0),
        A_ub=np.column_stack([-payoffs.T, np.ones(others)]),
        b_ub=np.zeros(others),
        A_eq=np.append(np.ones(many), 0.0)[np.newaxis],
        b_eq=[1.0],
        bounds=[*[(0, None)] * many, (None, None)],
        method="highs-ds",
    )
    if found.status != 0:
        raise ValueError(f"the linear programme of a game was not solved: {found.message}")
    return Mixes(float(found.x[-1]), _part(found.x[:-1]), _part(-found.ineqlin.marginals))


def _part(weights: Floats) -> Floats:
    kept = np.where(weights < SMALL, 0.0, weights)
    return np.asarray(kept / kept.sum())


def crossed(one: Floats, other: Floats) -> float:
    """The mean of what the mixes best for each of two matrices are worth in the other one.

    >>> round(crossed(np.array([[0.6], [0.5]]), np.array([[0.4], [0.5]])), 3)
    0.45
    """
    return _crossed((solve(one), solve(other)), (one, other))


def _crossed(mixes: Sequence[Mixes], matrices: Sequence[Floats]) -> float:
    """The mixes of each matrix in the other one."""
    there = zip(mixes, reversed(matrices), strict=True)
    return float(np.mean([mix.rows @ matrix @ mix.columns for mix, matrix in there]))


def cross_fitted(deals: ArrayLike, level: float = 0.95, replications: int = REPLICATIONS) -> Value:
    """The value of a matrix game of which deals were seen, with its interval.

    deals[d, i, j]: what i got against j on deal d, all on common luck. Formula: mixes chosen on the even
    deals are worth x'Āy on the odd ones, and the other way round; the mean of both, ± z standard deviations
    of the same mean over resampled deals (bootstrap within each half, mixes chosen anew). What luck made look
    good is so measured without it; where few deals leave open who is best, the value comes out a little low
    for the side that has the choice. Source: cross-fitting: Chernozhukov et al. 2018, Econometrics J. 21,
    C1-C68, section 3; bootstrap: Efron 1979, Ann. Stat. 7, 1-26. Coverage: tests/stats/test_zero_sum.py.
    Units: those of the matrix. Errors: ValueError for fewer than four deals.

    >>> seen = np.array([[[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]]] * 8)
    >>> [round(x, 6) for x in cross_fitted(seen, replications=20)[:3]]
    [0.5, 0.5, 0.5]
    """
    seen = np.asarray(deals, np.float64)
    if seen.ndim != 3 or len(seen) < 4:
        raise ValueError(f"four deals or more of a matrix are needed, not the shape {seen.shape}")
    rng, halves = np.random.default_rng(1), (seen[0::2], seen[1::2])
    resampled = [_resampled(half, replications, rng) for half in halves]
    mixes = [[solve(one) for one in some] for some in resampled]
    every = zip(*mixes, *resampled, strict=True)
    values = [_crossed((one, other), (here, there)) for one, other, here, there in every]
    value = crossed(*(half.mean(axis=0) for half in halves))
    half = normal(level) * float(np.std(values))
    rows = np.mean([mix.rows > OFTEN for some in mixes for mix in some], axis=0)
    columns = np.mean([mix.columns > OFTEN for some in mixes for mix in some], axis=0)
    return Value(value, value - half, value + half, solve(seen.mean(axis=0)).value, rows, columns)


def _resampled(half: Floats, replications: int, rng: np.random.Generator) -> Floats:
    """Mean matrices of deals drawn with replacement: [replication, i, j]."""
    times = rng.multinomial(len(half), np.full(len(half), 1 / len(half)), size=replications)
    return np.asarray(np.tensordot(times / len(half), half, axes=1))
