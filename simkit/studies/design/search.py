"""Which setting next: all of them where they are few, else Optuna's, told one after the other."""

import itertools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

from simkit.analysis.goals import Row
from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.studies.design.request import Asked, Setting

BATCH = 8  # settings that are asked for before any of them is told
REFUSED = 1e6  # the loss that Optuna is told of a setting that the game refuses
PATIENCE = 3  # times as many questions as trials, where settings come again
START = 10  # settings at random first


class Judged(NamedTuple):
    """A setting that was measured."""

    setting: Setting
    deals: int
    loss: float  # how far from the wishes, in tolerances; below 0: all are met, by so much
    hope: float  # the same at the best end of every interval
    rows: list[Row]  # what was measured, by lineup and goal

    def keys(self, asked: Asked) -> dict[str, Any]:
        """As the answer of the search keeps it."""
        setting = dict(zip(asked.vary, self.setting, strict=True))
        rows = [{name: value for name, value in row.items() if name != "setting"} for row in self.rows]
        return {"setting": setting, "deals": self.deals, "loss": self.loss, "rows": rows}


Measure = Callable[[list[Setting], int, str], list[Judged]]  # settings, deals, name of the look


def explore(asked: Asked, printed: Judged, measure: Measure) -> tuple[list[Judged], int]:
    """Settings as they were measured, the printed rules first, and how many the game refused.

    A setting is looked at on few deals; it goes on to all of them (the same for every setting) unless even
    the best ends of its intervals are worse than the best setting so far. What was dropped counts as it was
    measured. The order depends on the seed alone.
    """
    known: dict[Setting, Judged | None] = {printed.setting: printed}
    ask = _everything(asked) if asked.settings <= asked.trials else _optuna(asked)
    asked_for, number = 0, 0
    while len(known) <= asked.trials and asked_for < PATIENCE * asked.trials:
        batch = ask.next(min(BATCH, asked.trials + 1 - len(known)))
        if not batch:
            break
        asked_for += len(batch)
        new = [one for one in dict.fromkeys(batch) if one not in known]
        known |= {one: None for one in new if _refuses(asked, one)}
        fresh = [one for one in new if one not in known]
        if fresh:
            number += 1
            known |= {one.setting: one for one in _raced(asked, known, fresh, number, measure)}
        ask.tell([(one, REFUSED if (seen := known[one]) is None else seen.loss) for one in batch])
    kept = [one for one in known.values() if one is not None]
    return kept, len(known) - len(kept)


def _raced(
    asked: Asked, known: dict[Setting, Judged | None], fresh: list[Setting], number: int, measure: Measure
) -> list[Judged]:
    """New settings: all on few deals, on all deals those that may still be the best."""
    first = {one.setting: one for one in measure(fresh, asked.few, f"round{number}")}
    if asked.few == asked.deals:
        return list(first.values())
    best = min(one.loss for one in known.values() if one is not None and one.deals == asked.deals)
    left = [name for name, one in first.items() if one.hope <= best]
    again = measure(left, asked.deals, f"race{number}") if left else []
    return list((first | {one.setting: one for one in again}).values())


def _refuses(asked: Asked, setting: Setting) -> bool:
    try:
        experiment.check(asked.look([setting], 1))
    except UsageError:
        return True
    return False


class _Everything:
    """All settings, in order."""

    def __init__(self, settings: list[Setting]) -> None:
        self.left = settings

    def next(self, many: int) -> list[Setting]:
        batch, self.left = self.left[:many], self.left[many:]
        return batch

    def tell(self, losses: list[tuple[Setting, float]]) -> None:
        """What is known changes nothing."""


def _everything(asked: Asked) -> _Everything:
    return _Everything(list(itertools.product(*asked.vary.values())))


class _Optuna:
    """Settings by a tree-structured Parzen estimator, which stands noise, whole numbers and names.

    Source: Bergstra et al. 2011, NeurIPS 24 (TPE); Watanabe 2023, arXiv:2304.11127 (multivariate, and the
    settings of Optuna's `TPESampler`). While a batch is open its settings count as bad ones (constant liar).
    """

    def __init__(self, asked: Asked) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.values = asked.vary
        self.kinds = {name: _distribution(optuna, values) for name, values in self.values.items()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            how: dict[str, Any] = {"multivariate": True, "constant_liar": True, "n_startup_trials": START}
            sampler = optuna.samplers.TPESampler(seed=asked.seed % 2**32, **how)
        self.study = optuna.create_study(sampler=sampler)
        self.open: list[Any] = []

    def next(self, many: int) -> list[Setting]:
        self.open = [self.study.ask(self.kinds) for _ in range(many)]
        return [tuple(self._value(trial, name) for name in self.values) for trial in self.open]

    def _value(self, trial: Any, name: str) -> Any:
        """Numbers are asked for by their place, so that gaps between them do not matter."""
        given = trial.params[name]
        return self.values[name][given] if _numbers(self.values[name]) else given

    def tell(self, losses: list[tuple[Setting, float]]) -> None:
        for trial, (_, loss) in zip(self.open, losses, strict=True):
            self.study.tell(trial, loss)


def _optuna(asked: Asked) -> _Optuna:
    return _Optuna(asked)


def _numbers(values: list[Any]) -> bool:
    return all(type(value) is int for value in values)


def _distribution(optuna: Any, values: list[Any]) -> Any:
    kinds = optuna.distributions
    return (
        kinds.IntDistribution(0, len(values) - 1)
        if _numbers(values)
        else kinds.CategoricalDistribution(values)
    )
