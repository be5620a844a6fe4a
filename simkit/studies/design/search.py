"""Search over settings: all of them where they are few, otherwise those that Optuna proposes."""

import itertools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from simkit.analysis.goals import Row
from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.studies.design.request import Request, Setting

BATCH_SIZE = 8  # settings that Optuna proposes before it learns the losses of any of them
REFUSED_LOSS = 1e6  # reported to Optuna for a setting that the game refuses
MAX_PROPOSALS_PER_TRIAL = 3  # Optuna may propose the same setting several times
RANDOM_TRIALS = 10  # random settings before the first that Optuna models


class Judged(NamedTuple):
    """A setting that was measured."""

    setting: Setting
    deals: int
    loss: float  # distance from the wishes in tolerances; below 0 where all are met
    hope: float  # the loss at the best end of every interval
    rows: list[Row]  # measurements by lineup and goal

    def keys(self, request: Request) -> dict[str, Any]:
        """Return the setting as an entry of `search.json`."""
        setting = dict(zip(request.vary, self.setting, strict=True))
        rows = [{name: value for name, value in row.items() if name != "setting"} for row in self.rows]
        return {"setting": setting, "deals": self.deals, "loss": self.loss, "rows": rows}


Measure = Callable[[list[Setting], int, str], list[Judged]]  # settings, deals, name of the side run


def explore(request: Request, printed: Judged, measure: Measure) -> tuple[list[Judged], int]:
    """Return the measured settings, the printed rules first, and the number of refused settings.

    Each setting is first played on few deals. It is played on all deals (the same for every setting) unless
    even the best ends of its intervals are worse than the best setting so far. A dropped setting counts with
    its first measurement. The order depends on the seed alone.
    """
    judged: dict[Setting, Judged | None] = {printed.setting: printed}
    sampler = _every_setting(request) if request.settings <= request.trials else _optuna(request)
    proposed, number = 0, 0
    while len(judged) <= request.trials and proposed < MAX_PROPOSALS_PER_TRIAL * request.trials:
        batch = sampler.next(min(BATCH_SIZE, request.trials + 1 - len(judged)))
        if not batch:
            break
        proposed += len(batch)
        new = [setting for setting in dict.fromkeys(batch) if setting not in judged]
        judged |= {setting: None for setting in new if _refuses(request, setting)}
        fresh = [setting for setting in new if setting not in judged]
        if fresh:
            number += 1
            raced = _race(request, judged, fresh, number, measure)
            judged |= {candidate.setting: candidate for candidate in raced}
        outcomes = [(setting, judged[setting]) for setting in batch]
        sampler.learn([(setting, seen.loss if seen else REFUSED_LOSS) for setting, seen in outcomes])
    measured = [candidate for candidate in judged.values() if candidate is not None]
    return measured, len(judged) - len(measured)


def _race(
    request: Request,
    judged: dict[Setting, Judged | None],
    fresh: list[Setting],
    number: int,
    measure: Measure,
) -> list[Judged]:
    """Measure new settings on few deals, and those that may still be the best on all deals."""
    first = {candidate.setting: candidate for candidate in measure(fresh, request.few, f"round{number}")}
    if request.few == request.deals:
        return list(first.values())
    measured = [candidate for candidate in judged.values() if candidate is not None]
    best = min(candidate.loss for candidate in measured if candidate.deals == request.deals)
    left = [name for name, candidate in first.items() if candidate.hope <= best]
    raced = measure(left, request.deals, f"race{number}") if left else []
    return list((first | {candidate.setting: candidate for candidate in raced}).values())


def _refuses(request: Request, setting: Setting) -> bool:
    """Return whether the game refuses a setting."""
    try:
        experiment.check(request.look([setting], 1))
    except UsageError:
        return True
    return False


class _Everything:
    """All settings, in order."""

    def __init__(self, settings: list[Setting]) -> None:
        self.left = settings

    def next(self, count: int) -> list[Setting]:
        """Return the next settings, `count` at most."""
        batch, self.left = self.left[:count], self.left[count:]
        return batch

    def learn(self, losses: list[tuple[Setting, float]]) -> None:
        """Ignore the losses, which do not change the order."""


def _every_setting(request: Request) -> _Everything:
    """Return a sampler of all combinations of the values."""
    return _Everything(list(itertools.product(*request.vary.values())))


class _Optuna:
    """Settings from a tree-structured Parzen estimator, which copes with noise, whole numbers and names.

    Source: Bergstra et al. 2011, NeurIPS 24 (TPE); Watanabe 2023, arXiv:2304.11127 (multivariate, and the
    settings of Optuna's `TPESampler`). While a batch is open, its settings count as bad ones (constant liar).
    """

    def __init__(self, request: Request) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.values = request.vary
        self.kinds = {name: _distribution(optuna, values) for name, values in self.values.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            keywords: dict[str, Any] = {"multivariate": True, "constant_liar": True}
            keywords["n_startup_trials"] = RANDOM_TRIALS
            sampler = optuna.samplers.TPESampler(seed=request.seed % 2**32, **keywords)
        self.study = optuna.create_study(sampler=sampler)
        self.open: list[Any] = []

    def next(self, count: int) -> list[Setting]:
        """Return `count` settings that Optuna proposes."""
        self.open = [self.study.ask(self.kinds) for _ in range(count)]
        return [tuple(self._value(trial, name) for name in self.values) for trial in self.open]

    def _value(self, trial: Any, name: str) -> Any:
        """Return the value of an option; numbers are sampled by index, so gaps between them do not matter."""
        given = trial.params[name]
        return self.values[name][given] if _numbers(self.values[name]) else given

    def learn(self, losses: list[tuple[Setting, float]]) -> None:
        """Report the losses of the open batch to Optuna."""
        for trial, (_, loss) in zip(self.open, losses, strict=True):
            self.study.tell(trial, loss)


def _optuna(request: Request) -> _Optuna:
    """Return a sampler that is backed by Optuna."""
    return _Optuna(request)


def _numbers(values: list[Any]) -> bool:
    """Return whether all values are whole numbers."""
    return all(type(value) is int for value in values)


def _distribution(optuna: Any, values: list[Any]) -> Any:
    """Return the distribution of Optuna from which an option is sampled."""
    kinds = optuna.distributions
    return (
        kinds.IntDistribution(0, len(values) - 1)
        if _numbers(values)
        else kinds.CategoricalDistribution(values)
    )
