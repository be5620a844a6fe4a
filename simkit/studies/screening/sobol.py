"""Sobol indices: the part of the variance of a measure that each option explains over all its values."""

from typing import Any, NamedTuple

import numpy as np

from simkit.analysis import factorial
from simkit.analysis.measures import Measure
from simkit.engine import registry
from simkit.runs.folder import Run
from simkit.runs.schemas.search import SobolIndex
from simkit.stats.quantiles import Floats
from simkit.studies.screening.request import Levels
from simkit.studies.study import Setting, Value

RESAMPLES, LEVEL = 1000, 0.95

Row = dict[str, Any]


class Points(NamedTuple):
    """The sample of the design: the distinct settings, and the index of the setting of each point."""

    settings: list[Setting]
    which: np.ndarray


def ranges_of(game: str, levels: Levels) -> dict[str, list[Value]]:
    """Return the values of each option: all numbers between its two screened values, or these two."""
    ranges: dict[str, list[Value]] = {}
    for name, ends in levels.items():
        is_number = not registry.game(game).option(name).names
        ranges[name] = list(range(min(ends), max(ends) + 1)) if is_number else list(ends)
    return ranges


def points(ranges: dict[str, list[Value]], size: int, seed: int) -> Points:
    """Return Saltelli's sample of `size` base points; all values of an option are equally likely."""
    from SALib.sample import sobol

    unit = sobol.sample(problem(list(ranges)), size, calc_second_order=False, seed=seed % 2**32)
    counts = np.array([len(values) for values in ranges.values()])
    places = np.minimum((unit * counts).astype(np.int64), counts - 1)
    unique, which = np.unique(places, axis=0, return_inverse=True)
    settings = [
        tuple(values[i] for values, i in zip(ranges.values(), row, strict=True)) for row in unique.tolist()
    ]
    return Points(settings, which.ravel())


def problem(names: list[str]) -> Row:
    """Return the options as a problem of SALib."""
    return {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}


def indices(
    run: Run, names: list[str], points: Points, measures: list[Measure], seed: int
) -> list[SobolIndex]:
    """Return first-order and total indices with 95 % intervals by lineup, measure and option.

    `luck` is the part of the variance between settings that comes from the luck of the deals played; it adds
    to the total indices and reduces those of first order.
    """
    rows, by_name = list[SobolIndex](), {measure.name: measure for measure in measures}
    for (lineup, name), values in factorial.by_deal(run, measures).items():
        means = values.mean(axis=1)[points.which]
        luck = min(1.0, luck_of_means(values) / float(means.var())) if means.var() > 0 else 0.0
        front = {"lineup": lineup, "measure": by_name[name].measure, "seat": by_name[name].seat, "luck": luck}
        for option, part in sobol_indices(names, means, seed).items():
            rows.append(SobolIndex.model_validate({**front, "option": option, **part}))
    return rows


def luck_of_means(values: Floats) -> float:
    """Return the expected variance between the means of settings [setting, deal] that comes from luck alone.

    Formula: Σ (y_kd − ȳ_d − ȳ_k + ȳ)² / ((K − 1)(D − 1)) / D. All K settings are played on the same D deals,
    so an effect of a deal on all of them is no difference. Source: Scheffé 1959, The Analysis of Variance,
    section 4.3 (two-way layout). Units: squared, of the values.

    >>> luck_of_means(np.array([[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]))  # the same deal by deal, but for 1
    0.0
    """
    settings, deals = values.shape
    residuals = values - values.mean(axis=0)
    residuals -= residuals.mean(axis=1, keepdims=True)
    return float((residuals**2).sum() / ((settings - 1) * (deals - 1)) / deals)


def sobol_indices(names: list[str], values: Floats, seed: int) -> dict[str, Row]:
    """Return first-order and total Sobol indices of each option from the values at the points of a sample.

    Formula: S_i = V(E(Y | x_i))/V(Y), T_i = 1 − V(E(Y | all but x_i))/V(Y); half widths by bootstrap. Source:
    Saltelli et al. 2010, Comput. Phys. Commun. 181, 259-270 (SALib's `analyze.sobol`). All are 0 where the
    values do not vary.
    """
    from SALib.analyze import sobol

    if float(np.ptp(values)) == 0:
        zeros = dict.fromkeys(("first", "first_low", "first_high", "total", "total_low", "total_high"), 0.0)
        return {name: dict(zeros) for name in names}
    keywords: Row = {"calc_second_order": False, "num_resamples": RESAMPLES, "conf_level": LEVEL}
    analysis = sobol.analyze(problem(names), values, **keywords, seed=seed % 2**32)
    return {
        name: _interval("first", analysis["S1"][i], analysis["S1_conf"][i])
        | _interval("total", analysis["ST"][i], analysis["ST_conf"][i])
        for i, name in enumerate(names)
    }


def _interval(name: str, value: float, half: float) -> Row:
    """Return an index and the ends of its interval as columns."""
    return {name: float(value), f"{name}_low": float(value - half), f"{name}_high": float(value + half)}
