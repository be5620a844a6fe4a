"""The request of a tuning: a strategy, its weights with their ranges, its opponents, and the experiments."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from simkit.engine import registry
from simkit.engine.lineups import Named, parse_strategy
from simkit.engine.strategy import NamedChoice, Policy, Weight
from simkit.errors import UsageError, look_up
from simkit.runs.experiment import Experiment
from simkit.runs.plan import make_plan
from simkit.studies.proposals import CMA_ES, Sampler
from simkit.studies.study import Deals, Study, Trials

BY_RATIO = 100  # ratio of the ends of a range from which on its logarithm is sampled


@dataclass(frozen=True)
class Request(Study):
    """The strategy and its opponents; `lineups` are those of the strategy with the weights it starts from."""

    strategy: str  # as written in a lineup
    vary: dict[str, str]  # weight -> LOW:HIGH, or an empty text for its whole range
    holdout: list[str]  # opponents of the check alone
    trials: Trials  # candidates
    confirm: Deals  # deals of the check
    sampler: Sampler

    OPEN_KEYS: ClassVar = {"lineups", "called"}

    def check(self) -> None:
        """Raise UsageError for weights without a choice, and for players that the game does not have."""
        self.check_varied([])
        make_plan(self.side_run([self.strategy], 1)).check()
        make_plan(self.last_run()).check()
        self.space()
        if self.choices and self.sampler == CMA_ES:
            raise UsageError(f"sampler cma-es tunes numbers; {self.choices[0]} has names: tune other weights")

    def side_run(self, strategies: Iterable[str], deals: int) -> Experiment:
        """Return the experiment of a side run; all side runs share their deals."""
        question = f"Which weights of {self.strategy} win most?"
        lineups = self._lineups(strategies, self.panel)
        return self.experiment(question, "tune/looks", lineups=lineups, deals=deals)

    def confirmation(self, tuned: str) -> Experiment:
        """Return the experiment that plays tuned weights and the defaults on deals of its own."""
        lineups = self._lineups([tuned, self.strategy], [*self.panel, *self.holdout])
        lineups += [] if self.team else self._lineups([tuned], [self.strategy])
        unique = [list(lineup) for lineup in dict.fromkeys(map(tuple, lineups))]
        question = f"Do tuned weights of {self.strategy} win more than its defaults?"
        label = registry.strategy(registry.game(self.game), self.named.name).label
        word = "tuned again" if self.named.preset else "tuned"
        called = {tuned: f"{label} ({word})"} if tuned != self.strategy else {}
        return self.experiment(question, "tune/check", lineups=unique, deals=self.confirm, called=called)

    def last_run(self) -> Experiment:
        """Return the check of the defaults."""
        return self.confirmation(self.strategy)

    def _lineups(self, strategies: Iterable[str], opponents: Iterable[str]) -> list[list[str]]:
        return [[own, *[other or own] * (self.seats - 1)] for own in strategies for other in opponents]

    @property
    def panel(self) -> list[str]:
        """The opponents of the search; in a team the strategy itself, as an empty text."""
        return [""] if self.team else [lineup[-1] for lineup in self.lineups]

    @property
    def plays(self) -> int:
        """Games of a candidate on each deal."""
        return len(self.panel) * (1 if self.team else self.seats)

    @property
    def named(self) -> Named:
        """The strategy with the weights it starts from."""
        return parse_strategy(self.strategy)[0]

    def space(self) -> dict[str, Any]:
        """Return Optuna's distribution of each weight."""
        return {name: _distribution(name, self._weight(name), text) for name, text in self.vary.items()}

    def defaults(self) -> dict[str, str]:
        """Return the weights to tune as the strategy starts with them."""
        full = registry.without_preset(registry.game(self.game), self.named)
        return {name: full.weights.get(name, self._weight(name).default_text) for name in self.vary}

    def start(self) -> dict[str, Any]:
        """Return the same as a point of the space, or outside it."""
        return {name: x if name in self.choices else float(x) for name, x in self.defaults().items()}

    @property
    def choices(self) -> list[str]:
        """The weights to tune whose values have names."""
        return [name for name in self.vary if isinstance(self._weight(name), NamedChoice)]

    def _weight(self, name: str) -> Weight | NamedChoice:
        """Return a weight; UsageError for others than those of the strategy, and for a policy."""
        chosen = registry.strategy(registry.game(self.game), self.named.name)
        weight = look_up(f"weight of {chosen.name}", name, chosen.weights)
        if isinstance(weight, Policy):
            raise UsageError(f"weight {name} is a strategy, which is not tuned: tune it by itself")
        return weight

    def candidate(self, point: Mapping[str, Any]) -> str:
        """Return the strategy at a point of the space, as written in a lineup, to three digits."""
        weights = {name: f"{x:.3g}" if isinstance(x, float) else str(x) for name, x in point.items()}
        return str(self.named._replace(weights={**self.named.weights, **weights}))


def _distribution(name: str, weight: Weight | NamedChoice, text: str) -> Any:
    """Return the distribution of Optuna from which a weight is sampled."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    where = f"weight {name}"
    if isinstance(weight, NamedChoice):
        if text:
            cure = "its values are names, and tune plays them all; leave them out"
            raise UsageError(f"{where}={text}: {cure}")
        return CategoricalDistribution([member.name for member in type(weight.default)])
    ends = [weight.number(where, part.strip()) for part in text.split(":")] if text else weight[1:3]
    if len(ends) != 2 or ends[0] >= ends[1]:
        raise UsageError(f"{where}={text}: a range LOW:HIGH that goes up is needed")
    kind: Any = IntDistribution if isinstance(weight.default, int) else FloatDistribution
    low, high = map(type(weight.default), ends)
    return kind(low, high, log=low > 0 and high / low >= BY_RATIO)
