"""α-rank: how much of the time evolution by trial of fitter strategies spends with each strategy (or each strategy per seat)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp

Vector = NDArray[np.float64]
POPULATION = 50  # as in the paper
STABLE = 1e-6  # masses that change less than this when α is doubled have come to rest
DOUBLINGS = 60


class Sweep(NamedTuple):
    """Masses at growing ranking intensities."""

    alphas: Vector  # [step]
    masses: Vector  # [step, profile]
    stable: bool  # whether the last doublings changed no mass

    @property
    def limit(self) -> Vector:
        """The masses at the greatest intensity."""
        return np.asarray(self.masses[-1])


def alpha_rank(payoffs: ArrayLike, alpha: float, population: int = POPULATION) -> Vector:
    """Masses of the strategies of a symmetric game of two seats at ranking intensity α.

    payoffs[i, j]: what i gets against j, for instance its share. Returns mass[strategy], which adds up to 1.
    Formula: a population of m all playing s meets one mutant r, each of the others as likely; with p mutants the fitness is
    f_r = ((p−1) M_rr + (m−p) M_rs)/(m−1), f_s = (p M_sr + (m−p−1) M_ss)/(m−1); the mutant takes over with the chance
    ρ_sr = 1 / (1 + Σ_{l=1}^{m−1} exp(−α Σ_{p=1}^{l} (f_r − f_s))); the chain moves s → r with ρ_sr/(n−1); its stationary distribution.
    Source: Omidshafiei et al. 2019, Sci. Rep. 9:9937 (discrete-time dynamics of finite populations); worked in logarithms without
    subtraction (Grassmann, Taksar & Heyman 1985, Oper. Res. 33, 1107-1116), so that no intensity is too great.
    Units: α in one over payoff. Errors: ValueError for payoffs that are not square and finite, α below 0, fewer than two in a population.

    >>> alpha_rank([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], alpha=10).round(3).tolist()
    [0.333, 0.333, 0.333]
    """
    game = _square(payoffs)
    _check(alpha, population)
    if len(game) == 1:
        return np.ones(1)
    return _stationary(_takeovers(game, alpha, population))


def alpha_rank_seats(payoffs: Sequence[ArrayLike], alpha: float, population: int = POPULATION) -> Vector:
    """Masses of the strategy profiles of any game: one population per seat, each seat with its own strategies.

    payoffs[seat][profile]: array with one axis per seat. Returns mass[profile], an array of the same shape.
    Formula: a mutant in one population meets the others' present strategies: u = α (f_r − f_s), ρ = (1−e^−u)/(1−e^−mu), 1/m for u = 0;
    the chain tries every other strategy of one seat, each with the chance 1/Σ(n_seat − 1). Source and errors: as `alpha_rank`.

    >>> alpha_rank_seats([[[3, 0], [0, 2]], [[2, 0], [0, 3]]], alpha=10).round(3).tolist()  # Battle of the Sexes
    [[0.5, 0.0], [0.0, 0.5]]
    """
    games = [np.asarray(part, dtype=np.float64) for part in payoffs]
    shape = games[0].shape if games else ()
    if (
        len(shape) != len(games)
        or not games
        or any(g.shape != shape or not np.isfinite(g).all() for g in games)
    ):
        raise ValueError("one finite payoff array per seat is needed, each with one axis per seat")
    _check(alpha, population)
    moves = np.full((games[0].size,) * 2, -np.inf)
    places = np.arange(games[0].size).reshape(shape)
    for seat, game in enumerate(games):
        at, got = (np.moveaxis(part, seat, -1).reshape(-1, shape[seat]) for part in (places, game))
        for here, there in itertools.permutations(range(shape[seat]), 2):
            gains: Vector = np.asarray(alpha * (got[:, there] - got[:, here]), dtype=np.float64)
            moves[at[:, here], at[:, there]] = _log_fixation(gains, population)
    return _stationary(moves).reshape(shape)


def alpha_rank_limit(
    payoffs: ArrayLike | Sequence[ArrayLike], population: int = POPULATION, seats: bool = False
) -> Sweep:
    """α-rank at doubled intensities until the masses stand still: the ranking that the method is meant to give.

    payoffs: as `alpha_rank`, or with `seats=True` as `alpha_rank_seats`. The least difference of payoffs counts in the limit: make
    payoffs equal beforehand that differ by noise only. Source: Omidshafiei et al. 2019 (the sweep over α).
    Errors: as `alpha_rank`. `stable` is False where 60 doublings from α = 0.1 did not do.

    >>> alpha_rank_limit([[0.5, 0.6, 0.6], [0.4, 0.5, 0.7], [0.4, 0.3, 0.5]]).limit.round(3).tolist()
    [1.0, 0.0, 0.0]
    """
    alphas, masses, still = [], [], 0
    for step in range(DOUBLINGS):
        alphas.append(0.1 * 2.0**step)
        found = (
            alpha_rank_seats(payoffs, alphas[-1], population)
            if seats
            else alpha_rank(payoffs, alphas[-1], population)
        )  # type: ignore[arg-type]
        masses.append(found.ravel())
        changed = step == 0 or np.abs(masses[-1] - masses[-2]).max() > STABLE
        still = 0 if changed or alphas[-1] * _least_gap(payoffs) < 1 else still + 1
        if still == 3:
            break
    return Sweep(np.array(alphas), np.array(masses), still == 3)


def _least_gap(payoffs: ArrayLike | Sequence[ArrayLike]) -> float:
    """The least difference between two payoffs: an intensity below one over it may not have told them apart yet."""
    gaps = np.diff(np.unique(np.asarray(payoffs, dtype=np.float64)))
    real = gaps[gaps > 1e-12]
    return float(real.min()) if real.size else np.inf


def _check(alpha: float, population: int) -> None:
    if not alpha >= 0 or population < 2:
        raise ValueError(
            f"an intensity from 0 and a population of two or more are needed, not {alpha} and {population}"
        )


def _square(payoffs: ArrayLike) -> Vector:
    game = np.asarray(payoffs, dtype=np.float64)
    if game.ndim != 2 or game.shape[0] != game.shape[1] or not game.size or not np.isfinite(game).all():
        raise ValueError("a square matrix of finite payoffs is needed")
    return game


def _takeovers(game: Vector, alpha: float, population: int) -> Vector:
    """Logarithms of the chances that a mutant [column] takes over a population of [row]; −∞ on the diagonal."""
    mutants = np.arange(1, population)[:, np.newaxis, np.newaxis]
    own = np.diag(game)
    fit_mutant = (mutants - 1) * own[np.newaxis, :] + (population - mutants) * game.T
    fit_other = mutants * game + (population - mutants - 1) * own[:, np.newaxis]
    walk = np.cumsum(-alpha * (fit_mutant - fit_other) / (population - 1), axis=0)
    chances = -logsumexp(np.concatenate([np.zeros((1, *game.shape)), walk]), axis=0)
    np.fill_diagonal(chances, -np.inf)
    return np.asarray(chances)


def _log_fixation(gains: Vector, population: int) -> Vector:
    """log of (1−e^−u)/(1−e^−mu)."""
    return np.asarray(-logsumexp(-gains[:, np.newaxis] * np.arange(population), axis=1))


def _stationary(moves: Vector) -> Vector:
    """Stationary distribution from logarithms of the rates of moves, by elimination of one state after the other."""
    rates = moves.copy()
    for last in range(len(rates) - 1, 0, -1):
        rates[:last, last] -= logsumexp(rates[last, :last])
        rates[:last, :last] = np.logaddexp(
            rates[:last, :last], rates[:last, last, np.newaxis] + rates[last, :last]
        )
    masses = np.zeros(len(rates))
    for state in range(1, len(rates)):
        masses[state] = logsumexp(masses[:state] + rates[:state, state])
    return np.asarray(np.exp(masses - logsumexp(masses)))
