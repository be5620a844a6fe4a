"""How far the seat shares of a cell lie apart, without the distance that luck alone shows in a fair game."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from simkit.stats.deals import NOTHING, SeatCovariance
from simkit.stats.quantiles import Floats, normal

Statistic = Callable[[Floats], Floats]  # deviations[seat, ...] -> [...]; draws last are ten times as fast

DRAWS = 2_000
SEED = 20_260_101
ADDED = 4  # deals
HALVINGS = 14  # the limits to 1/16,000 of the distance seen


class Spread(NamedTuple):
    """A distance of seat shares from each other (0 to 1)."""

    seen: float  # as computed from the shares, biased upwards
    by_luck: float  # what a fair game with the same covariance shows on average
    corrected: float  # seen without what luck adds; 0 where luck alone explains it
    low: float
    high: float
    p_value: float  # that all seats are equal


def largest_gap(known: SeatCovariance, level: float = 0.95) -> Spread:
    """The largest seat share minus the smallest, corrected for luck. Ludii's "balance" is 1 − seen.

    Formula: corrected = √max(0, seen² − E[gap²]), by_luck = E[gap], of 2,000 draws from a fair game, normal
    with the covariance of the seat means (Student's for the limits). Limits: the multiples of the deviations
    seen under which the gap seen is among the likely part `level` of draws, from shares and covariance with
    four deals added; of the rest nothing lies below for a fair game and half far from it (F (1 − level)/2, F
    = 1 − P(no larger than usual in a fair game)/level). Source: Neyman 1937, Phil. Trans. R. Soc. A 236,
    333-380; Feldman & Cousins 1998, Phys. Rev. D 57, 3873-3889 (limits); Kelley 1935, PNAS 21, 554-559
    (correction as ε²); Agresti & Coull 1998, Am. Stat. 52, 119-126. Errors: fewer than 2 seats.

    >>> split = np.array([[1, -1], [-1, 1]])  # of 100 games 53 and 47 were won
    >>> found = largest_gap(SeatCovariance(np.array([0.53, 0.47]), 0.53 * 0.47 / 99 * split, 100))
    >>> round(found.seen, 2), round(found.by_luck, 2), found.corrected, found.low, round(found.high, 1)
    (0.06, 0.08, 0.0, 0.0, 0.3)
    """
    return _spread(known, _gap, level)


def deviation(known: SeatCovariance, level: float = 0.95) -> Spread:
    """The root-mean-square deviation of the k seat shares from their mean, corrected for luck.

    Formula: corrected = √max(0, seen² − tr(C)/k), C the covariance of the centred seat means; the rest as
    `largest_gap`. Source: Searle 1971, Linear Models, chapter 2. Errors: as `largest_gap`.

    >>> split = np.array([[1, -1], [-1, 1]])  # of 100 games 70 and 30 were won
    >>> found = deviation(SeatCovariance(np.array([0.7, 0.3]), 0.7 * 0.3 / 99 * split, 100))
    >>> round(found.seen, 2), round(found.corrected, 3), round(found.p_value, 5)
    (0.2, 0.195, 6e-05)
    """
    return _spread(known, _root_mean_square, level)


def equality_p_value(known: SeatCovariance) -> float:
    """How often the seat shares of a fair game would differ so much, or more: robust score test over deals.

    Formula: U = D T²/(T² + D − 1) on χ²(r), T² = mᵀ(C⁻)m, m the seat means minus their mean, C their
    covariance of rank r. Where the deals do not vary in a direction in which the seats differ: Pearson's
    X² = D k Σ m². Source: Hotelling 1931, Ann. Math. Stat. 2, 360-378; Boos 1992, Am. Stat. 46, 327-333.
    False alarms at 5 %: 4 to 6 % from 100 deals, 3 to 9 % at 20. Errors: as `largest_gap`.

    >>> split = np.array([[1, -1], [-1, 1]])  # of 100 games 60 and 40 were won
    >>> round(equality_p_value(SeatCovariance(np.array([0.6, 0.4]), 0.6 * 0.4 / 99 * split, 100)), 4)
    0.0455
    """
    away, covariance = _centred(known)
    sizes, axes = np.linalg.eigh(covariance)
    varied = sizes > NOTHING
    along, rank = axes.T @ away, int(varied.sum())
    if np.any(np.abs(along[~varied]) > NOTHING):
        return float(special.chdtrc(away.size - 1, known.deals * away.size * float(away @ away)))
    squared = float(np.sum(along[varied] ** 2 / sizes[varied]))
    score = known.deals * squared / (squared + known.deals - 1)
    return float(special.chdtrc(rank, score)) if rank else 1.0


def _spread(known: SeatCovariance, statistic: Statistic, level: float) -> Spread:
    away, covariance = _centred(known)
    seen, luck = float(statistic(away)), statistic(_noise(covariance))
    plain = statistic is _root_mean_square
    squared = float(np.trace(covariance)) / away.size if plain else float(np.mean(luck**2))
    corrected = float(np.sqrt(max(0.0, seen**2 - squared)))
    low, high = _limits(_padded(known), statistic, level)
    most = float(statistic(_centred(known._replace(means=np.eye(away.size)[0]))[0]))  # one seat wins all
    ends = min(low, seen), max(min(high, most), seen)
    return Spread(seen, float(luck.mean()), corrected, *ends, equality_p_value(known))


def _centred(known: SeatCovariance) -> tuple[Floats, Floats]:
    if known.means.size < 2:
        raise ValueError("at least two seats are needed")
    centre = np.eye(known.means.size) - 1 / known.means.size
    return centre @ known.means, centre @ known.covariance @ centre


def _padded(known: SeatCovariance) -> SeatCovariance:
    """The same with ADDED deals, won equally often by each seat, but no more varied than the deals seen.

    Without them limits are too narrow where a seat hardly ever wins. If no deal varies they are single games.
    """
    shares, deals, total = known.means, known.deals, known.deals + ADDED
    scatter, single = known.covariance * deals * (deals - 1), float(np.sum(shares * (1 - shares)))
    varied = float(np.trace(scatter)) / (deals - 1)
    factor = np.sqrt(varied / single) if varied > NOTHING and single > NOTHING else 1.0
    away = factor * (np.eye(shares.size) - shares)  # [added deal, seat]
    shift = ADDED / total * away.mean(axis=0)
    scatter = scatter + ADDED / shares.size * away.T @ away - total * np.outer(shift, shift)
    return SeatCovariance(shares + shift, scatter / total**2, total)


def _noise(covariance: Floats, freedom: float = np.inf) -> Floats:
    """Draws of the error of the seat means [seat, draw], mirrored and scaled: normal, or Student's."""
    sizes, axes = np.linalg.eigh(covariance)
    half, scale = _draws(sizes.size, freedom)
    half = axes @ (np.sqrt(np.maximum(sizes, 0))[:, None] * half) * scale
    return np.concatenate([half, -half], axis=1)


@lru_cache(maxsize=32)
def _draws(seats: int, freedom: float) -> tuple[Floats, Floats]:
    """Normal draws [seat, draw] with a variance of exactly 1, and factors that make them Student's."""
    rng = np.random.default_rng(SEED)
    half = rng.standard_normal((seats, DRAWS // 2))
    half /= np.sqrt(np.mean(half**2, axis=1, keepdims=True))
    if not np.isfinite(freedom):
        return half, np.ones(DRAWS // 2)
    return half, np.sqrt(freedom / rng.chisquare(freedom, DRAWS // 2))


def _gap(deviations: Floats) -> Floats:
    return np.asarray(np.ptp(deviations, axis=0))


def _root_mean_square(deviations: Floats) -> Floats:
    return np.asarray(np.sqrt(np.mean(deviations**2, axis=0)))


def _limits(known: SeatCovariance, statistic: Statistic, level: float) -> tuple[float, float]:
    """The smallest and the largest true distance, in the direction seen, that go with the distance seen."""
    normal(level)
    away, covariance = _centred(known)
    noise, seen, tail = _noise(covariance, known.deals - 1), float(statistic(away)), (1 - level) / 2
    usual = float(np.quantile(statistic(noise), level))  # of a fair game
    if seen <= NOTHING:
        return 0.0, usual

    def exceeds(multiple: float, part: float) -> bool:
        """Whether the chance of less than was seen exceeds this part and what of 1 − level lies below."""
        drawn = statistic(multiple * away[:, None] + noise)
        below = tail * max(0.0, 1 - np.count_nonzero(drawn <= usual) / DRAWS / level)
        return bool(np.count_nonzero(drawn < seen) / DRAWS > part + below)

    above = _multiple(lambda multiple: exceeds(multiple, level))
    return seen * above, seen * _multiple(lambda multiple: exceeds(multiple, 0.0))


def _multiple(short: Callable[[float], bool]) -> float:
    """The multiple of the deviations seen up to which something holds; 0 if it never holds."""
    low, high = 0.0, 1.0
    if not short(low):
        return 0.0
    while short(high):
        high *= 2
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if short(middle) else (low, middle)
    return (low + high) / 2
