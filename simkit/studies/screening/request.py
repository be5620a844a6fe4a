"""What is asked of a screen of many options, and the experiments that it plays."""

from typing import Any, NamedTuple

from simkit.engine import registry
from simkit.engine.rng import sub_seed
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.stats.factorial import Signs, screening_design

ALONE = 10  # times as many deals for each option by itself, as only one setting of two tells of it
Value = Any  # of an option, as a person writes it
Levels = dict[str, tuple[Value, Value]]  # option -> the usual value and another, or low and high as given


class Asked(NamedTuple):
    """Which options of a game are to be screened, how exactly, with what."""

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
        given: dict[str, Value] = self.more.get("options", {})
        return given

    def usual(self) -> dict[str, Value]:
        """The values of all options that are not varied."""
        return registry.game(self.game).resolve(self.fixed)

    def experiment(self, question: str, purpose: str = "", **keys: Any) -> Experiment:
        known = {"question": question, "game": self.game, "lineups": self.lineups, "margin": self.margin}
        seed = sub_seed(self.seed, f"screen/{purpose}") if purpose else self.seed
        return experiment.parse(known | {"deals": self.deals, "seed": seed} | self.more | keys)

    def design(self, screen: "Screen") -> Signs:
        return screening_design(len(screen.levels))

    def screen(self, screen: "Screen") -> Experiment:
        """A cell for each run of the design and lineup."""
        question = f"Which of {len(screen.levels)} options matter?"
        places = (self.design(screen) > 0).astype(int).tolist()
        return self.experiment(question, "screen", sweep=tied(list(screen.levels), _settings(screen, places)))

    def alone(self, screen: "Screen") -> Experiment:
        """The first values of all options, then each option by itself at its second, on more deals."""
        many = len(screen.levels)
        places = [[0] * many, *([int(i == place) for i in range(many)] for place in range(many))]
        sweep = tied(list(screen.levels), _settings(screen, places))
        question = f"What does each of {many} options change by itself?"
        return self.experiment(question, "alone", sweep=sweep, deals=ALONE * self.deals)

    def together(self, levels: Levels) -> Experiment:
        """All combinations of some options, compared with their first values, on deals of their own."""
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
    """The options that can be screened together, and what was left out or moved and why, a line each."""

    levels: Levels
    told: list[str]


def _settings(screen: Screen, places: list[list[int]]) -> list[list[Value]]:
    """The values of the options, of each run, by which of their two values it has."""
    return [[ends[place] for ends, place in zip(screen.levels.values(), row, strict=True)] for row in places]


def tied(names: list[str], rows: list[list[Value]]) -> dict[str, list[Any]]:
    """The sweep that goes through settings of some options together."""
    return {names[0]: [row[0] for row in rows]} if len(names) == 1 else {", ".join(names): rows}
