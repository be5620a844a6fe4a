"""The request of a screening, and the experiments that it plays."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, NamedTuple

from pydantic import Field

from simkit.analysis.measures import check_column
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import manifest
from simkit.runs.experiment import Experiment
from simkit.runs.log import check_number
from simkit.stats.factorial import screening_design
from simkit.studies.study import Setting, Study, Value, tied

ALONE_DEALS_FACTOR = 10  # deals of a setting of one option by itself, in deals of the request
SOBOL_DEALS_DIVISOR, MIN_SOBOL_DEALS = 10, 50  # a setting of the sample has a tenth of the deals
Strongest = Annotated[int, Field(ge=1, le=8)]
Small = Annotated[float, Field(ge=0.0001, le=0.5)]
Levels = dict[str, tuple[Value, Value]]  # option -> the usual value and another, or low and high as given


class Screen(NamedTuple):
    """The options to screen together, and a line for each option that was left out."""

    levels: Levels
    notes: list[str]


@dataclass(frozen=True)
class Request(Study):
    """The options, the precision and the methods; `deals` are per setting of the two-level design."""

    options: dict[str, tuple[Value, Value] | None]  # None: the usual values; none at all: all options
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

    def averaged(self, levels: Levels) -> Experiment:
        """Return the experiment with a cell for each lineup and row of the two-level design."""
        rows = [_setting(levels, row) for row in (screening_design(len(levels)) > 0).tolist()]
        question = f"Which of {len(levels)} options matter?"
        return self.experiment(question, "screen/screen", sweep=tied(levels, rows))

    def alone(self, levels: Levels) -> Experiment:
        """Return the experiment that moves one option at a time to its second value, on more deals."""
        count = len(levels)
        rows = [_setting(levels, [place == moved for place in range(count)]) for moved in range(-1, count)]
        question = f"What does each of {count} options change by itself?"
        keys = {"sweep": tied(levels, rows), "deals": ALONE_DEALS_FACTOR * self.deals}
        return self.experiment(question, "screen/alone", **keys)

    def sampled(self, names: list[str], settings: list[Setting]) -> Experiment:
        """Return the experiment that plays the settings of a Sobol sample."""
        question = f"How much of the spread goes back to {', '.join(names)}?"
        deals = max(MIN_SOBOL_DEALS, self.deals // SOBOL_DEALS_DIVISOR)
        return self.experiment(question, "screen/sobol", deals=deals, sweep=tied(names, settings))

    def together(self, levels: Levels) -> Experiment:
        """Return the experiment of all combinations, compared with the first values, on deals of its own."""
        labels = [registry.game(self.game).option(name).label for name in levels]
        question = f"What does {labels[0]} change?"
        if len(labels) > 1:
            question = f"What does each of {', '.join(labels)} change, and which depend on each other?"
        sweep = {name: list(ends) for name, ends in levels.items()}
        base = {name: first for name, (first, _) in levels.items()}
        return self.experiment(question, "screen/together", sweep=sweep, baseline=base)


def _setting(levels: Levels, moved: list[bool]) -> Setting:
    """Return the values of a run, in which the moved options have their second value."""
    return tuple(ends[is_moved] for ends, is_moved in zip(levels.values(), moved, strict=True))
