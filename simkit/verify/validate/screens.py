"""Screens of many options: planted effects are found as they are, and the indices of a known function."""

import math
from collections.abc import Iterator

import numpy as np

from simkit.stats import factorial
from simkit.stats.quantiles import Floats
from simkit.studies.screening import sobol
from simkit.verify.validate.result import Result, Subject, measured, rate

SCREENS = Subject("screens")
OPTIONS, DEALS, TIMES = 11, 60, 400
PLANTED = np.array([0.5, -0.2, 0.1, *[0.0] * (OPTIONS - 3)])  # changes from the low to the high value
TWO = 0.6  # what the first and the third option change together, which must not reach any main effect
STEPS, SAMPLE = 1_000, 1_024
# V(Y) and its parts: Ishigami & Homma 1990, ISUMA; a = 7, b = 0.1
ISHIGAMI = {"x1": (0.3139, 0.5576), "x2": (0.4424, 0.4424), "x3": (0.0, 0.2437)}
NEAR = 0.02  # what a sample of that size and the steps of the values leave


def checks(seed: int) -> Iterator[Result]:
    yield from _planted(np.random.default_rng(seed))
    yield from _ishigami(seed)


def _planted(luck: np.random.Generator) -> Iterator[Result]:
    """Screens of a made game whose runs share the luck of a deal and have some of their own."""
    design = factorial.screening_design(OPTIONS).astype(float)
    truth = design @ PLANTED / 2 + TWO * design[:, 0] * design[:, 2]
    found, held = [], []
    for _ in range(TIMES):
        deal, own = luck.normal(0, 1, (1, DEALS)), luck.normal(0, 1, (len(design), DEALS))
        one = factorial.effects(factorial.balanced(design), truth[:, None] + deal + own, OPTIONS)
        found.append(one.effect)
        held.append(bool(((one.low <= PLANTED) & (one.high >= PLANTED)).all()))
    error = 2 / math.sqrt(len(design) * DEALS * TIMES)
    for name, place in (("first", 0), ("second", 1), ("last", OPTIONS - 1)):
        said = f"change that the {name} option of {OPTIONS} makes"
        yield measured(SCREENS, said, PLANTED[place], float(np.mean(found, axis=0)[place]), error, TIMES)
    yield rate(SCREENS, "all intervals of a screen hold", 0.975, held, 0.95, 0.025)


def _ishigami(seed: int) -> Iterator[Result]:
    """sin x1 + 7 sin² x2 + 0.1 x3⁴ sin x1, each from −π to π."""
    values = np.linspace(-math.pi, math.pi, STEPS).tolist()
    points = sobol.points(dict.fromkeys(ISHIGAMI, values), SAMPLE, seed)
    x: Floats = np.array(points.settings)
    y = np.sin(x[:, 0]) + 7 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    found = sobol.sobol_indices(list(ISHIGAMI), y[points.which], seed)
    for name, expected in ISHIGAMI.items():
        for kind, value in zip(("first", "total"), expected, strict=True):
            error = (found[name][f"{kind}_high"] - found[name][kind]) / 1.96
            said = (
                f"Sobol index of {name}, {kind} order" if kind == "first" else f"total Sobol index of {name}"
            )
            yield measured(SCREENS, said, value, found[name][kind], error, SAMPLE, NEAR)
