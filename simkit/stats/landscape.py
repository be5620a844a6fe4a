"""Analysis of a matchup matrix: Nash averaging, dominated strategies, cycles, the cyclic part."""

import itertools
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.quantiles import Floats

TOLERANCE = 1e-9  # payoffs closer than this are equal


class Nash(NamedTuple):
    """The maximum-entropy equilibrium of a matchup matrix."""

    weights: Floats  # [strategy] probability in the equilibrium
    shares: Floats  # [strategy] share against the equilibrium: 1/2 if it is played there, at most 1/2 for all
    effective: float  # effective number of strategies


class Dominated(NamedTuple):
    """A strategy that another strategy, or a mixture, makes superfluous."""

    strategy: int
    by: dict[int, float]  # dominating strategy -> weight; a single strategy has weight 1
    strictly: bool  # better everywhere by more than the margin; otherwise nowhere worse, somewhere better
    gain: float  # least gain of a strict domination, otherwise the greatest gain


class Cycle(NamedTuple):
    """Three strategies each of which beats the next, and the last the first."""

    strategies: tuple[int, int, int]
    strength: float  # of the weakest link: its share minus 1/2


def nash_average(shares: ArrayLike) -> Nash:
    """Return the maximum-entropy Nash equilibrium of a matchup matrix; copies of a strategy do not bias it.

    shares[row, column]: of the row's strategy against the column's; A = shares − 1/2. Formula: of all p ≥ 0,
    Σp = 1, p'A ≥ 0 the one with the greatest entropy; effective number = exp(entropy). Linear programmes find
    what all these p have in common, the dual the rest: p ∝ exp(A μ), μ minimises log Σ exp(A μ). Source:
    Balduzzi, Tuyls, Perolat & Graepel 2018, Re-evaluating evaluation, NeurIPS 31. Errors: ValueError unless
    the shares are a square matrix with p + p' = 1.

    >>> nash = nash_average([[0.5, 0.9, 0.2], [0.1, 0.5, 0.9], [0.8, 0.1, 0.5]])
    >>> nash.weights.round(3).tolist(), round(nash.effective, 2)
    ([0.364, 0.273, 0.364], 2.97)
    """
    game = _antisymmetric(shares)
    size = np.abs(game).max()
    if size <= TOLERANCE:
        return Nash(np.full(len(game), 1 / len(game)), np.full(len(game), 0.5), float(len(game)))
    weights = _most_even(game / size)
    entropy = -float(np.sum(weights[weights > 0] * np.log(weights[weights > 0])))
    return Nash(weights, np.asarray(shares, dtype=np.float64) @ weights, float(np.exp(entropy)))


def dominated(payoffs: ArrayLike, margin: float = 0.0) -> list[Dominated]:
    """Return the strategies that another strategy, or a mixture of others, makes superfluous.

    payoffs[strategy, ...]: against each opponent, or combination of opponents; margin: their noise, which a
    gain must exceed. Formula: the first that applies of strictly by one strategy, by a mixture (greatest ε
    with Σ q_i M_i − M_j ≥ ε everywhere), weakly by one strategy, by a mixture (greatest sum of gains).
    Source: Shoham & Leyton-Brown 2009, Multiagent Systems, sections 3.4.3, 4.5. Errors: ValueError for
    payoffs that are not finite or a margin below 0.

    >>> [(d.strategy, d.by, d.strictly) for d in dominated([[0.5, 0.7], [0.3, 0.5]])]
    [(1, {0: 1.0}, True)]
    """
    table = np.asarray(payoffs, dtype=np.float64)
    if table.ndim < 2 or not table.size or not np.isfinite(table).all() or margin < 0:
        raise ValueError("finite payoffs [strategy, opponents ...] and a margin from 0 are needed")
    table = table.reshape(len(table), -1)
    reasons = (_domination(table, strategy, margin) for strategy in range(len(table)))
    return [reason for reason in reasons if reason is not None]


def cycles(shares: ArrayLike, low: ArrayLike, most: int | None = None) -> list[Cycle]:
    """Return the cycles of three strategies, the strongest first, at most `most`.

    shares[row, column] (nan: never played); low: lower ends of their intervals. The row beats the column if
    low is above 1/2. Source: Kendall & Babington Smith 1940, Biometrika 31, 324-345.

    >>> shares = [[0.5, 0.9, 0.2], [0.1, 0.5, 0.7], [0.8, 0.3, 0.5]]
    >>> cycles(shares, low=shares)
    [Cycle(strategies=(0, 1, 2), strength=0.2)]
    """
    table, lower = np.asarray(shares, dtype=np.float64), np.asarray(low, dtype=np.float64)
    beats = np.nan_to_num(lower, nan=0.0) > 0.5 + TOLERANCE
    triples = []
    for i, j, k in itertools.combinations(range(len(table)), 3):
        for a, b, c in ((i, j, k), (i, k, j)):
            if beats[a, b] and beats[b, c] and beats[c, a]:
                weakest = min(table[a, b], table[b, c], table[c, a]) - 0.5
                triples.append(Cycle((a, b, c), round(float(weakest), 12)))
    return sorted(triples, key=lambda cycle: -cycle.strength)[:most]


def cyclic_part(shares: ArrayLike) -> float:
    """Return the part of a matchup matrix's sum of squares that ratings do not explain: 0 ladder, 1 cycles.

    Formula: A = shares − 1/2; r_i = mean_j A_ij; C_ij = A_ij − (r_i − r_j); cyclic part = Σ C² / Σ A² (0
    if A is 0; noise adds to it). Source: Jiang, Lim, Yao & Ye 2011, Math. Program. 127, 203-244 (Hodge
    decomposition); Balduzzi et al. 2018. Shapes, errors: `nash_average`.

    >>> cyclic_part([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]])
    1.0
    """
    game = _antisymmetric(shares)
    ratings = game.mean(axis=1)
    cyclic = game - (ratings[:, np.newaxis] - ratings)
    total = float(np.sum(game**2))
    return float(np.sum(cyclic**2)) / total if total > TOLERANCE**2 else 0.0


def settled(shares: ArrayLike, low: ArrayLike, high: ArrayLike) -> Floats:
    """Return the matchup matrix with 1/2 in place of each share whose interval (low, high) includes 1/2.

    >>> settled([[0.5, 0.52], [0.48, 0.5]], [[0.5, 0.49], [0.45, 0.5]], [[0.5, 0.55], [0.51, 0.5]]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    table, below, above = (np.asarray(part, dtype=np.float64) for part in (shares, low, high))
    return np.where((below <= 0.5) & (above >= 0.5), 0.5, table)


def _antisymmetric(shares: ArrayLike) -> Floats:
    """Return shares − 1/2, made exactly antisymmetric; ValueError unless opposite shares add up to 1."""
    table = np.asarray(shares, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size or not np.isfinite(table).all():
        raise ValueError("a square matrix of shares is needed: every strategy has to have met every other")
    if table.min() < 0 or table.max() > 1 or np.abs(table + table.T - 1).max() > 1e-6:
        raise ValueError("shares from 0 to 1 are needed, one against another and its opposite adding up to 1")
    return (table - table.T) / 2


def _solve(**programme: Any) -> Floats:
    """Return the solution of a linear programme; ArithmeticError if there is none."""
    from scipy.optimize import linprog

    solution = linprog(method="highs", **programme)
    if solution.status != 0:
        raise ArithmeticError(f"a linear programme was not solved: {solution.message}")
    return np.asarray(solution.x, dtype=np.float64)


def _most_even(game: Floats) -> Floats:
    """Return the equilibrium of greatest entropy of an antisymmetric game whose greatest payoff is 1."""
    n = len(game)
    inside = {"A_ub": -game.T, "b_ub": np.zeros(n), "A_eq": np.ones((1, n)), "b_eq": [1.0], "bounds": (0, 1)}
    objectives = [*np.eye(n), *game.T]  # the greatest weight of each, the greatest payoff against each
    centre = np.mean([_solve(c=-aim, **inside) for aim in objectives], axis=0)
    return _by_dual(game, used=centre > 1e-8, tight=game.T @ centre < 1e-8)


def _by_dual(game: Floats, used: NDArray[np.bool_], tight: NDArray[np.bool_]) -> Floats:
    """Return the distribution of greatest entropy over the strategies `used`.

    Its payoffs are 0 against the strategies `tight` and at least 0 against all others.
    """
    from scipy.optimize import minimize
    from scipy.special import logsumexp, softmax

    part = game[used]

    def sloped(multipliers: Floats) -> tuple[float, Floats]:
        return float(logsumexp(part @ multipliers)), part.T @ softmax(part @ multipliers)

    bounds = [(None if binding else 0.0, None) for binding in tight]
    options: Any = {"ftol": 1e-15, "gtol": 1e-10, "maxiter": 20_000, "maxfun": 100_000}
    fit = minimize(sloped, np.zeros(len(game)), jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    approximate = softmax(part @ fit.x)
    equations = np.vstack([part[:, tight].T, np.ones(len(part))])
    residuals = np.append(np.zeros(tight.sum()), 1.0) - equations @ approximate
    exact = approximate + np.linalg.lstsq(equations, residuals, rcond=1e-10)[0]
    weights = np.zeros(len(game))
    weights[used] = exact if exact.min() >= 0 else approximate
    return weights


def _domination(table: Floats, strategy: int, margin: float) -> Dominated | None:
    """Return the first domination of a strategy in the order of `dominated`."""
    others = np.delete(np.arange(len(table)), strategy)
    if not others.size:
        return None
    gains, unit = table[others] - table[strategy], np.eye(others.size)
    least, greatest = gains.min(axis=1), gains.max(axis=1)
    mixed = _mixture(gains)
    strictly = [(unit[least.argmax()], least.max()), (mixed, (mixed @ gains).min())]
    weak, worse = _weak_mixture(gains), least < -TOLERANCE
    weakly = [(unit[np.where(worse, -np.inf, greatest).argmax()], greatest[~worse].max(initial=-np.inf))]
    weakly += [] if weak is None else [(weak, (weak @ gains).max())]
    for by, gain, strict in [(*row, True) for row in strictly] + [(*row, False) for row in weakly]:
        if gain > margin + TOLERANCE:
            weights = {int(others[place]): float(by[place]) for place in np.flatnonzero(by > TOLERANCE)}
            return Dominated(strategy, weights, strict, float(gain))
    return None


def _mixture(gains: Floats) -> Floats:
    """Return the mixture whose least gain is greatest."""
    rows, columns = gains.shape
    constraints = {"A_ub": np.hstack([-gains.T, np.ones((columns, 1))]), "b_ub": np.zeros(columns)}
    simplex = {"A_eq": np.append(np.ones(rows), 0.0)[np.newaxis], "b_eq": [1.0]}
    bounds = [(0, 1)] * rows + [(None, None)]
    return _solve(c=np.append(np.zeros(rows), -1.0), bounds=bounds, **constraints, **simplex)[:-1]


def _weak_mixture(gains: Floats) -> Floats | None:
    """Return the mixture with the greatest sum of gains that is nowhere worse; None if there is none."""
    rows, columns = gains.shape
    constraints = {"A_ub": -gains.T, "b_ub": np.zeros(columns), "A_eq": np.ones((1, rows)), "b_eq": [1.0]}
    try:
        return _solve(c=-gains.sum(axis=1), bounds=(0, 1), **constraints)
    except ArithmeticError:
        return None
