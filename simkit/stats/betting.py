"""Anytime-valid evidence about the mean of values from 0 to 1, and confidence sequences: sound at every look.

A gambler bets against "the mean is at most m": at each deal fractions of the wealth go on an asset that pays
x/m for one. If the claim is true the wealth reaches 1/α with probability at most α, ever (Ville 1939).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import Floats

MOST = 0.95  # of the wealth is staked on a deal: all of it would be lost with the first one that goes wrong
HALVINGS = np.arange(-3, 11)  # of the fraction aimed at: 8 times as much (deals that vary little) to 1/1000
AWAY = 3.0  # times less is staked at each halving or doubling
TINY = 1e-12
FINE = 31  # halvings of the range of a mean: to 5e-10
MOST_TERMS = 1 << 22  # of wealth in memory at one time, about


class Bets(NamedTuple):
    """Fractions of the wealth staked on each deal, and the part of the wealth that each begins with."""

    fractions: Floats
    parts: Floats  # they add up to 1


EVEN = Bets(MOST * 2.0 ** -np.arange(16.0), np.full(16, 1 / 16))  # for a dozen deals to hundreds of millions


def aimed(mean: float, truth: float) -> Bets:
    """Bets against "the mean is at most `mean`" that gain fastest if it is `truth`, and at last above `mean`.

    Formula: most on c = (truth − mean) / (1 − mean); a third as much on c/2 and 2c, a ninth on c/4 and 4c ...
    (14 bets). Source: Kelly 1956, Bell Syst. Tech. J. 35, 917-926. Errors: unless mean < truth <= 1.

    >>> bets = aimed(0.48, 0.5)
    >>> round(float(bets.fractions[bets.parts.argmax()]), 4), round(float(bets.parts.max()), 2)
    (0.0385, 0.5)
    """
    if not mean < truth <= 1:
        raise ValueError(f"a truth above the mean and at most 1 is needed, not {truth} and {mean}")
    parts = AWAY ** -np.abs(HALVINGS)
    return Bets(np.minimum((truth - mean) / (1 - mean) * 2.0**-HALVINGS, MOST), parts / parts.sum())


def log_capital(values: ArrayLike, counts: ArrayLike, mean: float, bets: Bets = EVEN) -> Floats:
    """Natural logarithm of the e-value against "the mean is at most `mean`" (−inf for 1, never exceeded).

    values[v]: the values seen, 0 to 1; counts[..., v]: how many deals had each; result [...]. Formula: ln Σ_j
    w_j Π_i (1 − c_j + c_j x_i/m), fractions c_j and parts w_j from `bets`. Source: Waudby-Smith & Ramdas
    2024, J. R. Stat. Soc. B 86, 1-27, section 4; Robbins 1970, Ann. Math. Stat. 41, 1397-1409 (mixed bets).
    Errors: ValueError for other values or shapes.

    >>> float(np.exp(log_capital([0, 1], [10, 40], 0.5)).round(0))
    585.0
    """
    seen, many = _checked(values, counts)
    if mean >= 1 or mean <= 0:
        certain = (mean < 0) | ((mean == 0) & (many[..., seen > 0].sum(axis=-1) > 0))
        return np.where(certain, math.inf, -math.inf)
    return _log_capital(seen, many, np.array(mean), bets)


def _log_capital(seen: Floats, many: Floats, means: Floats, bets: Bets) -> Floats:
    """`log_capital` against a mean between 0 and 1, or one for each row of the counts."""
    gains = np.log1p(bets.fractions[:, np.newaxis] * (seen / means[..., np.newaxis, np.newaxis] - 1))
    wealth = (gains @ many[..., np.newaxis])[..., 0]
    most = wealth.max(axis=-1, keepdims=True)  # taken out, so that no power of e is beyond a float
    return np.asarray(most[..., 0] + np.log(np.exp(wealth - most) @ bets.parts), np.float64)


def log_capital_below(values: ArrayLike, counts: ArrayLike, mean: float, bets: Bets = EVEN) -> Floats:
    """The same against "the mean is at least `mean`": `log_capital` of what is lacking to 1, as are the bets.

    >>> below, above = ([0, 0.2, 1], [40, 0, 10]), ([0, 0.8, 1], [10, 0, 40])
    >>> bool(np.isclose(log_capital_below(*below, 0.5), log_capital(*above, 0.5)))
    True
    """
    return log_capital(1 - np.asarray(values, np.float64), counts, 1 - mean, bets)


def confidence_sequence(values: ArrayLike, counts: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """The interval of a mean that holds at all numbers of deals at once with probability `level`.

    Formula: all m that neither side's capital refutes at 2/α (Bonferroni); about 1.8 times as wide as for one
    look. values[v], counts[..., v]; results [...]. Source, errors: `log_capital`; ValueError where there are
    no deals or for a level outside 0 to 1.

    >>> [round(float(x), 3) for x in confidence_sequence([0, 1], [4700, 5300])]
    [0.512, 0.548]
    """
    seen, many = _checked(values, counts)
    if not many.size or not many.sum(axis=-1).min() > 0 or not 0 < level < 1:
        raise ValueError(f"a deal or more and a level from 0 to 1 are needed, not {many.sum():g} and {level}")
    bar = math.log(2 / (1 - level))
    rows, place = np.unique(many.reshape(-1, seen.size), axis=0, return_inverse=True)
    step = max(1, MOST_TERMS // (EVEN.parts.size * seen.size))
    parts = [rows[start : start + step] for start in range(0, len(rows), step)]
    low = np.concatenate([_lower(seen, part, bar) for part in parts])
    high = 1 - np.concatenate([_lower(1 - seen, part, bar) for part in parts])
    return low[place].reshape(many.shape[:-1]), high[place].reshape(many.shape[:-1])


def _lower(seen: Floats, many: Floats, bar: float) -> Floats:
    """The least means that are not refuted from above, by row; capital falls as the mean grows."""
    low = np.full(len(many), TINY)
    high = np.clip(many @ seen / many.sum(axis=-1), TINY, 1 - TINY)
    known = _log_capital(seen, many, low, EVEN) >= bar  # that the mean is not 0
    for _ in range(FINE):
        middle = (low + high) / 2
        refuted = _log_capital(seen, many, middle, EVEN) >= bar
        low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
    return np.where(known, (low + high) / 2, 0.0)


def _checked(values: ArrayLike, counts: ArrayLike) -> tuple[Floats, Floats]:
    seen, many = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if seen.ndim != 1 or many.shape[-1:] != seen.shape or not seen.size:
        raise ValueError(f"one count per value is needed, not {many.shape} counts of {seen.shape} values")
    if not (seen.min() >= 0 and seen.max() <= 1 and many.min() >= 0):
        raise ValueError("values from 0 to 1 and counts from 0 are needed")
    return seen, many
