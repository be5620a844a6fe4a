"""Questions: Find the options that matter, and those that do nothing.

The function, its study, the two values of each option, and Sobol indices; `result.py` has effects and tables.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple, Unpack

import numpy as np
from pydantic import Field

from simkit.ask import texts
from simkit.ask.arguments import Keywords, Pair, Shell, Texts, Word
from simkit.ask.execution import Execution
from simkit.ask.question import question
from simkit.ask.requests import study_keys
from simkit.ask.results import Result, answer
from simkit.ask.study import Deals, Play, SettingValues, Study, tied_sweep
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.options import PLAYERS, Option
from simkit.errors import UsageError
from simkit.questions.screen.result import (
    Effect,
    MeasureMargin,
    Screening,
    SobolIndex,
    effects_table,
    judge_effects,
    measures_to_screen,
    negligible_changes,
)
from simkit.runs import manifest
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.log import check_number
from simkit.runs.plan import read_files
from simkit.stats.factorial import balanced, one_by_one, screening_design
from simkit.stats.quantiles import Floats
from simkit.tables.compare import Measure, check_column, means_by_deal

SAMPLES = [2**power for power in range(4, 15)]  # numbers of points of Sobol indices
Strongest = Annotated[int, Field(ge=1, le=8)]
Small = Annotated[float, Field(ge=0.0001, le=0.5)]


def _levels_of(parts: Iterable[str], game: str) -> dict[str, tuple[Any, Any] | None]:
    """Return options with two values each from texts `a,b=1:9,c=x/y`; None where no values are given."""
    by_name = dict[str, tuple[Any, Any] | None]()
    for part in texts.words(parts):
        name, has_values, values = (word.strip() for word in part.partition("="))
        if name in by_name:
            raise UsageError(f"option {name} is given twice")
        option = registry.game(game).option(name)
        by_name[name] = _two_values(option, values) if has_values else None
    return by_name


def _two_values(option: Option, text: str) -> tuple[Any, Any]:
    """Return the two values in the text of an option."""
    given = (
        texts.whole_numbers(text)
        if ":" in text
        else [texts.value_of(part.strip()) for part in text.split("/")]
    )
    values = [option.value(option.number(value)) for value in given]
    if len(values) != 2:
        form = "low:high" if not option.names else "one/other"
        raise UsageError(f"--options {option.name}={text}: two values are needed, {option.name}={form}")
    return values[0], values[1]


LEVELS = Shell(
    "--options", metavar="NAME,NAME=LOW:HIGH,NAME=A/B,...", parse=_levels_of, of_game=True, repeatable=True
)


@question()
def screen(
    execution: Execution,
    game: Word,
    vary: Annotated[Mapping[str, Pair | None], LEVELS] = {},
    *,
    measures: Annotated[Texts, Shell("--measure", metavar="COLUMN", repeatable=True)] = (),
    strongest: Strongest = 5,
    sobol: Annotated[int, Field(ge=0, le=SAMPLES[-1]), Shell(metavar="N")] = 0,
    small: Small = 0.05,
    deals: Deals = 2_000,
    **keywords: Unpack[Keywords],
) -> Result:
    """Find the options that matter, and those that do nothing.

    You get the effect of every option on who wins and on the length of a game, by itself and averaged over
    the others. The strongest options are then played in all combinations, on fresh deals.

    Args:
        game: Name of the game.
        vary: Options to screen, each with two values if you like; by default all.
        measures: Column of the log to measure besides the shares; by default turns and lead_changes.
        strongest: Options to play in all combinations.
        sobol: Points from which Sobol indices are estimated, a power of 2 such as 256; 0 for none.
        small: Change of other measures that does not matter, as a part of their mean.
        deals: Deals per setting.
        margin: Change of a share that does not matter; 0.02 by default.

    Returns:
        The findings; `result.dials` (effects of all options), `result.together` (effects of the strongest).

    Raises:
        UsageError: An unknown option, or a sample that is no power of 2.

    Example:
        >>> result = screen("pig", {"goal": (50, 100), "faces": (6, 8)}, strongest=2, deals=20)
        >>> sorted(set(result.dials["option"]))
        ['faces', 'goal']

    Command line::

        simkit screen pig --options goal=50:100,faces=6:8,bust
    """
    if sobol not in [0, *SAMPLES]:
        raise UsageError(f"sobol {sobol}: a sample is a power of 2 from {SAMPLES[0]} to {SAMPLES[-1]}")
    own: dict[str, Any] = {"measures": measures, "small": small, "strongest": strongest}
    own |= {"options": vary, "sample": sobol}
    return answer(execution, ScreenStudy(**own, **study_keys(game, deals, keywords)))


# The study: the options, and the experiments that it plays.

ALONE_DEALS_FACTOR = 10  # deals of a setting of one option by itself, in deals of the request
SOBOL_DEALS_DIVISOR, MIN_SOBOL_DEALS = 10, 50  # a setting of the sample has a tenth of the deals
SCREEN, ALONE, SOBOL = "screen", "alone", "sobol"  # names of the side runs
AVERAGED = "averaged"
Levels = dict[str, tuple[Any, Any]]  # option -> the usual value and another, or low and high as given


@dataclass(frozen=True)
class ScreenStudy(Study):
    """A screening: which of many options matter; `deals` are per setting of the two-level design.

    `side_runs/screen` plays two values of every option in a design that separates the main effects from pair
    interactions; each effect is averaged over both values of all other options. `side_runs/alone` changes one
    option at a time, because an average over rules far from the rulebook may hide or create an effect.
    `side_runs/sobol`, if requested, samples the strongest options over all their values. The run in the
    folder itself plays all combinations of the strongest options, with all other options as in the rulebook.
    """

    options: dict[str, tuple[Any, Any] | None]  # None: the usual values; none at all: all options
    small: Small  # negligible change of measures other than shares, relative to their usual mean
    strongest: Strongest  # options that are played in all combinations
    sample: int  # base points of the Sobol sample; 0: none
    measures: list[str]

    OPEN_KEYS: ClassVar = {"question", "sweep", "baseline"}

    def check(self) -> None:
        """Raise UsageError for equal values of an option, and for measures that are no number."""
        self.check_varied(self.options)
        for name, ends in self.options.items():
            number = registry.game(self.game).option(name).number
            if ends is not None and number(ends[0]) == number(ends[1]):
                raise UsageError(f"option {name}: two different values are needed, not {ends[0]} twice")
        for name in self.measures:
            check_column(name, manifest.columns_of(self.experiment("?")))
            check_number(registry.game(self.game), name)

    def two_level_experiment(self, levels: Levels) -> Experiment:
        """Return the experiment with a cell for each lineup and row of the two-level design."""
        rows = [_setting(levels, row) for row in (screening_design(len(levels)) > 0).tolist()]
        question = f"Which of {len(levels)} options matter?"
        return self.experiment(question, "screen/screen", sweep=tied_sweep(levels, rows))

    def alone(self, levels: Levels) -> Experiment:
        """Return the experiment that moves one option at a time to its second value, on more deals."""
        count = len(levels)
        rows = [_setting(levels, [place == moved for place in range(count)]) for moved in range(-1, count)]
        question = f"What does each of {count} options change by itself?"
        keys = {"sweep": tied_sweep(levels, rows), "deals": ALONE_DEALS_FACTOR * self.deals}
        return self.experiment(question, "screen/alone", **keys)

    def sobol_experiment(self, names: list[str], settings: list[SettingValues]) -> Experiment:
        """Return the experiment that plays the settings of a Sobol sample."""
        question = f"How much of the spread goes back to {', '.join(names)}?"
        deals = max(MIN_SOBOL_DEALS, self.deals // SOBOL_DEALS_DIVISOR)
        return self.experiment(question, "screen/sobol", deals=deals, sweep=tied_sweep(names, settings))

    def together(self, levels: Levels) -> Experiment:
        """Return the experiment of all combinations, compared with the first values, on deals of its own."""
        labels = [registry.game(self.game).option(name).label for name in levels]
        question = f"What does {labels[0]} change?"
        if len(labels) > 1:
            question = f"What does each of {', '.join(labels)} change, and which depend on each other?"
        sweep = {name: list(ends) for name, ends in levels.items()}
        base = {name: first for name, (first, _) in levels.items()}
        return self.experiment(question, "screen/together", sweep=sweep, baseline=base)

    @cached_property
    def screen(self) -> Screen:
        """The options to screen, with two values each."""
        return screen_of(self)

    def last_run(self) -> Experiment:
        """Return the run of the first option."""
        name, ends = next(iter(self.screen.levels.items()))
        return self.together({name: ends})

    def carry_out(self, play: Play) -> tuple[Experiment, Screening]:
        """Measure the options alone and averaged; return the run of the strongest together."""
        levels, alone = self.screen.levels, self.alone(self.screen.levels)
        runs = {SCREEN: play(self.two_level_experiment(levels), SCREEN), ALONE: play(alone, ALONE)}
        measures = measures_to_screen(runs[ALONE], self.measures)
        margins = negligible_changes(runs[ALONE], measures, self.margin, self.small)
        effects = _effects(levels, runs, measures, margins)
        strongest = self._strongest([effect for effect in effects if effect.how == ALONE])
        indices = self._sobol_indices(strongest, measures, play) if self.sample else []
        results = Screening(
            rows=len(screening_design(len(levels))),
            deals=self.deals,
            alone=alone.deals,
            notes=self.screen.notes,
            levels=levels,
            margins=[MeasureMargin(measure=name, margin=margin) for name, margin in margins.items()],
            effects=effects,
            strongest=strongest,
            sobol=indices,
            sample=self.sample,
            side_runs=[*runs, SOBOL] if indices else [*runs],
        )
        return self.together({name: levels[name] for name in strongest}), results

    def _strongest(self, effects: list[Effect]) -> list[str]:
        """Return the options with the largest effects, in margins, whose combinations the game accepts."""
        largest: dict[str, float] = {}
        for row in effects:
            size = abs(row.effect) / row.margin if row.margin else 0.0
            largest[row.option] = max(size, largest.get(row.option, 0.0))
        chosen: list[str] = []
        for name in sorted(largest, key=lambda name: -largest[name]):
            levels = {option: self.screen.levels[option] for option in [*chosen, name]}
            if len(chosen) < self.strongest and accepts(self, levels):
                chosen.append(name)
        return chosen

    def _sobol_indices(self, names: list[str], measures: list[Measure], play: Play) -> list[SobolIndex]:
        """Play the sample of the strongest options and return their Sobol indices."""
        ranges = ranges_of(self.game, {name: self.screen.levels[name] for name in names})
        points = sobol_points(ranges, self.sample, self.seed)
        run = play(self.sobol_experiment(names, points.settings), SOBOL)
        return indices(run, names, points, measures, self.seed)


def _setting(levels: Levels, moved: list[bool]) -> SettingValues:
    """Return the values of a run, in which the moved options have their second value."""
    return tuple(ends[is_moved] for ends, is_moved in zip(levels.values(), moved, strict=True))


def _effects(
    levels: Levels, runs: dict[str, Run], measures: list[Measure], margins: dict[str, float]
) -> list[Effect]:
    """Return the effect of each option alone and averaged over the others; the intervals hold jointly."""
    names = [(name,) for name in levels]
    designs = {
        ALONE: (runs[ALONE], one_by_one(len(names))),
        AVERAGED: (runs[SCREEN], balanced(screening_design(len(names)))),
    }
    return [
        Effect.model_validate({"how": how, **row})
        for how, (run, weights) in designs.items()
        for row in judge_effects(effects_table(run, weights, names, measures, len(designs)), margins)
    ]


# Two values for each option of a screening, without the options that the game cannot combine.

RANGE_DIVISOR = 4  # the second value of a number lies a quarter of its range from the usual one


class Screen(NamedTuple):
    """The options to screen together, and a line for each option that was left out."""

    levels: Levels
    notes: list[str]


def screen_of(study: ScreenStudy) -> Screen:
    """Return the options with their two values, limited to those that the game accepts in every run."""
    game, notes = registry.game(study.game), list[str]()
    names = [option.name for option in game.options]
    usual, levels = dict(zip(names, study.usual(names), strict=True)), dict[str, tuple[Any, Any]]()
    for name in study.options or [name for name in names if name not in study.fixed]:
        option = game.option(name)
        if not study.options and name in game.presets:
            notes.append(f"{name} is left out: it sets other options (name it to turn it)")
        elif option.low == option.high:
            notes.append(f"{name} is left out: it has one value only")
        else:
            levels[name] = study.options.get(name) or (usual[name], second_value(option, usual[name]))
    if not study.options:
        seats = {len(lineup) for lineup in study.lineups}
        values = {name: {value} for name, value in usual.items()} | dict.fromkeys(PLAYERS, seats)
        levels = _without_idle(game, levels, values, notes)
    levels = _drop_refused(study, levels, notes)
    if not levels:
        raise UsageError(f"{study.game}: no option is left to screen: {'; '.join(notes) or 'it has none'}")
    return Screen(levels, notes)


def second_value(option: Option, usual: Any) -> Any:
    """Return the value with which the usual value of an option is compared.

    For a number it lies a quarter of the range (1 at least) from the usual value, towards the farther end;
    for a flag or a choice it is the first other value.

    >>> from simkit.engine.options import integer
    >>> second_value(integer("keep", 16, 0, 48, "X-1", "Cards kept"), 16)
    28
    """
    if option.names:
        values = [option.value(option.number(name)) for name in option.names]
        return next(value for value in values if value != usual)
    step = max(1, round((option.high - option.low) / RANGE_DIVISOR))
    up = option.high - usual >= usual - option.low
    return min(usual + step, option.high) if up else max(usual - step, option.low)


def _without_idle(game: Game, levels: Levels, values: dict[str, set[Any]], notes: list[str]) -> Levels:
    """Drop options that have no effect at any screened value of what they depend on, of all `values`."""
    for name in list(levels):
        for other, needed in game.option(name).at.items():
            if not set(levels.get(other, values[other])) & set(needed):
                condition = f"{other} is {' or '.join(map(str, needed))}"
                notes.append(f"{name} is left out: it does something only where {condition}")
                levels = {option: ends for option, ends in levels.items() if option != name}
                break
    return levels


def _drop_refused(study: ScreenStudy, levels: Levels, notes: list[str]) -> Levels:
    """Drop the last option of every combination of second values that the game refuses."""
    while levels and (refused := _refused_setting(study, levels)):
        setting, reason = refused
        culprits = _culprits(study, levels, setting)
        last = culprits[-1] if culprits else list(levels)[-1]
        others = "".join(f", {option} = {setting[option]}" for option in culprits if option != last)
        notes.append(f"{last} is left out: the game refuses {last} = {setting[last]}{others} ({reason})")
        levels = {name: ends for name, ends in levels.items() if name != last}
    return levels


def _refused_setting(study: ScreenStudy, levels: Levels) -> tuple[dict[str, Any], str] | None:
    """Return a setting that the game refuses, with the reason: a run of the design, or one or two changes."""
    names = list(levels)
    pairs = itertools.combinations_with_replacement(names, 2)
    changes = [[name in pair for name in names] for pair in pairs]
    for high in [*(screening_design(len(names)) > 0).tolist(), *changes]:
        setting = {name: levels[name][int(is_high)] for name, is_high in zip(names, high, strict=True)}
        if reason := _refusal(study, setting):
            return setting, reason
    return None


def _culprits(study: ScreenStudy, levels: Levels, setting: dict[str, Any]) -> list[str]:
    """Return a smallest set of options whose second values are refused together."""
    reduced = dict(setting)
    for name, (low, _) in levels.items():
        if _refusal(study, reduced | {name: low}):
            reduced[name] = low
    return [name for name, (low, _) in levels.items() if reduced[name] != low]


def accepts(study: ScreenStudy, levels: Levels) -> bool:
    """Return whether the game accepts all combinations of the values."""
    settings = (dict(zip(levels, values, strict=True)) for values in itertools.product(*levels.values()))
    return not any(_refusal(study, setting) for setting in settings)


def _refusal(study: ScreenStudy, setting: dict[str, Any]) -> str:
    """Return the reason for which the game refuses a setting; empty where it accepts the setting."""
    trial = study.experiment("?", deals=1, options=study.fixed | setting)
    try:
        registry.game(study.game).rules(trial.options, read_files(trial))
    except UsageError as error:
        return str(error)
    return ""


# Sobol indices: the part of the variance of a measure that each option explains over all its values.

RESAMPLES, LEVEL = 1000, 0.95
Row = dict[str, Any]


class Points(NamedTuple):
    """The sample of the design: the distinct settings, and the index of the setting of each point."""

    settings: list[SettingValues]
    which: np.ndarray


def ranges_of(game: str, levels: Levels) -> dict[str, list[Any]]:
    """Return the values of each option: all numbers between its two screened values, or these two."""
    ranges: dict[str, list[Any]] = {}
    for name, ends in levels.items():
        is_number = not registry.game(game).option(name).names
        ranges[name] = list(range(min(ends), max(ends) + 1)) if is_number else list(ends)
    return ranges


def sobol_points(ranges: dict[str, list[Any]], size: int, seed: int) -> Points:
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
    for (lineup, name), values in means_by_deal(run, measures).items():
        means = values.mean(axis=1)[points.which]
        luck = min(1.0, luck_of_means(values) / float(means.var())) if means.var() > 0 else 0.0
        front = {"lineup": lineup, "measure": by_name[name].measure, "seat": by_name[name].seat, "luck": luck}
        for option, part in estimate_indices(names, means, seed).items():
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


def estimate_indices(names: list[str], values: Floats, seed: int) -> dict[str, Row]:
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
