"""Anytime-valid evidence about the mean of values from 0 to 1, and confidence sequences: sound at every look.

A gambler bets against "the mean is at most m": at each deal fractions of the wealth go on an asset that pays
x/m for one. If the claim is true the wealth reaches 1/α with probability at most α, ever (Ville 1939).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import Floats, root

MOST = 0.95  # of the wealth is staked on a deal: all of it would be lost with the first one that goes wrong
HALVINGS = np.arange(-3, 11)  # of the fraction aimed at: 8 times as much (deals that vary little) to 1/1000
TINY = 1e-12


class Bets(NamedTuple):
    """Fractions of the wealth staked on each deal, and the part of the wealth that each begins with."""

    fractions: Floats
    parts: Floats  # they add up to 1


EVEN = Bets(MOST * 2.0 ** -np.arange(16.0), np.full(16, 1 / 16))  # for a dozen deals to hundreds of millions


def aimed(mean: float, truth: float) -> Bets:
    """Bets against "the mean is at most `mean`" that gain fastest if it is `truth`, and at last above `mean`.

    Formula: most on c = (truth − mean) / (1 − mean); half as much on c/2 and 2c, a quarter on c/4 and 4c ...
    (14 bets). Source: Kelly 1956, Bell Syst. Tech. J. 35, 917-926. Errors: unless mean < truth <= 1.

    >>> bets = aimed(0.48, 0.5)
    >>> round(float(bets.fractions[bets.parts.argmax()]), 4), round(float(bets.parts.max()), 2)
    (0.0385, 0.35)
    """
    if not mean < truth <= 1:
        raise ValueError(f"a truth above the mean and at most 1 is needed, not {truth} and {mean}")
    parts = 2.0 ** -np.abs(HALVINGS)
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
        certain = mean < 0 or (mean == 0 and many[..., seen > 0].sum() > 0)
        return np.full(many.shape[:-1], math.inf if certain else -math.inf)
    wealth = many @ np.log1p(bets.fractions[:, np.newaxis] * (seen / mean - 1)).T
    most = wealth.max(axis=-1, keepdims=True)  # taken out, so that no power of e is beyond a float
    return np.asarray(most[..., 0] + np.log(np.exp(wealth - most) @ bets.parts), np.float64)


def log_capital_below(values: ArrayLike, counts: ArrayLike, mean: float, bets: Bets = EVEN) -> Floats:
    """The same against "the mean is at least `mean`": `log_capital` of what is lacking to 1, as are the bets.

    >>> below, above = ([0, 0.2, 1], [40, 0, 10]), ([0, 0.8, 1], [10, 0, 40])
    >>> bool(np.isclose(log_capital_below(*below, 0.5), log_capital(*above, 0.5)))
    True
    """
    return log_capital(1 - np.asarray(values, np.float64), counts, 1 - mean, bets)


def confidence_sequence(values: ArrayLike, counts: ArrayLike, level: float = 0.95) -> tuple[float, float]:
    """The interval of a mean that holds at all numbers of deals at once with probability `level`.

    Formula: all m that neither side's capital refutes at 2/α (Bonferroni); about 1.8 times as wide as for one
    look. Shapes, source, errors: `log_capital`; ValueError for no deals or a level outside 0 to 1.

    >>> [round(x, 3) for x in confidence_sequence([0, 1], [4700, 5300])]
    [0.512, 0.548]
    """
    seen, many = _checked(values, counts)
    if not many.sum() > 0 or not 0 < level < 1:
        raise ValueError(f"a deal or more and a level from 0 to 1 are needed, not {many.sum():g} and {level}")
    bar = math.log(2 / (1 - level))
    return _lower(seen, many, bar), 1 - _lower(1 - seen, many, bar)


def _lower(seen: Floats, many: Floats, bar: float) -> float:
    """The least mean that is not refuted from above; capital falls as the mean grows."""
    mean = float(seen @ many / many.sum())
    if mean <= TINY or log_capital(seen, many, TINY) < bar:
        return 0.0
    return root(lambda m: float(log_capital(seen, many, m)) - bar, TINY, min(mean, 1 - TINY), xtol=1e-9)


def _checked(values: ArrayLike, counts: ArrayLike) -> tuple[Floats, Floats]:
    seen, many = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if seen.ndim != 1 or many.shape[-1:] != seen.shape or not seen.size:
        raise ValueError(f"one count per value is needed, not {many.shape} counts of {seen.shape} values")
    if not (seen.min() >= 0 and seen.max() <= 1 and many.min() >= 0):
        raise ValueError("values from 0 to 1 and counts from 0 are needed")
    return seen, many
