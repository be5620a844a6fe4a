"""α-rank: how much of the time evolution by trial of fitter strategies spends with each strategy."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

Vector = NDArray[np.float64]
POPULATION = 50  # as in the paper
STABLE = 1e-6  # masses that change less than this when α is doubled have come to rest
DOUBLINGS = 60


def alpha_rank(payoffs: ArrayLike, alpha: float, population: int = POPULATION) -> Vector:
    """Masses of the strategies of a symmetric game of two seats at ranking intensity α; they add up to 1.

    payoffs[i, j]: what i gets against j. Formula: one mutant r among m that play s; with p mutants the
    fitness is f_r = ((p−1) M_rr + (m−p) M_rs)/(m−1), f_s = (p M_sr + (m−p−1) M_ss)/(m−1); it takes over with
    the chance ρ_sr = 1 / (1 + Σ_{l=1}^{m−1} exp(−α Σ_{p=1}^{l} (f_r − f_s))); the chain moves s → r with
    ρ_sr/(n−1). Source: Omidshafiei et al. 2019, Sci. Rep. 9:9937; Grassmann, Taksar & Heyman 1985, Oper. Res.
    33, 1107-1116 (no subtraction). Units of α: one over payoff. Errors: ValueError for other arguments.

    >>> alpha_rank([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], alpha=10).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    game = np.asarray(payoffs, dtype=np.float64)
    if game.ndim != 2 or game.shape[0] != game.shape[1] or not game.size or not np.isfinite(game).all():
        raise ValueError("a square matrix of finite payoffs is needed")
    if not alpha >= 0 or population < 2:
        raise ValueError(f"an intensity from 0 and a population from 2 are needed, not {alpha}, {population}")
    return _stationary(_takeovers(game, alpha, population))


def alpha_rank_limit(payoffs: ArrayLike, population: int = POPULATION) -> Vector:
    """α-rank at doubled intensities from 0.1 until the masses stand still: what the method means to give.

    Make equal beforehand what differs by noise: the least difference counts. Source, errors: `alpha_rank`.

    >>> alpha_rank_limit([[0.5, 0.6, 0.6], [0.4, 0.5, 0.7], [0.4, 0.3, 0.5]]).round(3).tolist()
    [1.0, 0.0, 0.0]
    """
    masses, still = alpha_rank(payoffs, 0.1, population), 0
    gaps = np.diff(np.unique(np.asarray(payoffs, np.float64)))
    least = gaps[gaps > 1e-12].min(initial=np.inf)  # an intensity below one over it may not tell it from 0
    for step in range(1, DOUBLINGS):
        alpha, before = 0.1 * 2.0**step, masses
        masses = alpha_rank(payoffs, alpha, population)
        still = still + 1 if alpha * least >= 1 and np.abs(masses - before).max() <= STABLE else 0
        if still == 3:
            break
    return masses


def _takeovers(game: Vector, alpha: float, population: int) -> Vector:
    """Log chances that a mutant [column] takes over a population of [row]; −∞ on the diagonal."""
    mutants = np.arange(1, population)[:, np.newaxis, np.newaxis]
    own = np.diag(game)
    fit_mutant = (mutants - 1) * own[np.newaxis, :] + (population - mutants) * game.T
    fit_other = mutants * game + (population - mutants - 1) * own[:, np.newaxis]
    walk = np.cumsum(-alpha * (fit_mutant - fit_other) / (population - 1), axis=0)
    chances = -logsumexp(np.concatenate([np.zeros((1, *game.shape)), walk]), axis=0)
    np.fill_diagonal(chances, -np.inf)
    return np.asarray(chances)


def _stationary(moves: Vector) -> Vector:
    """Stationary distribution from logarithms of rates, by elimination of one state after the other."""
    rates = moves.copy()
    for last in range(len(rates) - 1, 0, -1):
        rates[:last, last] -= logsumexp(rates[last, :last])
        detours = rates[:last, last, np.newaxis] + rates[last, :last]
        rates[:last, :last] = np.logaddexp(rates[:last, :last], detours)
    masses = np.zeros(len(rates))
    for state in range(1, len(rates)):
        masses[state] = logsumexp(masses[:state] + rates[:state, state])
    return np.asarray(np.exp(masses - logsumexp(masses)))
