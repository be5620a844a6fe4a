"""What a check says: the value expected and found, and how far apart they may be by chance."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

LIMIT = 4.0  # standard errors; chance alone goes beyond once in 16,000 values
ROUNDING = 1e-9
Values = NDArray[np.float64]


class Result(NamedTuple):
    subject: str  # the game, or "luck"
    cell: str  # options and lineup, where they matter
    check: str
    expected: float
    found: float
    n: int  # what was looked at: deals, pairs, streams, replications
    error: float  # standard error of what was found; 0 for an exact check
    z: float
    passed: bool
    allowance: float = 0.0  # how far from the expected value is as good


class Subject(NamedTuple):
    """What is checked: a game, in some cell of it or as a whole."""

    name: str
    cell: str = ""


def measured(
    of: Subject, check: str, expected: float, found: float, error: float, n: int, allowance: float = 0.0
) -> Result:
    """A value that chance may move: it passes within LIMIT standard errors of expected ± allowance.

    >>> measured(Subject("pig"), "share of seat 0", 0.5, 0.52, 0.01, 2500).z.__round__(2)
    2.0
    """
    apart = found - expected
    beyond = 0.0 if abs(apart) <= allowance + ROUNDING else math.copysign(abs(apart) - allowance, apart)
    z = beyond / error if error > 0 else math.copysign(math.inf, beyond) if beyond else 0.0
    return Result(*of, check, expected, found, n, error, z, abs(z) < LIMIT, allowance)


def exact(of: Subject, check: str, exceptions: int, n: int) -> Result:
    """Something that must hold without exception.

    >>> exact(Subject("pig"), "the same game again", 0, 1000).passed
    True
    """
    passed = exceptions == 0 and n > 0
    return Result(*of, check, 0.0, float(exceptions), n, 0.0, 0.0 if passed else math.inf, passed)


def rate(of: Subject, check: str, expected: float, held: ArrayLike, level: float, allowance: float) -> Result:
    """How often something held in replications, of which the part `level` or 1 − `level` is expected."""
    times = np.asarray(held, np.float64)
    error = math.sqrt(level * (1 - level) / times.size)
    return measured(of, check, expected, float(times.mean()), error, times.size, allowance)


def chi_square(of: Subject, check: str, statistic: float, freedom: int, n: int) -> Result:
    """Test a statistic whose law is chi-square; z is the normal quantile of its p.

    >>> chi_square(Subject("luck"), "a die", 5.0, 5, 600).z.__round__(2)
    0.21
    """
    z = float(stats.norm.isf(stats.chi2.sf(statistic, freedom)))
    return Result(*of, check, freedom, statistic, n, math.sqrt(2 * freedom), z, abs(z) < LIMIT)


def smallest_bias(plays: int) -> float:
    """Return how far off a share of one half is found in every second validation: LIMIT standard errors.

    >>> round(smallest_bias(200_000), 4)
    0.0045
    """
    return LIMIT * 0.5 / math.sqrt(plays)


def correlations(of: Subject, check: str, a: Values, b: Values) -> Iterator[Result]:
    """Independent values have the correlation 0 with error 1/sqrt(n); values that never vary have none."""
    if a.std() > 0 and b.std() > 0:
        yield measured(of, check, 0.0, float(np.corrcoef(a, b)[0, 1]), 1 / math.sqrt(a.size), a.size)
