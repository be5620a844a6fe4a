"""α-rank: the share of time that an evolving population of players spends with each strategy."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from simkit.stats.quantiles import Floats

POPULATION = 50  # as in the paper
TOLERANCE = 1e-6  # masses that change by less than this when α is doubled have converged
MAX_DOUBLINGS = 60


def alpha_rank(payoffs: ArrayLike, alpha: float, population: int = POPULATION) -> Floats:
    """Return the masses of the strategies of a symmetric two-seat game at intensity α; they add up to 1.

    payoffs[i, j]: payoff of i against j. Formula: one mutant r among m that play s; with p mutants the
    fitness is f_r = ((p−1) M_rr + (m−p) M_rs)/(m−1), f_s = (p M_sr + (m−p−1) M_ss)/(m−1); it takes over with
    the chance ρ_sr = 1 / (1 + Σ_{l=1}^{m−1} exp(−α Σ_{p=1}^{l} (f_r − f_s))); the chain moves s → r with
    ρ_sr/(n−1). Source: Omidshafiei et al. 2019, Sci. Rep. 9:9937; Grassmann, Taksar & Heyman 1985, Oper. Res.
    33, 1107-1116 (no subtraction). Units of α: one over payoff. Errors: ValueError for invalid arguments.

    >>> alpha_rank([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], alpha=10).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    game = np.asarray(payoffs, dtype=np.float64)
    if game.ndim != 2 or game.shape[0] != game.shape[1] or not game.size or not np.isfinite(game).all():
        raise ValueError("a square matrix of finite payoffs is needed")
    if not alpha >= 0 or population < 2:
        raise ValueError(f"an intensity from 0 and a population from 2 are needed, not {alpha}, {population}")
    return _stationary(_takeovers(game, alpha, population))


def alpha_rank_limit(payoffs: ArrayLike, population: int = POPULATION) -> Floats:
    """Return the limit of α-rank for high intensities: α is doubled from 0.1 until the masses converge.

    Even the smallest difference of payoffs counts: set payoffs that differ only by noise to the same value.

    >>> alpha_rank_limit([[0.5, 0.6, 0.6], [0.4, 0.5, 0.7], [0.4, 0.3, 0.5]]).round(3).tolist()
    [1.0, 0.0, 0.0]
    """
    masses, stable = alpha_rank(payoffs, 0.1, population), 0
    gaps = np.diff(np.unique(np.asarray(payoffs, np.float64)))
    least_gap = gaps[gaps > 1e-12].min(initial=np.inf)  # intensities below 1 / this gap may miss it
    for step in range(1, MAX_DOUBLINGS):
        alpha, previous = 0.1 * 2.0**step, masses
        masses = alpha_rank(payoffs, alpha, population)
        stable = stable + 1 if alpha * least_gap >= 1 and np.abs(masses - previous).max() <= TOLERANCE else 0
        if stable == 3:
            break
    return masses


def _takeovers(game: Floats, alpha: float, population: int) -> Floats:
    """Return the log probability that mutant [column] takes over population [row]; −∞ on the diagonal."""
    mutants = np.arange(1, population)[:, np.newaxis, np.newaxis]
    self_payoffs = np.diag(game)
    mutant_fitness = (mutants - 1) * self_payoffs[np.newaxis, :] + (population - mutants) * game.T
    resident_fitness = mutants * game + (population - mutants - 1) * self_payoffs[:, np.newaxis]
    exponents = np.cumsum(-alpha * (mutant_fitness - resident_fitness) / (population - 1), axis=0)
    log_chances = -logsumexp(np.concatenate([np.zeros((1, *game.shape)), exponents]), axis=0)
    np.fill_diagonal(log_chances, -np.inf)
    return np.asarray(log_chances)


def _stationary(log_rates: Floats) -> Floats:
    """Return the stationary distribution, by eliminating one state after the other from the log rates."""
    rates = log_rates.copy()
    for last in range(len(rates) - 1, 0, -1):
        rates[:last, last] -= logsumexp(rates[last, :last])
        detours = rates[:last, last, np.newaxis] + rates[last, :last]
        rates[:last, :last] = np.logaddexp(rates[:last, :last], detours)
    log_masses = np.zeros(len(rates))
    for state in range(1, len(rates)):
        log_masses[state] = logsumexp(log_masses[:state] + rates[:state, state])
    return np.asarray(np.exp(log_masses - logsumexp(log_masses)))
