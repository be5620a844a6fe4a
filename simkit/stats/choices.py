"""Models of choice: in every situation one of some alternatives is chosen, with a weight that is log-linear in the parameters."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
STEPS = 200  # Newton steps; twenty do for data that settle the parameters
CLOSE = 1e-6  # gain in log-likelihood below which a step is the last: it ends within a millionth of a standard error of the maximum


class Situations(NamedTuple):
    """Situations whose alternatives lie one after the other, and what was chosen in all of them together."""

    features: Any  # SciPy CSR matrix [alternative, parameter]
    starts: NDArray[np.int64]  # [situation] the first of its alternatives
    seen: Vector  # [situation] how often it arose
    chosen: Vector  # [parameter] features of the alternatives chosen, summed


class Maximum(NamedTuple):
    """The parameters that make the choices likeliest, and how sharply."""

    estimate: Vector  # [parameter]
    information: Vector  # [parameter, parameter] minus the second derivative of the log-likelihood
    expected: Vector  # [situation, parameter] mean features of the alternative chosen, by the model
    log_likelihood: float
    found: bool  # whether the search came to rest


def maximise(situations: Situations, penalty: Vector | None = None) -> Maximum:
    """Maximum likelihood of a conditional logit model by Newton's method with halved steps.

    Formula: P(a) = exp(x_a·θ) / Σ_b exp(x_b·θ); gradient Σ(x_chosen − E x), information Σ Cov(x); a `penalty` matrix takes θ'Kθ/2 off.
    Source: McFadden 1974, in Zarembka (ed.), Frontiers in Econometrics, 105-142; the log-likelihood is concave.
    Units: log odds. Errors: none; `found` is False where the maximum lies at infinity or was not reached.

    >>> from scipy.sparse import csr_matrix
    >>> coin = Situations(csr_matrix([[1.0], [0.0]]), np.array([0]), np.array([4.0]), np.array([3.0]))
    >>> maximise(coin).estimate.round(4).tolist()  # three heads in four: log 3
    [1.0986]
    """
    extra = np.zeros((situations.chosen.size,) * 2) if penalty is None else penalty
    at = np.zeros(situations.chosen.size)
    value, expected, chances = _likelihood(situations, at, extra)
    for _ in range(STEPS):
        gradient = situations.chosen - situations.seen @ expected - extra @ at
        step: Vector = np.asarray(
            np.linalg.lstsq(_information(situations, expected, chances) + extra, gradient)[0],
            dtype=np.float64,
        )
        if gradient @ step < CLOSE:
            return _maximum(situations, at + step, extra, found=True)
        at, value, expected, chances = _walk(situations, at, step, value, extra)
        if not np.isfinite(value) or np.abs(at).max() > 50:
            break
    return _maximum(situations, at, extra, found=False)


def information_at_zero(situations: Situations) -> Vector:
    """The information where all alternatives are alike: a direction that it lacks cannot be told from any choices in these situations."""
    _, expected, chances = _likelihood(situations, np.zeros(situations.chosen.size), np.zeros((1, 1)))
    return _information(situations, expected, chances)


def _walk(
    situations: Situations, at: Vector, step: Vector, value: float, extra: Vector
) -> tuple[Vector, float, Vector, Vector]:
    """The step, halved until it gains."""
    step = step / max(1.0, float(np.abs(step).max()) / 3)
    for _ in range(60):
        new = _likelihood(situations, at + step, extra)
        if new[0] >= value:
            return at + step, *new
        step = step / 2
    return at, *_likelihood(situations, at, extra)


def _likelihood(situations: Situations, at: Vector, extra: Vector) -> tuple[float, Vector, Vector]:
    """Log-likelihood (less the penalty), mean features by situation, chance of each alternative."""
    weight = situations.features @ at
    sizes = np.diff(np.append(situations.starts, weight.size))
    top = np.maximum.reduceat(weight, situations.starts)
    raised = np.exp(weight - np.repeat(top, sizes))
    total = np.add.reduceat(raised, situations.starts)
    chances = raised / np.repeat(total, sizes)
    value = (
        situations.chosen @ at
        - situations.seen @ (top + np.log(total))
        - (at @ extra @ at / 2 if extra.size > 1 else 0.0)
    )
    return float(value), _by_situation(situations, chances), chances


def _by_situation(situations: Situations, chances: Vector) -> Vector:
    """Mean features of what is chosen, by situation."""
    from scipy.sparse import csr_matrix

    ends = np.append(situations.starts, chances.size)
    chooser = csr_matrix(
        (chances, np.arange(chances.size), ends), shape=(situations.starts.size, chances.size)
    )
    return np.asarray((chooser @ situations.features).todense())


def _information(situations: Situations, expected: Vector, chances: Vector) -> Vector:
    sizes = np.diff(np.append(situations.starts, chances.size))
    weights = chances * np.repeat(situations.seen, sizes)
    scaled = situations.features.copy()
    scaled.data *= np.repeat(weights, np.diff(scaled.indptr))
    return np.asarray((situations.features.T @ scaled).todense()) - expected.T @ (
        expected * situations.seen[:, np.newaxis]
    )


def _maximum(situations: Situations, at: Vector, extra: Vector, found: bool) -> Maximum:
    value, expected, chances = _likelihood(situations, at, extra)
    return Maximum(at, _information(situations, expected, chances) + extra, expected, value, found)
