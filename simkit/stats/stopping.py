"""What is left of an estimate when the data said when to stop, which favours runs that luck exaggerated."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simkit.stats.quantiles import Floats, root

REPLICATIONS = 250  # imagined runs per step
STEPS, CLOSE = 8, 1e-4  # of the mean; until two steps are as close as that
Stops = Callable[[Floats], NDArray[np.bool_]]  # counts[run, outcome] after a look -> whether the run stops


def adjusted_mean(values: ArrayLike, counts: ArrayLike, looks: Sequence[int], stops: Stops) -> float:
    """The mean whose imagined runs, stopped by the same rule, would show the mean that was seen.

    values[v]: of each outcome; counts[v]: deals that had it when the run stopped; looks: numbers of deals at
    which the rule `stops` looks, the last the cap. Formula: θ with E_θ[mean at the stop] = mean seen, from
    250 imagined runs, outcomes drawn as often as seen, tilted to θ; with one value or one look the plain
    mean. Source: Whitehead 1986, Biometrika 73, 573-581; Efron 1981, Can. J. Stat. 9, 139-172 (tilting).
    Units: those of the values. Errors: ValueError for no deals.

    >>> rule = lambda counts: counts[:, 1] / counts.sum(axis=1) > 0.6
    >>> round(adjusted_mean([0, 1], [36, 64], [100, 200, 400], rule), 2)
    0.63
    """
    seen, many = np.asarray(values, np.float64), np.asarray(counts, np.float64)
    if not many.sum() > 0:
        raise ValueError("at least one deal is needed")
    mean = float(seen @ many / many.sum())
    if len(looks) < 2 or np.unique(seen[many > 0]).size < 2:
        return mean
    low, high = float(seen[many > 0].min()), float(seen[many > 0].max())
    slack, trial = 0.01 * (high - low), mean
    for _ in range(STEPS):
        bias = _mean_at_stop(seen, _tilted(seen, many, trial), looks, stops) - trial
        trial, last = min(max(mean - bias, low + slack), high - slack), trial  # a mean that a tilt can reach
        if abs(trial - last) < CLOSE:
            break
    return trial


def _mean_at_stop(seen: Floats, chances: Floats, looks: Sequence[int], stops: Stops) -> float:
    rng = np.random.default_rng(1)
    counts, stopped = np.zeros((REPLICATIONS, seen.size)), np.zeros(REPLICATIONS, np.bool_)
    at_stop, before = np.zeros(REPLICATIONS), 0
    for look in looks:
        counts += rng.multinomial(look - before, chances, REPLICATIONS)
        before = look
        going = np.flatnonzero(~stopped)
        now = going[stops(counts[going]) | (look == looks[-1])]
        at_stop[now] = counts[now] @ seen / look
        stopped[now] = True
        if stopped.all():
            break
    return float(at_stop.mean())


def _tilted(seen: Floats, many: Floats, mean: float) -> Floats:
    """The chances nearest to the part of each outcome that have this mean."""

    def chances(tilt: float) -> Floats:
        part = many * np.exp(tilt * (seen - mean))
        return np.asarray(part / part.sum())

    return chances(root(lambda tilt: float(seen @ chances(tilt)) - mean, -200.0, 200.0))
