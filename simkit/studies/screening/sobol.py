"""How much of the spread of a measure goes back to which option: Sobol indices over all their values."""

from typing import Any, NamedTuple

import numpy as np

from simkit.analysis import factorial as measured
from simkit.analysis.measures import Measure
from simkit.engine import registry
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run
from simkit.stats.quantiles import Floats
from simkit.studies.screening.request import Asked, Screen, Value, tied

FEWER, LEAST = 10, 50  # deals of a setting: this part of those of the screen, so many at least
RESAMPLES, LEVEL = 1000, 0.95

Row = dict[str, Any]


class Points(NamedTuple):
    """The sample of the design: which setting each of its points is, every setting once."""

    settings: list[list[Value]]
    which: np.ndarray


def ranges_of(asked: Asked, screen: Screen, chosen: list[str]) -> dict[str, list[Value]]:
    """All values of each option between the two that were screened, of a choice or flag these two."""
    game, found = registry.game(asked.game), {}
    for name in chosen:
        ends = screen.levels[name]
        whole = not game.option(name).names
        found[name] = list(range(min(ends), max(ends) + 1)) if whole else list(ends)
    return found


def points(ranges: dict[str, list[Value]], size: int, seed: int) -> Points:
    """Saltelli's sample of `size` base points, each value of an option as likely as any other."""
    from SALib.sample import sobol

    unit = sobol.sample(problem(list(ranges)), size, calc_second_order=False, seed=seed % 2**32)
    values = [list(range(len(some))) for some in ranges.values()]
    places = np.stack([_place(unit[:, i], len(some)) for i, some in enumerate(values)], axis=1)
    every, which = np.unique(places, axis=0, return_inverse=True)
    settings = [[some[i] for some, i in zip(ranges.values(), row, strict=True)] for row in every.tolist()]
    return Points(settings, which.ravel())


def _place(unit: Floats, many: int) -> np.ndarray:
    return np.minimum((unit * many).astype(np.int64), many - 1)


def problem(names: list[str]) -> Row:
    """The options as SALib knows them."""
    return {"num_vars": len(names), "names": names, "bounds": [[0.0, 1.0]] * len(names)}


def experiment_of(asked: Asked, ranges: dict[str, list[Value]], points: Points) -> Experiment:
    question = f"How much of the spread goes back to {', '.join(ranges)}?"
    deals = max(LEAST, asked.deals // FEWER)
    return asked.experiment(question, "sobol", deals=deals, sweep=tied(list(ranges), points.settings))


def indices(
    run: Run, ranges: dict[str, list[Value]], points: Points, measures: list[Measure], seed: int
) -> list[Row]:
    """Of each lineup, measure and option: first-order and total index with 95 % intervals.

    `luck`: the part of the variance between settings that is luck of the deals played; it adds to the total
    indices and takes from those of first order.
    """
    found, known = list[Row](), {one.name: one for one in measures}
    for (lineup, name), values in measured.by_deal(run, measures).items():
        means, spread = values.mean(axis=1), float(values.mean(axis=1)[points.which].var())
        noise = luck_of_means(values)
        parts = sobol_indices(list(ranges), means[points.which], seed)
        luck = min(1.0, noise / spread) if spread > 0 else 0.0
        front = {"lineup": lineup, "measure": known[name].measure, "seat": known[name].seat}
        found += [front | {"option": option, **part, "luck": luck} for option, part in parts.items()]
    return found


def luck_of_means(values: Floats) -> float:
    """The expected variance between the means of settings [setting, deal] that differ by luck alone.

    Formula: Σ (y_kd − ȳ_d − ȳ_k + ȳ)² / ((K − 1)(D − 1)) / D: all K settings met the same D deals, so what a
    deal gives to all of them is no difference. Source: Scheffé 1959, The Analysis of Variance, section 4.3
    (two-way layout). Units: squared, of the values.

    >>> luck_of_means(np.array([[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]]))  # the same deal by deal, but for 1
    0.0
    """
    settings, deals = values.shape
    away = values - values.mean(axis=0)
    away -= away.mean(axis=1, keepdims=True)
    return float((away**2).sum() / ((settings - 1) * (deals - 1)) / deals)


def sobol_indices(names: list[str], values: Floats, seed: int) -> dict[str, Row]:
    """First-order and total Sobol indices of each option from the values at the points of a sample.

    Formula: S_i = V(E(Y | x_i))/V(Y), T_i = 1 − V(E(Y | all but x_i))/V(Y); half widths by bootstrap. Source:
    Saltelli et al. 2010, Comput. Phys. Commun. 181, 259-270 (SALib's `analyze.sobol`). Where nothing varies
    all are 0.
    """
    from SALib.analyze import sobol

    if float(np.ptp(values)) == 0:
        nothing = dict.fromkeys(("first", "first_low", "first_high", "total", "total_low", "total_high"), 0.0)
        return {name: dict(nothing) for name in names}
    how: Row = {"calc_second_order": False, "num_resamples": RESAMPLES, "conf_level": LEVEL}
    found = sobol.analyze(problem(names), values, **how, seed=seed % 2**32)
    return {
        name: _interval("first", found["S1"][i], found["S1_conf"][i])
        | _interval("total", found["ST"][i], found["ST_conf"][i])
        for i, name in enumerate(names)
    }


def _interval(name: str, value: float, half: float) -> Row:
    return {name: float(value), f"{name}_low": float(value - half), f"{name}_high": float(value + half)}
