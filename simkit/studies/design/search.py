"""Search over settings: all of them where they are few, otherwise those that Optuna proposes."""

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

from simkit.analysis.goals import GoalRow
from simkit.errors import UsageError
from simkit.runs.plan import make_plan
from simkit.studies.design.request import Request
from simkit.studies.proposals import BATCH_SIZE, MAX_PROPOSALS_PER_TRIAL, Proposals
from simkit.studies.study import Setting, Value

REFUSED_LOSS = 1e6  # reported to Optuna for a setting that the game refuses


class Judged(NamedTuple):
    """A setting that was measured."""

    setting: Setting
    deals: int
    loss: float  # distance from the wishes in tolerances; below 0 where all are met
    hope: float  # the loss at the best end of every interval
    rows: list[GoalRow]  # measurements by lineup and goal


Measure = Callable[[list[Setting], int, str], list[Judged]]  # settings, deals, name of the side run


def explore(request: Request, printed: Judged, measure: Measure) -> tuple[list[Judged], int]:
    """Return the measured settings, the printed rules first, and the number of refused settings.

    Each setting is first played on few deals. It is played on all deals (the same for every setting) unless
    even the best ends of its intervals are worse than the best setting so far. A dropped setting counts with
    its first measurement. The order depends on the seed alone.
    """
    judged: dict[Setting, Judged | None] = {printed.setting: printed}
    proposals = _Exhaustive(request) if request.setting_count <= request.trials else _Optuna(request)
    proposed, number = 0, 0
    while len(judged) <= request.trials and proposed < MAX_PROPOSALS_PER_TRIAL * request.trials:
        batch = proposals.next(min(BATCH_SIZE, request.trials + 1 - len(judged)))
        if not batch:
            break
        proposed += len(batch)
        new = [setting for setting in dict.fromkeys(batch) if setting not in judged]
        judged |= {setting: None for setting in new if _refuses(request, setting)}
        fresh = [setting for setting in new if setting not in judged]
        if fresh:
            number += 1
            measured = [candidate for candidate in judged.values() if candidate]
            raced = _race(request, measured, fresh, number, measure)
            judged |= {candidate.setting: candidate for candidate in raced}
        outcomes = [judged[setting] for setting in batch]
        proposals.learn([candidate.loss if candidate else REFUSED_LOSS for candidate in outcomes])
    measured = [candidate for candidate in judged.values() if candidate]
    return measured, len(judged) - len(measured)


def _race(
    request: Request, measured: list[Judged], fresh: list[Setting], number: int, measure: Measure
) -> list[Judged]:
    """Measure fresh settings on few deals, and those that may still be the best on all deals."""
    first = measure(fresh, request.first_deals, f"round{number}")
    if request.first_deals == request.deals:
        return first
    best = min(candidate.loss for candidate in measured if candidate.deals == request.deals)
    left = [candidate.setting for candidate in first if candidate.hope <= best]
    return first + (measure(left, request.deals, f"race{number}") if left else [])


def _refuses(request: Request, setting: Setting) -> bool:
    """Return whether the game refuses a setting."""
    try:
        make_plan(request.side_run([setting], 1)).check()
    except UsageError:
        return True
    return False


class _Exhaustive:
    """All settings, in order."""

    def __init__(self, request: Request) -> None:
        self.settings = itertools.product(*request.vary.values())

    def next(self, count: int) -> list[Setting]:
        """Return the next settings, `count` at most."""
        return list(itertools.islice(self.settings, count))

    def learn(self, losses: list[float]) -> None:
        """Ignore the losses, which do not change the order."""


class _Optuna:
    """Settings from a tree-structured Parzen estimator, which copes with noise, whole numbers and names."""

    def __init__(self, request: Request) -> None:
        self.values = request.vary
        space = {name: _distribution(values) for name, values in self.values.items()}
        self.proposals = Proposals(space, request.seed)

    def next(self, count: int) -> list[Setting]:
        """Return `count` settings that Optuna proposes."""
        points = self.proposals.next(count)
        return [tuple(self._value(name, point[name]) for name in self.values) for point in points]

    def _value(self, name: str, proposal: Any) -> Value:
        """Return the value of an option; numbers are sampled by index, so gaps between them do not matter."""
        values = self.values[name]
        return values[proposal] if _all_whole(values) else proposal

    def learn(self, losses: list[float]) -> None:
        """Report the losses of the open batch to Optuna."""
        self.proposals.learn(losses)


def _all_whole(values: list[Value]) -> bool:
    """Return whether all values are whole numbers."""
    return all(type(value) is int for value in values)


def _distribution(values: list[Value]) -> Any:
    """Return the distribution of Optuna from which an option is sampled."""
    from optuna.distributions import CategoricalDistribution, IntDistribution

    return IntDistribution(0, len(values) - 1) if _all_whole(values) else CategoricalDistribution(values)
