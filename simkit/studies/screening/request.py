"""The request of a screening, and the experiments that it plays."""

from typing import Any, NamedTuple

from simkit.engine import registry
from simkit.engine.rng import sub_seed
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.stats.factorial import Signs, screening_design

ALONE_DEALS_FACTOR = 10  # deals of a setting of one option by itself, in deals of a run of the design
Value = Any  # value of an option, as written by a person
Levels = dict[str, tuple[Value, Value]]  # option -> the usual value and another, or low and high as given


class Request(NamedTuple):
    """The options of a game to screen, with the precision and the methods."""

    game: str
    options: dict[str, tuple[Value, Value] | None]  # None: the usual values; none at all: all options
    lineups: list[list[str]]
    deals: int  # per run of the design
    seed: int
    margin: float  # a share that changes by less counts as unchanged
    small: float  # the same of other measures, as a part of their mean under the usual rules
    strongest: int  # options that are played in all combinations
    sobol: int  # size of the sample; 0: none
    measures: list[str]
    more: dict[str, Any]  # further keys of the experiments: options, files

    @property
    def fixed(self) -> dict[str, Value]:
        """Options that are set to one value in all runs."""
        given: dict[str, Value] = self.more.get("options", {})
        return given

    def usual(self) -> dict[str, Value]:
        """Return the values of all options that are not varied."""
        return registry.game(self.game).resolve(self.fixed)

    def experiment(self, question: str, purpose: str = "", **keys: Any) -> Experiment:
        """Return an experiment with the keys of the request; `purpose` names the seed of its deals."""
        defaults = {"question": question, "game": self.game, "lineups": self.lineups, "margin": self.margin}
        seed = sub_seed(self.seed, f"screen/{purpose}") if purpose else self.seed
        return experiment.parse(defaults | {"deals": self.deals, "seed": seed} | self.more | keys)

    def design(self, screen: "Screen") -> Signs:
        """Return the two-level design of the screened options."""
        return screening_design(len(screen.levels))

    def screen(self, screen: "Screen") -> Experiment:
        """Return the experiment with a cell for each lineup and run of the design."""
        question = f"Which of {len(screen.levels)} options matter?"
        places = (self.design(screen) > 0).astype(int).tolist()
        return self.experiment(question, "screen", sweep=tied(list(screen.levels), _settings(screen, places)))

    def alone(self, screen: "Screen") -> Experiment:
        """Return the experiment that moves one option at a time to its second value, on more deals."""
        count = len(screen.levels)
        places = [[0] * count, *([int(i == place) for i in range(count)] for place in range(count))]
        sweep = tied(list(screen.levels), _settings(screen, places))
        question = f"What does each of {count} options change by itself?"
        return self.experiment(question, "alone", sweep=sweep, deals=ALONE_DEALS_FACTOR * self.deals)

    def together(self, levels: Levels) -> Experiment:
        """Return the experiment of all combinations, compared with the first values, on deals of its own."""
        names = [registry.game(self.game).option(name).label for name in levels]
        question = (
            f"What do {', '.join(names)} do together?" if len(names) > 1 else f"What does {names[0]} do?"
        )
        sweep, base = (
            {name: list(ends) for name, ends in levels.items()},
            {name: low for name, (low, _) in levels.items()},
        )
        return self.experiment(question, "together", sweep=sweep, baseline=base)


class Screen(NamedTuple):
    """The options to screen together, and a line for each option that was left out or moved."""

    levels: Levels
    notes: list[str]


def _settings(screen: Screen, places: list[list[int]]) -> list[list[Value]]:
    """Return the values of the options in each run from the indices of their two values."""
    return [[ends[place] for ends, place in zip(screen.levels.values(), row, strict=True)] for row in places]


def tied(names: list[str], rows: list[list[Value]]) -> dict[str, list[Any]]:
    """Return the sweep that varies the options together through the rows."""
    return {names[0]: [row[0] for row in rows]} if len(names) == 1 else {", ".join(names): rows}
