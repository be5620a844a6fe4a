"""Sobol indices: the part of the variance of a measure that each option explains over all its values."""

from typing import Any, NamedTuple

import numpy as np

from simkit.analysis import factorial
from simkit.analysis.measures import Measure
from simkit.engine import registry
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run
from simkit.stats.quantiles import Floats
from simkit.studies.screening.request import Request, Screen, Value, tied

DEALS_DIVISOR, MIN_DEALS = 10, 50  # a setting has a tenth of the deals of the screen, 50 at least
RESAMPLES, LEVEL = 1000, 0.95

Row = dict[str, Any]


class Points(NamedTuple):
    """The sample of the design: the distinct settings, and the index of the setting of each point."""

    settings: list[list[Value]]
    which: np.ndarray


def ranges_of(request: Request, screen: Screen, chosen: list[str]) -> dict[str, list[Value]]:
    """Return the values of each option: all numbers between its two screened values, or these two."""
    game, ranges = registry.game(request.game), {}
    for name in chosen:
        ends = screen.levels[name]
        numeric = not game.option(name).names
        ranges[name] = list(range(min(ends), max(ends) + 1)) if numeric else list(ends)
    return ranges


def points(ranges: dict[str, list[Value]], size: int, seed: int) -> Points:
    """Return Saltelli's sample of `size` base points; all values of an option are equally likely."""
    from SALib.sample import sobol

    unit = sobol.sample(problem(list(ranges)), size, calc_second_order=False, seed=seed % 2**32)
    values = [list(range(len(some))) for some in ranges.values()]
    places = np.stack([_place(unit[:, i], len(some)) for i, some in enumerate(values)], axis=1)
    unique, which = np.unique(places, axis=0, return_inverse=True)
    settings = [[some[i] for some, i in zip(ranges.values(), row, strict=True)] for row in unique.tolist()]
    return Points(settings, which.ravel())


def _place(unit: Floats, count: int) -> np.ndarray:
    """Return the index of each point of the unit interval among `count` equal parts."""
    return np.minimum((unit * count).astype(np.int64), count - 1)


def problem(names: list[str]) -> Row:
    """Return the options as a problem of SALib."""
    return {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}


def experiment_of(request: Request, ranges: dict[str, list[Value]], points: Points) -> Experiment:
    """Return the experiment that plays the settings of the sample."""
    question = f"How much of the spread goes back to {', '.join(ranges)}?"
    deals = max(MIN_DEALS, request.deals // DEALS_DIVISOR)
    return request.experiment(question, "sobol", deals=deals, sweep=tied(list(ranges), points.settings))


def indices(
    run: Run, ranges: dict[str, list[Value]], points: Points, measures: list[Measure], seed: int
) -> list[Row]:
    """Return first-order and total indices with 95 % intervals by lineup, measure and option.

    `luck` is the part of the variance between settings that comes from the luck of the deals played; it adds
    to the total indices and reduces those of first order.
    """
    rows, by_name = list[Row](), {measure.name: measure for measure in measures}
    for (lineup, name), values in factorial.by_deal(run, measures).items():
        means, spread = values.mean(axis=1), float(values.mean(axis=1)[points.which].var())
        noise = luck_of_means(values)
        parts = sobol_indices(list(ranges), means[points.which], seed)
        luck = min(1.0, noise / spread) if spread > 0 else 0.0
        front = {"lineup": lineup, "measure": by_name[name].measure, "seat": by_name[name].seat}
        rows += [front | {"option": option, **part, "luck": luck} for option, part in parts.items()]
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
