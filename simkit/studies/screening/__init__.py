"""Screening: which of many options matter, alone and together.

`side_runs/screen` plays two values of every option in a design that separates the main effects from pair
interactions; each effect is averaged over both values of all other options. `side_runs/alone` changes one
option at a time, because an average over rules far from the rulebook may hide or create an effect.
`side_runs/sobol`, if requested, samples the strongest options over all their values. The run in the folder
itself plays all combinations of the strongest options, with all other options as in the rulebook.
"""

from functools import cached_property

from simkit.analysis import factorial
from simkit.analysis.measures import Measure
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.schemas.search import Effect, MeasureMargin, Screening, SobolIndex
from simkit.stats.factorial import balanced, one_by_one, screening_design
from simkit.studies.screening import sobol
from simkit.studies.screening.levels import accepted, screen_of
from simkit.studies.screening.request import Levels, Request, Screen
from simkit.studies.study import Play

SCREEN, ALONE, SOBOL = "screen", "alone", "sobol"  # names of the side runs
AVERAGED = "averaged"


class ScreenStudy(Request):
    """A screening."""

    @cached_property
    def screen(self) -> Screen:
        """The options to screen, with two values each."""
        return screen_of(self)

    def last_run(self) -> Experiment:
        """Return the run of the first option."""
        name, ends = next(iter(self.screen.levels.items()))
        return self.together({name: ends})

    def search(self, play: Play) -> tuple[Experiment, Screening]:
        """Measure the options alone and averaged; return the run of the strongest together."""
        levels, alone = self.screen.levels, self.alone(self.screen.levels)
        runs = {SCREEN: play(self.averaged(levels), SCREEN), ALONE: play(alone, ALONE)}
        measures = factorial.measures_to_screen(runs[ALONE], self.measures)
        margins = factorial.margins(runs[ALONE], measures, self.margin, self.small)
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
            if len(chosen) < self.strongest and accepted(self, levels):
                chosen.append(name)
        return chosen

    def _sobol_indices(self, names: list[str], measures: list[Measure], play: Play) -> list[SobolIndex]:
        """Play the sample of the strongest options and return their Sobol indices."""
        ranges = sobol.ranges_of(self.game, {name: self.screen.levels[name] for name in names})
        points = sobol.points(ranges, self.sample, self.seed)
        run = play(self.sampled(names, points.settings), SOBOL)
        return sobol.indices(run, names, points, measures, self.seed)


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
        for row in factorial.judged(factorial.table(run, weights, names, measures, len(designs)), margins)
    ]
