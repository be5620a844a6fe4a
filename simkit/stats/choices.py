"""Conditional logit models: a choice among alternatives whose weights are log-linear in the parameters."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simkit.stats.quantiles import Floats

MAX_STEPS = 200  # Newton steps; twenty suffice if the data identify the parameters
GAIN_TOLERANCE = 1e-6  # log-likelihood gain of the last step: a millionth of a standard error off the maximum


class Situations(NamedTuple):
    """Choice situations, their alternatives one after the other, and the total features of the choices."""

    features: Any  # SciPy CSR matrix [alternative, parameter]
    starts: NDArray[np.int64]  # [situation] index of its first alternative
    seen: Floats  # [situation] how often it occurred
    chosen: Floats  # [parameter] sum of the features of the chosen alternatives


class Maximum(NamedTuple):
    """A point in parameter space (the maximum of the likelihood after `maximise`) and the model there."""

    estimate: Floats  # [parameter]
    information: Floats  # [parameter, parameter] minus the second derivative of the log-likelihood
    expected: Floats  # [situation, parameter] expected features of the chosen alternative under the model
    log_likelihood: float
    converged: bool  # whether the search converged at this point


def maximise(situations: Situations) -> Maximum:
    """Fit a conditional logit model by maximum likelihood, by Newton's method with step halving.

    Formula: P(a) = exp(x_a·θ) / Σ_b exp(x_b·θ); gradient Σ(x_chosen − E x), information Σ Cov(x). Source:
    McFadden 1974, in Zarembka (ed.), Frontiers in Econometrics, 105-142. Units: log odds. `converged` is
    False for a maximum that lies at infinity or was not reached.

    >>> from scipy.sparse import csr_matrix
    >>> coin = Situations(csr_matrix([[1.0], [0.0]]), np.array([0]), np.array([4.0]), np.array([3.0]))
    >>> maximise(coin).estimate.round(4).tolist()  # three heads in four: log 3
    [1.0986]
    """
    current = at_zero(situations)
    for _ in range(MAX_STEPS):
        gradient = situations.chosen - situations.seen @ current.expected
        step = np.asarray(np.linalg.lstsq(current.information, gradient)[0], np.float64)
        if gradient @ step < GAIN_TOLERANCE:
            return _evaluate(situations, current.estimate + step)._replace(converged=True)
        current = _improve(situations, current, step)
        if not np.isfinite(current.log_likelihood) or np.abs(current.estimate).max() > 50:
            break
    return current


def at_zero(situations: Situations) -> Maximum:
    """Return the model at zero; directions in which its information is 0 cannot be estimated at all."""
    return _evaluate(situations, np.zeros(situations.chosen.size))


def _improve(situations: Situations, current: Maximum, step: Floats) -> Maximum:
    """Return the point after a step that is halved until the log-likelihood does not fall."""
    step = step / max(1.0, float(np.abs(step).max()) / 3)
    for _ in range(60):
        trial = _evaluate(situations, current.estimate + step)
        if trial.log_likelihood >= current.log_likelihood:
            return trial
        step = step / 2
    return current


def _evaluate(situations: Situations, parameters: Floats) -> Maximum:
    """Return log-likelihood, information and expected features at these parameters."""
    from scipy.sparse import csr_matrix

    features, frequencies = situations.features, situations.seen
    utilities, bounds = features @ parameters, np.append(situations.starts, features.shape[0])
    sizes = np.diff(bounds)
    largest = np.maximum.reduceat(utilities, situations.starts)
    exponentials = np.exp(utilities - np.repeat(largest, sizes))
    sums = np.add.reduceat(exponentials, situations.starts)
    chances = exponentials / np.repeat(sums, sizes)
    log_likelihood = situations.chosen @ parameters - frequencies @ (largest + np.log(sums))
    mean = csr_matrix((chances, np.arange(chances.size), bounds), shape=(sizes.size, chances.size)) @ features
    expected = np.asarray(mean.todense())
    scaled = features.copy()
    scaled.data *= np.repeat(chances * np.repeat(frequencies, sizes), np.diff(scaled.indptr))
    squares = np.asarray((features.T @ scaled).todense())
    information = squares - expected.T @ (expected * frequencies[:, np.newaxis])
    return Maximum(parameters, information, expected, float(log_likelihood), converged=False)
