"""Online testing with e-values: hypotheses that come one after another share one error budget (e-LOND)."""

import math

import numpy as np
from numpy.typing import ArrayLike

from simkit.stats import betting
from simkit.stats.quantiles import Floats

ALPHA = 0.05  # expected share of false rejections among all rejections
BETS = betting.aimed(0.0, 0.03)  # grow fastest where a share is about 1.5 points beyond a limit near one half


def level(test: int, rejections: int) -> float:
    """Return the level of a test, which rejects if its e-value is 1/level or more.

    test: its number, from 1; rejections: those of the tests before it, or fewer. Formula: α γ_t (D + 1),
    γ_t = 1/log₂(t + 1) − 1/log₂(t + 2), which adds up to 1. The false discovery rate is at most α at all
    times, however the tests depend on each other. Source: Xu & Ramdas 2024, Online multiple testing with
    e-values, AISTATS, PMLR 238, Theorem 1 (e-LOND). Errors: ValueError for a test below 1.

    >>> [round(level(test, 0), 4) for test in (1, 2, 100)], round(level(100, 3), 4)
    ([0.0185, 0.0065, 0.0], 0.0001)
    """
    if test < 1:
        raise ValueError(f"tests are counted from 1, not {test}")
    return ALPHA * (1 / math.log2(test + 1) - 1 / math.log2(test + 2)) * (rejections + 1)


def log_evidence_against_range(values: ArrayLike, counts: ArrayLike, low: float, high: float) -> Floats:
    """Return the natural log of the e-value against a mean from `low` to `high`.

    values[v]: observed values, 0 to 1; counts[..., v]: deals with each value; result [...]. Formula: the mean
    of the e-values against a mean of at most `high` and of at least `low` (`betting.log_capital` with BETS),
    valid at every interim analysis, as a mean of e-processes is one. Source: Vovk & Wang 2021, Ann. Stat. 49,
    1736-1754, section 3. Errors: ValueError as `betting.log_capital`.

    >>> evidence = log_evidence_against_range([0, 1], [400, 600], 0.4, 0.5)
    >>> float(evidence.round(1)), log_evidence_against_range([0, 1], [550, 450], 0.4, 0.5).item() < 0
    (14.9, True)
    """
    above = betting.log_capital(values, counts, high, BETS)
    below = betting.log_capital(1 - np.asarray(values, np.float64), counts, 1 - low, BETS)
    return np.asarray(np.logaddexp(above, below) - math.log(2))
