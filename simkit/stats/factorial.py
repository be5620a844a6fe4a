"""Two-level designs for many options: effects over common deals, and whether each option matters."""

import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.quantiles import Floats, student

Signs = NDArray[np.int8]
MAX_CROSSED_OPTIONS = 4  # up to this number, all combinations need no more runs than a folded design
MATTERS, SLIGHT, NOTHING, OPEN = "matters", "slight", "nothing", "open"


class Effects(NamedTuple):
    """Mean change of each column of a design with its interval; all intervals hold together."""

    effect: Floats
    low: Floats
    high: Floats
    deals: int


def all_combinations(options: int) -> Signs:
    """Return the full factorial design [run, option], −1 low, +1 high; the first run is all low."""
    return np.array(list(itertools.product((-1, 1), repeat=options)), np.int8).reshape(-1, options)


def screening_design(options: int) -> Signs:
    """Return a design [run, option] of few runs whose main effects are clear of two-option interactions.

    Formula: all combinations of up to 4 options; for more, columns 1 … k of the smallest Hadamard matrix of
    an order 2^j above k (SciPy's), and the same with all signs reversed (fold-over), so that each main
    effect's column is orthogonal to the product of any two columns: a fractional factorial of resolution IV.
    The first run is all low. Source: Box & Wilson 1951, J. R. Stat. Soc. B 13, 1-45 (fold-over); Box & Hunter
    1961, Technometrics 3, 311-351 (resolution). Errors: ValueError for no options.

    >>> design = screening_design(30)
    >>> design.shape, bool((design[0] == -1).all())
    ((64, 30), True)
    """
    from scipy.linalg import hadamard

    if options < 1:
        raise ValueError("a design needs an option or more")
    if options <= MAX_CROSSED_OPTIONS:
        return all_combinations(options)
    half = hadamard(1 << options.bit_length(), np.int8)[:, 1 : options + 1]  # the first row is all high
    return np.concatenate([-half, half])


def with_pairs(design: Signs) -> tuple[Signs, list[tuple[int, ...]]]:
    """Return the columns of a design and of the products of any two, and the options of each column."""
    options = range(design.shape[1])
    groups: list[tuple[int, ...]] = [(option,) for option in options]
    groups += list(itertools.combinations(options, 2))
    return np.stack([design[:, list(group)].prod(axis=1) for group in groups], axis=1).astype(np.int8), groups


def balanced(design: ArrayLike) -> Floats:
    """Return the weights [run, column] of a balanced design: the mean at +1 minus the mean at −1.

    >>> balanced([[-1], [1], [-1], [1]]).ravel().tolist()
    [-0.5, 0.5, -0.5, 0.5]
    """
    signs = np.asarray(design, np.float64)
    return 2 / len(signs) * signs


def one_by_one(options: int) -> Floats:
    """Return the weights [run, option] if run 0 changes no option and run i changes only option i − 1.

    >>> one_by_one(2).tolist()
    [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]
    """
    return np.concatenate([-np.ones((1, options)), np.eye(options)])


def effects(weights: ArrayLike, values: ArrayLike, tests: int, level: float = 0.95) -> Effects:
    """Return contrasts of runs that were played on common deals, with simultaneous intervals.

    weights[run, column], values[run, deal]. Formula: c_d = Σ_i w_i y_id within deal d; mean ± t(D − 1; 1 − (1
    − level)/tests) √(v/D), v the sample variance of c_d over the D deals. Promise: the intervals of all
    `tests` changes hold together at `level` (Bonferroni). Source: Box, Hunter & Hunter 2005, Statistics for
    Experimenters, 2nd ed., section 5.3 (contrasts). Units: of the values. Errors: ValueError for fewer than
    two deals or shapes that do not fit.

    >>> changes = effects([[-1], [1]], [[0.0, 1.0, 0.0], [1.0, 2.0, 2.0]], tests=1)
    >>> changes.effect.round(3).tolist(), changes.low.round(3).tolist(), changes.high.round(3).tolist()
    ([1.333], [-0.101], [2.768])
    """
    coefs, runs = np.asarray(weights, np.float64), np.asarray(values, np.float64)
    if coefs.ndim != 2 or runs.ndim != 2 or len(coefs) != len(runs) or runs.shape[1] < 2 or tests < 1:
        raise ValueError("values [run, deal] of the runs that the weights are of, and two deals, are needed")
    changes, deals = coefs.T @ runs, runs.shape[1]
    mean = changes.mean(axis=1)
    half = student(1 - (1 - level) / tests, deals - 1) * changes.std(axis=1, ddof=1) / math.sqrt(deals)
    return Effects(mean, mean - half, mean + half, deals)


def kind(low: float, high: float, margin: float) -> str:
    """Classify a change by its interval: MATTERS, SLIGHT, NOTHING or OPEN.

    A change matters if its interval lies beyond the margin, does nothing (that counts) if it lies within the
    margin, is slight if it merely excludes 0, and is open otherwise. Source: Schuirmann 1987, J.
    Pharmacokinet. Biopharm. 15, 657-680 (equivalence).

    >>> kind(0.03, 0.05, 0.02), kind(0.01, 0.05, 0.02), kind(-0.01, 0.01, 0.02), kind(-0.01, 0.05, 0.02)
    ('matters', 'slight', 'nothing', 'open')
    """
    if low > margin or high < -margin:
        return MATTERS
    if -margin <= low and high <= margin:
        return NOTHING
    return SLIGHT if low > 0 or high < 0 else OPEN
