"""Anytime-valid evidence and confidence sequences for a mean of values from 0 to 1.

A gambler bets against "the mean is at most m": on each deal, fractions of the wealth buy an asset that pays
x/m per unit. If the claim is true, the wealth ever reaches 1/α with probability at most α (Ville 1939), so
that the evidence holds at every interim analysis.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.quantiles import Floats

MAX_STAKE = 0.95  # largest fraction of the wealth on a deal: one bad deal would lose a stake of all of it
HALVINGS = np.arange(-3, 11)  # of the target fraction: 8 times as much (deals that vary little) to 1/1000
STAKE_DECAY = 3.0  # each halving or doubling gets a third of the stake
TINY = 1e-12
BISECTIONS = 31  # of the range of a mean: precision 5e-10
MAX_TERMS = 1 << 22  # approximate number of wealth terms in memory at one time


class Bets(NamedTuple):
    """Fractions of the wealth staked on each deal, and the part of the wealth that each starts with."""

    fractions: Floats
    parts: Floats  # they add up to 1


EVEN = Bets(MAX_STAKE * 2.0 ** -np.arange(16.0), np.full(16, 1 / 16))  # for a dozen to 10^8 deals and more


def aimed(mean: float, truth: float) -> Bets:
    """Return bets against "the mean is at most `mean`" that grow fastest if the mean is `truth`.

    Formula: most on c = (truth − mean) / (1 − mean); a third as much on c/2 and 2c, a ninth on c/4 and 4c ...
    (14 bets). Source: Kelly 1956, Bell Syst. Tech. J. 35, 917-926. Errors: ValueError for other truths.

    >>> bets = aimed(0.48, 0.5)
    >>> round(float(bets.fractions[bets.parts.argmax()]), 4), round(float(bets.parts.max()), 2)
    (0.0385, 0.5)
    """
    if not mean < truth <= 1:
        raise ValueError(f"a truth above the mean and at most 1 is needed, not {truth} and {mean}")
    parts = STAKE_DECAY ** -np.abs(HALVINGS)
    return Bets(np.minimum((truth - mean) / (1 - mean) * 2.0**-HALVINGS, MAX_STAKE), parts / parts.sum())


def log_capital(values: ArrayLike, counts: ArrayLike, mean: float, bets: Bets = EVEN) -> Floats:
    """Return the natural log of the e-value against "the mean is at most `mean`" (−inf for a mean of 1).

    values[v]: observed values, 0 to 1; counts[..., v]: number of deals with each value; result [...].
    Formula: ln Σ_j w_j Π_i (1 − c_j + c_j x_i/m), fractions c_j and parts w_j from `bets`. Source:
    Waudby-Smith & Ramdas 2024, J. R. Stat. Soc. B 86, 1-27, section 4; Robbins 1970, Ann. Math. Stat. 41,
    1397-1409 (mixed bets). Errors: ValueError for values outside 0 to 1 or shapes that do not fit.

    >>> float(np.exp(log_capital([0, 1], [10, 40], 0.5)).round(0))
    585.0
    """
    outcomes, deals = _checked(values, counts)
    if mean >= 1 or mean <= 0:
        certain = (mean < 0) | ((mean == 0) & (deals[..., outcomes > 0].sum(axis=-1) > 0))
        return np.where(certain, math.inf, -math.inf)
    return _log_capital(outcomes, deals, np.array(mean), bets)


def _log_capital(outcomes: Floats, deals: Floats, means: Floats, bets: Bets) -> Floats:
    """Return `log_capital` against a mean strictly between 0 and 1, or against one mean per row of counts."""
    gains = np.log1p(bets.fractions[:, np.newaxis] * (outcomes / means[..., np.newaxis, np.newaxis] - 1))
    wealth = (gains @ deals[..., np.newaxis])[..., 0]
    largest = wealth.max(axis=-1, keepdims=True)  # factored out so that exp does not overflow
    return np.asarray(largest[..., 0] + np.log(np.exp(wealth - largest) @ bets.parts), np.float64)


def confidence_sequence(
    values: ArrayLike, counts: ArrayLike, level: float = 0.95, bets: Bets = EVEN
) -> tuple[Floats, Floats]:
    """Return the interval of a mean that holds at all numbers of deals at once with probability `level`.

    Formula: all m that neither side's capital refutes at 2/α (Bonferroni); about 1.8 times as wide as a
    fixed-sample interval. values[v], counts[..., v]; results [...]. Source, errors: `log_capital`; also
    ValueError for no deals or a level outside 0 to 1.

    >>> [round(float(x), 3) for x in confidence_sequence([0, 1], [4700, 5300])]
    [0.512, 0.548]
    """
    outcomes, deals = _checked(values, counts)
    if not deals.size or not deals.sum(axis=-1).min() > 0 or not 0 < level < 1:
        raise ValueError(
            f"a deal or more and a level from 0 to 1 are needed, not {deals.sum():g} and {level}"
        )
    log_threshold = math.log(2 / (1 - level))
    rows, inverse = np.unique(deals.reshape(-1, outcomes.size), axis=0, return_inverse=True)
    batch_size = max(1, MAX_TERMS // (bets.parts.size * outcomes.size))
    batches = [rows[start : start + batch_size] for start in range(0, len(rows), batch_size)]
    low = np.concatenate([_lower(outcomes, batch, log_threshold, bets) for batch in batches])
    high = 1 - np.concatenate([_lower(1 - outcomes, batch, log_threshold, bets) for batch in batches])
    return low[inverse].reshape(deals.shape[:-1]), high[inverse].reshape(deals.shape[:-1])


def _lower(outcomes: Floats, deals: Floats, log_threshold: float, bets: Bets) -> Floats:
    """Return the lower end of the confidence sequence per row; capital falls as the mean grows."""
    low = np.full(len(deals), TINY)
    high = np.clip(deals @ outcomes / deals.sum(axis=-1), TINY, 1 - TINY)
    above_zero = _log_capital(outcomes, deals, low, bets) >= log_threshold
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        refuted = _log_capital(outcomes, deals, middle, bets) >= log_threshold
        low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
    return np.where(above_zero, (low + high) / 2, 0.0)


def _checked(values: ArrayLike, counts: ArrayLike) -> tuple[Floats, Floats]:
    """Return values and counts as arrays; ValueError if they do not fit."""
    outcomes, deals = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if outcomes.ndim != 1 or deals.shape[-1:] != outcomes.shape or not outcomes.size:
        raise ValueError(
            f"one count per value is needed, not {deals.shape} counts of {outcomes.shape} values"
        )
    if not (outcomes.min() >= 0 and outcomes.max() <= 1 and deals.min() >= 0):
        raise ValueError("values from 0 to 1 and counts from 0 are needed")
    return outcomes, deals
