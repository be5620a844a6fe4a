"""Bias correction of estimates from runs that stopped early, which are runs that luck exaggerated."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.quantiles import Floats, root

REPLICATIONS = 250  # simulated runs per step
MAX_STEPS, TOLERANCE = 8, 1e-4  # of the iteration for the mean
BATCH = 16  # analyses to which the rule is applied in one call
Stops = Callable[[Floats], NDArray[np.bool_]]  # counts[..., outcome] at an analysis -> whether the run stops


def adjusted_mean(values: ArrayLike, counts: ArrayLike, analyses: Sequence[int], stops: Stops) -> float:
    """Return the mean for which simulated runs, stopped by the same rule, show the observed mean on average.

    values[v]: value of each outcome; counts[v]: deals with it at the stop; analyses: numbers of deals at
    which the rule `stops` is applied, the last the cap. Formula: θ with E_θ[mean at the stop] = observed
    mean, from 250 simulated runs with the observed frequencies of outcomes, tilted to θ. Source: Whitehead
    1986, Biometrika 73, 573-581; Efron 1981, Can. J. Stat. 9, 139-172 (tilting). Units: those of the values.
    Errors: ValueError for no deals.

    >>> rule = lambda counts: counts[..., 1] / counts.sum(axis=-1) > 0.6
    >>> round(adjusted_mean([0, 1], [36, 64], [100, 200, 400], rule), 2)
    0.63
    """
    outcomes, frequencies = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if not frequencies.sum() > 0:
        raise ValueError("at least one deal is needed")
    mean = float(outcomes @ frequencies / frequencies.sum())
    if len(analyses) < 2 or np.unique(outcomes[frequencies > 0]).size < 2:
        return mean
    low, high = float(outcomes[frequencies > 0].min()), float(outcomes[frequencies > 0].max())
    slack, trial = 0.01 * (high - low), mean
    for _ in range(MAX_STEPS):
        bias = _mean_at_stop(outcomes, _tilted(outcomes, frequencies, trial), analyses, stops) - trial
        previous = trial
        trial = min(max(mean - bias, low + slack), high - slack)  # a mean that a tilt can reach
        if abs(trial - previous) < TOLERANCE:
            break
    return trial


def _mean_at_stop(outcomes: Floats, probabilities: Floats, analyses: Sequence[int], stops: Stops) -> float:
    """Return the average over simulated runs of the mean at which each stops."""
    rng = np.random.default_rng(1)
    counts, at_stop = np.zeros((REPLICATIONS, outcomes.size)), np.zeros(REPLICATIONS)
    running, deals = np.arange(REPLICATIONS), np.array(analyses)
    for first in range(0, len(analyses), BATCH):
        ends = deals[first : first + BATCH]
        steps = np.diff(ends, prepend=deals[first - 1] if first else 0)
        more = [rng.multinomial(step, probabilities, REPLICATIONS) for step in steps]
        seen = counts[running, np.newaxis] + np.stack(more, axis=1)[running].cumsum(axis=1)
        stopping = stops(seen) | (ends == deals[-1])
        place = stopping.argmax(axis=1)  # of the first analysis at which a run stops
        at_stop[running] = seen[np.arange(len(running)), place] @ outcomes / ends[place]
        counts += np.sum(more, axis=0)
        running = running[~stopping.any(axis=1)]
        if not running.size:
            break
    return float(at_stop.mean())


def _tilted(outcomes: Floats, frequencies: Floats, mean: float) -> Floats:
    """Return the probabilities nearest to the observed frequencies that have this mean."""

    def probabilities(tilt: float) -> Floats:
        weights = frequencies * np.exp(tilt * (outcomes - mean))
        return np.asarray(weights / weights.sum())

    return probabilities(root(lambda tilt: float(outcomes @ probabilities(tilt)) - mean, -200.0, 200.0))
