"""Many options at once: two-level designs, what each option changes over common deals, whether it matters."""

import itertools
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.quantiles import Floats, student

Signs = NDArray[np.int8]
MOST_CROSSED = 4  # options of which all combinations are no more runs than a folded design
MATTERS, SLIGHT, NOTHING, OPEN = "matters", "slight", "nothing", "open"


class Effects(NamedTuple):
    """Mean change of each column of a design with its interval; all intervals hold together."""

    effect: Floats
    low: Floats
    high: Floats
    deals: int


def hadamard(order: int) -> Signs | None:
    """A square matrix of ±1 with orthogonal columns, the first all +1; None where none is known here.

    Formula: Paley's first kind for a prime q = n − 1 of the form 4k + 3, his second for a prime q = n/2 − 1
    of the form 4k + 1, doubling [[H, H], [H, −H]] else. Source: Paley 1933, J. Math. Phys. 12, 311-320,
    lemmas 2 to 4; Sylvester 1867, Phil. Mag. 34, 461-475 (doubling). Every multiple of 4 up to 100 but 52, 92
    and 100.

    >>> h = hadamard(12)
    >>> bool((h.T @ h == 12 * np.eye(12)).all()), hadamard(52) is None
    (True, True)
    """
    if order in (1, 2):
        return np.array([[1, 1], [1, -1]], np.int8)[:order, :order]
    if order % 4:
        return None
    if _prime(order - 1) and (order - 1) % 4 == 3:
        found = np.eye(order, dtype=np.int8) + _conference(order - 1)
    elif _prime(order // 2 - 1) and (order // 2 - 1) % 4 == 1:
        made, one = _conference(order // 2 - 1), np.eye(order // 2, dtype=np.int8)
        found = np.block([[made + one, made - one], [made - one, -made - one]])
    else:
        half = hadamard(order // 2)
        if half is None:
            return None
        found = np.block([[half, half], [half, -half]])
    return (found * found[:, :1]).astype(np.int8)


def _prime(number: int) -> bool:
    return number > 1 and all(number % part for part in range(2, math.isqrt(number) + 1))


def _conference(q: int) -> Signs:
    """Quadratic residues of a prime, bordered: C Cᵀ = q I, skew for q = 4k + 3, else symmetric."""
    residues = {place * place % q for place in range(1, q)}
    kind = np.array([0] + [1 if place in residues else -1 for place in range(1, q)], np.int8)
    inner = kind[(np.arange(q)[:, None] - np.arange(q)) % q]
    found = np.zeros((q + 1, q + 1), np.int8)
    found[0, 1:], found[1:, 1:] = 1, inner
    found[1:, 0] = -1 if q % 4 == 3 else 1
    return found


def all_combinations(options: int) -> Signs:
    """The full factorial design [run, option], −1 low, +1 high; the first run is all low.

    >>> all_combinations(2).tolist()
    [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    """
    return np.array(list(itertools.product((-1, 1), repeat=options)), np.int8).reshape(-1, options)


def screening_design(options: int) -> Signs:
    """A design [run, option] of few runs: effects are clear of each other and of what pairs do together.

    Formula: all combinations of up to 4 options; of more the columns 1 … k of the smallest Hadamard matrix of
    order above k, and the same with all signs turned (fold-over), so that a sum of a main effect's column
    with the product of any two others is 0. The first run is all low. Source: Plackett & Burman 1946,
    Biometrika 33, 305-325 (designs); Box & Wilson 1951, J. R. Stat. Soc. B 13, 1-45 (fold-over). Errors:
    ValueError for no options.

    >>> design = screening_design(30)
    >>> design.shape, bool((design[0] == -1).all())
    ((64, 30), True)
    """
    if options < 1:
        raise ValueError("a design needs an option or more")
    if options <= MOST_CROSSED:
        return all_combinations(options)
    square = next(found for order in itertools.count(options + 1) if (found := hadamard(order)) is not None)
    half = square[:, 1 : options + 1]
    half = half * half[:1]  # the first row all high, so that its fold-over is all low
    return np.concatenate([-half, half])


def with_pairs(design: Signs) -> tuple[Signs, list[tuple[int, ...]]]:
    """The columns of a design and of the products of two of them, and which options each is about."""
    options = range(design.shape[1])
    which: list[tuple[int, ...]] = [(one,) for one in options]
    which += list(itertools.combinations(options, 2))
    return np.stack([design[:, list(of)].prod(axis=1) for of in which], axis=1).astype(np.int8), which


def balanced(design: ArrayLike) -> Floats:
    """The weights [run, column] of a balanced design: the mean at +1 less the mean at −1.

    >>> balanced([[-1], [1], [-1], [1]]).ravel().tolist()
    [-0.5, 0.5, -0.5, 0.5]
    """
    signs = np.asarray(design, np.float64)
    return 2 / len(signs) * signs


def one_by_one(options: int) -> Floats:
    """The weights [run, option] where run 0 has no option turned and run i option i − 1 alone.

    >>> one_by_one(2).tolist()
    [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]
    """
    return np.concatenate([-np.ones((1, options)), np.eye(options)])


def effects(weights: ArrayLike, values: ArrayLike, tests: int, level: float = 0.95) -> Effects:
    """Contrasts of runs that were played on common deals, with intervals that all hold together.

    weights[run, column], values[run, deal]. Formula: c_d = Σ_i w_i y_id within deal d; mean ± t(D − 1; 1 −
    (1 − level)/tests) √(v/D), v the sample variance of c_d over the D deals; so runs may differ in spread and
    depend on each other. Source: Box, Hunter & Hunter 2005, Statistics for Experimenters, 2nd ed., section
    5.3 (contrasts); Bonferroni. Promise: the intervals of all `tests` changes hold together at `level`,
    where D is large enough for means over deals to be normal. Units: of the values. Errors: ValueError for
    one deal, other shapes.

    >>> found = effects([[-1], [1]], [[0.0, 1.0, 0.0], [1.0, 2.0, 2.0]], tests=1)
    >>> found.effect.round(3).tolist(), found.low.round(3).tolist(), found.high.round(3).tolist()
    ([1.333], [-0.101], [2.768])
    """
    by, seen = np.asarray(weights, np.float64), np.asarray(values, np.float64)
    if by.ndim != 2 or seen.ndim != 2 or len(by) != len(seen) or seen.shape[1] < 2 or tests < 1:
        raise ValueError("values [run, deal] of the runs that the weights are of, and two deals, are needed")
    within, deals = by.T @ seen, seen.shape[1]
    mean = within.mean(axis=1)
    half = student(1 - (1 - level) / tests, deals - 1) * within.std(axis=1, ddof=1) / math.sqrt(deals)
    return Effects(mean, mean - half, mean + half, deals)


def kind(low: float, high: float, margin: float) -> str:
    """What an interval of a change says: MATTERS, SLIGHT, NOTHING or OPEN.

    It matters beyond the margin, does nothing (that counts) within it, is slight where it differs from 0 and
    neither is shown, else open. Source of nothing: an interval within the margin is at least as strict as
    two one-sided tests (Schuirmann 1987, J. Pharmacokinet. Biopharm. 15, 657-680).

    >>> kind(0.03, 0.05, 0.02), kind(0.01, 0.05, 0.02), kind(-0.01, 0.01, 0.02), kind(-0.01, 0.05, 0.02)
    ('matters', 'slight', 'nothing', 'open')
    """
    if low > margin or high < -margin:
        return MATTERS
    if -margin <= low and high <= margin:
        return NOTHING
    return SLIGHT if low > 0 or high < 0 else OPEN
