"""Models of choice: some alternative is chosen in each situation, with a weight log-linear in parameters."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
STEPS = 200  # Newton steps; twenty do for data that settle the parameters
CLOSE = 1e-6  # gain in log-likelihood of a last step: a millionth of a standard error from the maximum


class Situations(NamedTuple):
    """Situations whose alternatives lie one after the other, and what was chosen in all of them together."""

    features: Any  # SciPy CSR matrix [alternative, parameter]
    starts: NDArray[np.int64]  # [situation] the first of its alternatives
    seen: Vector  # [situation] how often it arose
    chosen: Vector  # [parameter] features of the alternatives chosen, summed


class Maximum(NamedTuple):
    """The parameters that make the choices likeliest, or are tried, and what follows from them."""

    estimate: Vector  # [parameter]
    information: Vector  # [parameter, parameter] minus the second derivative of the log-likelihood
    expected: Vector  # [situation, parameter] mean features of the alternative chosen, by the model
    log_likelihood: float
    found: bool  # whether the search came to rest there


def maximise(situations: Situations) -> Maximum:
    """Maximum likelihood of a conditional logit model by Newton's method with halved steps.

    Formula: P(a) = exp(x_a·θ) / Σ_b exp(x_b·θ); gradient Σ(x_chosen − E x), information Σ Cov(x). Source:
    McFadden 1974, in Zarembka (ed.), Frontiers in Econometrics, 105-142. Units: log odds. Errors: `found` is
    False for a maximum at infinity or not reached.

    >>> from scipy.sparse import csr_matrix
    >>> coin = Situations(csr_matrix([[1.0], [0.0]]), np.array([0]), np.array([4.0]), np.array([3.0]))
    >>> maximise(coin).estimate.round(4).tolist()  # three heads in four: log 3
    [1.0986]
    """
    here = at_zero(situations)
    for _ in range(STEPS):
        gradient = situations.chosen - situations.seen @ here.expected
        step = np.asarray(np.linalg.lstsq(here.information, gradient)[0], np.float64)
        if gradient @ step < CLOSE:
            return _at(situations, here.estimate + step)._replace(found=True)
        here = _walk(situations, here, step)
        if not np.isfinite(here.log_likelihood) or np.abs(here.estimate).max() > 50:
            break
    return here


def at_zero(situations: Situations) -> Maximum:
    """All alternatives are alike: no choices tell a direction that the information lacks here."""
    return _at(situations, np.zeros(situations.chosen.size))


def _walk(situations: Situations, here: Maximum, step: Vector) -> Maximum:
    step = step / max(1.0, float(np.abs(step).max()) / 3)
    for _ in range(60):  # halved until it gains
        there = _at(situations, here.estimate + step)
        if there.log_likelihood >= here.log_likelihood:
            return there
        step = step / 2
    return here


def _at(situations: Situations, at: Vector) -> Maximum:
    from scipy.sparse import csr_matrix

    features, seen = situations.features, situations.seen
    weight, bounds = features @ at, np.append(situations.starts, features.shape[0])
    sizes = np.diff(bounds)
    top = np.maximum.reduceat(weight, situations.starts)
    raised = np.exp(weight - np.repeat(top, sizes))
    total = np.add.reduceat(raised, situations.starts)
    chances = raised / np.repeat(total, sizes)
    value = situations.chosen @ at - seen @ (top + np.log(total))
    mean = csr_matrix((chances, np.arange(chances.size), bounds), shape=(sizes.size, chances.size)) @ features
    expected = np.asarray(mean.todense())
    scaled = features.copy()
    scaled.data *= np.repeat(chances * np.repeat(seen, sizes), np.diff(scaled.indptr))
    squares = np.asarray((features.T @ scaled).todense())
    information = squares - expected.T @ (expected * seen[:, np.newaxis])
    return Maximum(at, information, expected, float(value), found=False)
