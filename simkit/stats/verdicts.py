"""FAIR, UNFAIR or UNDECIDED: claims with a stated error rate, at every look, over all cells of a sweep.

FAIR: the share of every seat lies within `margin` of the fair share. Each claim has an e-value.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats.betting import aimed, log_capital, log_capital_below
from simkit.stats.quantiles import Floats

FAIR, UNFAIR, UNDECIDED = "FAIR", "UNFAIR", "UNDECIDED"
ON_TARGET, EASY, HARD = "ON TARGET", "EASY", "HARD"  # of a co-operative game: FAIR, UNFAIR by side


class Evidence(NamedTuple):
    """Natural logarithms of the e-values for two claims about a cell, in the leading shape of the counts."""

    fair: Floats  # for FAIR: against "some seat is more than the margin off"
    unfair: Floats  # for UNFAIR: against "every seat is within the margin"


def evidence(values: ArrayLike, counts: ArrayLike, fair: float, margin: float = 0.02) -> Evidence:
    """The evidence about one seat, from how many deals gave it which share.

    Formula: with K⁺(m), K⁻(m) the capital against "at most m", "at least m" (`betting.log_capital`): UNFAIR
    (K⁺(fair + margin) + K⁻(fair − margin)) / 2, FAIR min(K⁺(fair − margin), K⁻(fair + margin)) with bets
    aimed at `fair` (1 / seats). Source: Ramdas et al. 2023, Stat. Sci. 38, 576-601 (averages of e-values are
    e-values; the least one tests a union). Units: shares. Errors: ValueError for a margin not above 0.

    >>> found = evidence([0, 1], [1000, 3000], 0.5)
    >>> bool(found.unfair > 100), bool(found.fair < 0)
    (True, True)
    """
    if not margin > 0:
        raise ValueError(f"a margin above 0 is needed, not {margin}")
    above = log_capital(values, counts, fair + margin)
    below = log_capital_below(values, counts, fair - margin)
    not_below = log_capital(values, counts, fair - margin, aimed(fair - margin, fair))
    not_above = log_capital_below(values, counts, fair + margin, aimed(1 - fair - margin, 1 - fair))
    return Evidence(np.minimum(not_below, not_above), np.logaddexp(above, below) - math.log(2))


def evidence_of_cell(seats: Sequence[Evidence]) -> Evidence:
    """The evidence about a cell from that about its seats: the least for FAIR, the mean for UNFAIR.

    Source: `evidence`. Shapes: all seats alike. Errors: ValueError for no seats.

    >>> e = [Evidence(np.array(3.0), np.array(1.0)), Evidence(np.array(2.0), np.array(1.0))]
    >>> [float(x) for x in evidence_of_cell(e)]
    [2.0, 1.0]
    """
    if not seats:
        raise ValueError("at least one seat is needed")
    mean = np.logaddexp.reduce([one.unfair for one in seats], axis=0) - math.log(len(seats))
    return Evidence(np.minimum.reduce([one.fair for one in seats]), np.asarray(mean))


def verdicts(cells: Sequence[Evidence], rate: float = 0.05) -> list[str]:
    """A verdict for each cell; of those that are not UNDECIDED, an expected part of at most `rate` is wrong.

    Formula: e-BH over the 2K claims about K cells: the k strongest are made, k the greatest number for which
    each has e ≥ K / (rate k) (K, since only K of the claims can be wrong). Source: Wang & Ramdas 2022, J. R.
    Stat. Soc. B 84, 822-852, Theorem 5.1: valid for any dependence, at every look. Errors: another rate.

    >>> verdicts([Evidence(np.array(4.0), np.array(-9.0)), Evidence(np.array(-9.0), np.array(1.0))])
    ['FAIR', 'UNDECIDED']
    """
    bar = threshold(cells, rate)
    return [verdict(one, bar) for one in cells]


def verdict(one: Evidence, bar: float) -> str:
    """The verdict on a cell whose claims have to reach `bar`."""
    return FAIR if one.fair >= bar else UNFAIR if one.unfair >= bar else UNDECIDED


def threshold(cells: Sequence[Evidence], rate: float = 0.05) -> float:
    """The log of the e-value from which on a claim is made. Formula, source, errors: `verdicts`.

    >>> round(math.exp(threshold([Evidence(np.array(0.0), np.array(0.0))])), 6)
    20.0
    """
    if not 0 < rate < 1:
        raise ValueError(f"a rate between 0 and 1 is needed, not {rate}")
    strongest = sorted((float(max(one.fair, one.unfair)) for one in cells), reverse=True)
    bars = [math.log(len(cells) / (rate * place)) for place in range(1, len(cells) + 1)]
    kept = [bar for bar, found in zip(bars, strongest, strict=True) if found >= bar]
    return kept[-1] if kept else bars[0] if bars else math.inf
