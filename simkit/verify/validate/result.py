"""Results of checks: expected and observed values, and the difference that chance explains."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

LIMIT = 4.0  # standard errors; chance alone exceeds them once in 16,000 values
ROUNDING = 1e-9
Values = NDArray[np.float64]


class Result(NamedTuple):
    """The result of a check."""

    subject: str  # the game, or "luck"
    cell: str  # options and lineup, if they matter
    check: str
    expected: float
    measured: float
    n: int  # sample size: deals, pairs, streams, replications
    error: float  # standard error of the observed value; 0 for an exact check
    z: float
    passed: bool
    allowance: float = 0.0  # difference from the expected value that is accepted


class Subject(NamedTuple):
    """The subject of a check: a game as a whole, or one of its cells."""

    name: str
    cell: str = ""


def measured(
    subject: Subject, check: str, expected: float, value: float, error: float, n: int, allowance: float = 0.0
) -> Result:
    """Return the result for a random value, which passes within LIMIT errors of expected ± allowance."""
    gap = value - expected
    beyond = 0.0 if abs(gap) <= allowance + ROUNDING else math.copysign(abs(gap) - allowance, gap)
    z = beyond / error if error > 0 else math.copysign(math.inf, beyond) if beyond else 0.0
    return Result(*subject, check, expected, value, n, error, z, abs(z) < LIMIT, allowance)


def exact(subject: Subject, check: str, exceptions: int, n: int) -> Result:
    """Return the result for a condition that must hold without exception."""
    passed = exceptions == 0 and n > 0
    return Result(*subject, check, 0.0, float(exceptions), n, 0.0, 0.0 if passed else math.inf, passed)


def rate(
    subject: Subject, check: str, expected: float, held: ArrayLike, level: float, allowance: float
) -> Result:
    """Return the result for the rate at which a condition held in replications, `level` or 1 − `level`."""
    values = np.asarray(held, np.float64)
    error = math.sqrt(level * (1 - level) / values.size)
    return measured(subject, check, expected, float(values.mean()), error, values.size, allowance)


def chi_square(subject: Subject, check: str, statistic: float, freedom: int, n: int) -> Result:
    """Return the result for a statistic with a chi-square distribution; z is the normal quantile of its p.

    >>> chi_square(Subject("luck"), "a die", 5.0, 5, 600).z.__round__(2)
    0.21
    """
    z = float(stats.norm.isf(stats.chi2.sf(statistic, freedom)))
    return Result(*subject, check, freedom, statistic, n, math.sqrt(2 * freedom), z, abs(z) < LIMIT)


def smallest_bias(plays: int) -> float:
    """Return the bias of a share of one half that every second validation detects: LIMIT standard errors."""
    return LIMIT * 0.5 / math.sqrt(plays)


def correlations(subject: Subject, check: str, a: Values, b: Values) -> Iterator[Result]:
    """Check that values have correlation 0 with error 1/sqrt(n); skip values that never vary."""
    if a.std() > 0 and b.std() > 0:
        yield measured(subject, check, 0.0, float(np.corrcoef(a, b)[0, 1]), 1 / math.sqrt(a.size), a.size)
