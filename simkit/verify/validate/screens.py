"""Checks of option screens: planted effects, and the Sobol indices of a function with known ones."""

import math
from collections.abc import Iterator

import numpy as np

from simkit.stats import factorial
from simkit.stats.quantiles import Floats
from simkit.studies.screening import sobol
from simkit.verify.validate.result import Result, Subject, measured, rate

SCREENS = Subject("screens")
OPTIONS, DEALS, REPLICATIONS = 11, 60, 400
PLANTED = np.array([0.5, -0.2, 0.1, *[0.0] * (OPTIONS - 3)])  # changes from the low to the high value
INTERACTION = 0.6  # of the first and the third option, which must not bias any main effect
STEPS, SAMPLE = 1_000, 1_024
# V(Y) and its parts: Ishigami & Homma 1990, ISUMA; a = 7, b = 0.1
ISHIGAMI = {"x1": (0.3139, 0.5576), "x2": (0.4424, 0.4424), "x3": (0.0, 0.2437)}
TOLERANCE = 0.02  # error due to the sample size and the discrete values


def checks(seed: int) -> Iterator[Result]:
    """Yield all checks of screens."""
    yield from _planted(np.random.default_rng(seed))
    yield from _ishigami(seed)


def _planted(rng: np.random.Generator) -> Iterator[Result]:
    """Check screens of a synthetic game whose runs share the luck of a deal and have some of their own."""
    design = factorial.screening_design(OPTIONS).astype(float)
    truth = design @ PLANTED / 2 + INTERACTION * design[:, 0] * design[:, 2]
    estimates, covered = [], []
    for _ in range(REPLICATIONS):
        deal, own = rng.normal(0, 1, (1, DEALS)), rng.normal(0, 1, (len(design), DEALS))
        effects = factorial.effects(factorial.balanced(design), truth[:, None] + deal + own, OPTIONS)
        estimates.append(effects.effect)
        covered.append(bool(((effects.low <= PLANTED) & (effects.high >= PLANTED)).all()))
    error, means = 2 / math.sqrt(len(design) * DEALS * REPLICATIONS), np.mean(estimates, axis=0)
    for name, index in (("first", 0), ("second", 1), ("last", OPTIONS - 1)):
        check = f"change that the {name} option of {OPTIONS} makes"
        yield measured(SCREENS, check, PLANTED[index], float(means[index]), error, REPLICATIONS)
    yield rate(SCREENS, "all intervals of a screen hold", 0.975, covered, 0.95, 0.025)


def _ishigami(seed: int) -> Iterator[Result]:
    """Check the indices of sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1, each from −π to π."""
    values = np.linspace(-math.pi, math.pi, STEPS).tolist()
    points = sobol.points(dict.fromkeys(ISHIGAMI, values), SAMPLE, seed)
    x: Floats = np.array(points.settings)
    y = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    indices = sobol.sobol_indices(list(ISHIGAMI), y[points.which], seed)
    for name, expected in ISHIGAMI.items():
        for kind, value in zip(("first", "total"), expected, strict=True):
            error = (indices[name][f"{kind}_high"] - indices[name][kind]) / 1.96
            check = (
                f"Sobol index of {name}, {kind} order" if kind == "first" else f"total Sobol index of {name}"
            )
            yield measured(SCREENS, check, value, indices[name][kind], error, SAMPLE, TOLERANCE)
