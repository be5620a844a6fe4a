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

    @property
    def sizes(self) -> NDArray[np.int64]:
        """[situation] the number of its alternatives."""
        return np.diff(np.append(self.starts, self.features.shape[0]))


class Maximum(NamedTuple):
    """The parameters that make the choices likeliest, and how sharply."""

    estimate: Vector  # [parameter]
    information: Vector  # [parameter, parameter] minus the second derivative of the log-likelihood
    expected: Vector  # [situation, parameter] mean features of the alternative chosen, by the model
    log_likelihood: float
    found: bool  # whether the search came to rest


def maximise(situations: Situations) -> Maximum:
    """Maximum likelihood of a conditional logit model by Newton's method with halved steps.

    Formula: P(a) = exp(x_a·θ) / Σ_b exp(x_b·θ); gradient Σ(x_chosen − E x), information Σ Cov(x). Source:
    McFadden 1974, in Zarembka (ed.), Frontiers in Econometrics, 105-142. Units: log odds. Errors: none;
    `found` is False where the maximum lies at infinity or was not reached.

    >>> from scipy.sparse import csr_matrix
    >>> coin = Situations(csr_matrix([[1.0], [0.0]]), np.array([0]), np.array([4.0]), np.array([3.0]))
    >>> maximise(coin).estimate.round(4).tolist()  # three heads in four: log 3
    [1.0986]
    """
    at = np.zeros(situations.chosen.size)
    value, expected, chances = _likelihood(situations, at)
    for _ in range(STEPS):
        gradient = situations.chosen - situations.seen @ expected
        solved = np.linalg.lstsq(_information(situations, expected, chances), gradient)[0]
        step: Vector = np.asarray(solved, dtype=np.float64)
        if gradient @ step < CLOSE:
            return _maximum(situations, at + step, found=True)
        at, value, expected, chances = _walk(situations, at, step, value)
        if not np.isfinite(value) or np.abs(at).max() > 50:
            break
    return _maximum(situations, at, found=False)


def information_at_zero(situations: Situations) -> Vector:
    """The information where all alternatives are alike: no choices tell a direction that it lacks."""
    _, expected, chances = _likelihood(situations, np.zeros(situations.chosen.size))
    return _information(situations, expected, chances)


def _walk(
    situations: Situations, at: Vector, step: Vector, value: float
) -> tuple[Vector, float, Vector, Vector]:
    """The step, halved until it gains."""
    step = step / max(1.0, float(np.abs(step).max()) / 3)
    for _ in range(60):
        new = _likelihood(situations, at + step)
        if new[0] >= value:
            return at + step, *new
        step = step / 2
    return at, *_likelihood(situations, at)


def _likelihood(situations: Situations, at: Vector) -> tuple[float, Vector, Vector]:
    """Log-likelihood, mean features of what is chosen by situation, chance of each alternative."""
    from scipy.sparse import csr_matrix

    weight, sizes = situations.features @ at, situations.sizes
    top = np.maximum.reduceat(weight, situations.starts)
    raised = np.exp(weight - np.repeat(top, sizes))
    total = np.add.reduceat(raised, situations.starts)
    chances = raised / np.repeat(total, sizes)
    value = situations.chosen @ at - situations.seen @ (top + np.log(total))
    places = (chances, np.arange(chances.size), np.append(situations.starts, chances.size))
    mean = csr_matrix(places, shape=(situations.starts.size, chances.size)) @ situations.features
    return float(value), np.asarray(mean.todense()), chances


def _information(situations: Situations, expected: Vector, chances: Vector) -> Vector:
    weights = chances * np.repeat(situations.seen, situations.sizes)
    scaled = situations.features.copy()
    scaled.data *= np.repeat(weights, np.diff(scaled.indptr))
    squares = np.asarray((situations.features.T @ scaled).todense())
    return squares - expected.T @ (expected * situations.seen[:, np.newaxis])


def _maximum(situations: Situations, at: Vector, found: bool) -> Maximum:
    value, expected, chances = _likelihood(situations, at)
    return Maximum(at, _information(situations, expected, chances), expected, value, found)
