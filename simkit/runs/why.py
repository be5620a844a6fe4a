"""Why a game went as it did: what each decision was worth, against its alternatives, by a strong player.

Values are expected shares of the win for the seat that decides, by what it can see: from the net of the
game's learned player if it was trained for these rules, else from play-outs.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import registry
from simkit.engine.alternatives import ACTION, DECISION, SAMPLES, STEP, value_alternatives
from simkit.engine.learned.file import file_digests, notes
from simkit.engine.lineups import parse_strategy
from simkit.engine.perspective import Perspective
from simkit.engine.rng import open_streams
from simkit.engine.rule_helpers import OVER
from simkit.engine.strategy import BEST, LEARNED, RANDOM
from simkit.engine.table import Player
from simkit.runs.experiment import Experiment
from simkit.runs.play import Seating

SURE = 3  # standard errors by which a decision surely cost something: the best of many looks too good
LISTED = 3  # alternatives in a hint
LEAST = 0.01  # cost of a turning point
TRIFLE = 0.02  # cost below which a decision is not told in brief


class Alternative(NamedTuple):
    """A legal action of a decision, in words, with its value: the expected share of the win."""

    action: int
    text: str
    value: float
    error: float  # standard error of the value


class Decision(NamedTuple):
    """A decision of a game with its alternatives, the best first."""

    number: int  # from 0
    step: int  # index among all actions of the game
    turn: int
    seat: int
    action: int  # that was taken
    samples: int  # redeals or play-outs of each action
    cost: float  # value of the best alternative less that of the action taken
    low: float  # SURE standard errors below and above the cost, by samples with common luck
    high: float
    alternatives: list[Alternative]

    @property
    def taken(self) -> Alternative:
        """The alternative that was taken."""
        return next(each for each in self.alternatives if each.action == self.action)


class Judge(NamedTuple):
    """The strongest player at hand, which values alternatives."""

    player: Player
    learned: bool

    def method(self, samples: Sequence[int]) -> str:
        """Return how the values come about, in words; `samples` of each decision."""
        least, most = min(samples, default=0), max(samples, default=0)
        count = f"{most}" if least == most else f"{least} to {most}"
        if not self.learned:
            return f"{count} play-outs of {self.player.label} for each action, with common luck"
        return "the learned player" + (f", mean of {count} redeals" if most > 1 else "")


def judge_of(experiment: Experiment, place: Seating) -> Judge:
    """Return the judge of a table: the learned player that was trained for its rules, else a policy.

    That is the default policy of searches, or one of the lineup where the former plays at random.
    """
    game, cell = place.table.game, place.cell
    if (BEST, cell.seats) in registry.learned_files(game):
        trained = registry.learned_player(game, BEST, cell.seats)
        options = game.resolve(cell.options)
        if not notes(trained, options, file_digests(experiment.files_of(cell.varied))):
            return Judge(registry.player(game, parse_strategy(LEARNED)[0], cell.seats), True)
    (policy,) = parse_strategy(registry.default_policy(game))
    if policy.name == RANDOM:
        able = registry.scripted(game).keys() - {RANDOM}
        policy = next((named for named in cell.lineup if named.name in able), policy)
    return Judge(registry.player(game, policy, cell.seats), False)


def decisions(
    judge: Judge, place: Seating, deal: int, actions: Sequence[int], earliest: int = 0, rotation: int = 0
) -> Iterator[Decision]:
    """Yield the decisions of a game, from number `earliest` on, by its actions so far."""
    table, game = place.table, place.table.game
    trail = np.array(actions, np.int64)
    listed, values = value_alternatives(
        table, judge.player, place.cell.seats, place.seed, deal, trail, earliest, rotation
    )
    rows = {int(step): np.flatnonzero(listed[:, STEP] == step) for step in set(listed[:, STEP])}
    s, rules, eyes = np.zeros(1, game.state_dtype)[0], table.rules[0], Perspective(table, None)
    streams, turn = np.zeros(1, game.rng_dtype), 1  # a person's game goes on with those of the table
    open_streams(streams.view(np.uint64), place.seed, deal, table.names)
    rng, s.seats = streams[0], place.cell.seats
    game.begin(s, rules, rng, rotation)
    for step, action in enumerate(actions):
        if step in rows:
            own = rows[step]
            number, samples = int(listed[own[0], DECISION]), int(listed[own[0], SAMPLES])
            texts = [eyes.offer(s, int(other)) for other in listed[own, ACTION]]
            at = number, step, turn, int(s.seat), int(action)
            yield _decision(at, listed[own, ACTION], texts, values[own, :samples])
        turns = int(s.log.game.turns)
        game.step(s, rules, int(action), rng)
        turn += s.seat == OVER or s.log.game.turns != turns


def _decision(
    at: tuple[int, int, int, int, int], actions: Any, texts: list[str], values: np.ndarray
) -> Decision:
    """Return a decision by where it is and the values of its alternatives in samples."""
    means, samples = values.mean(axis=1), values.shape[1]
    order = np.argsort(-means, kind="stable")
    gains = values[order[0]] - values[list(actions).index(at[-1])]
    cost, margin = float(gains.mean()), SURE * _error(gains)
    alternatives = [Alternative(int(actions[i]), texts[i], float(means[i]), _error(values[i])) for i in order]
    return Decision(*at, samples, cost, cost - margin, cost + margin, alternatives)


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else 0.0


def turning_point(every: Sequence[Decision]) -> Decision | None:
    """Return the decision that cost its seat most, of those that surely cost something; None without one.

    A single value of each alternative has no known error: what it says is true by the judge's values only.
    """
    costly = [each for each in every if each.low > 0 and each.cost >= LEAST]
    return max(costly, key=lambda each: each.cost, default=None)


def as_document(judge: Judge, every: Sequence[Decision]) -> dict[str, Any]:
    """Return decisions as data."""
    point = turning_point(every)
    rows = [each._asdict() | {"alternatives": [own._asdict() for own in each.alternatives]} for each in every]
    method = judge.method([each.samples for each in every])
    return {"values_by": method, "turning_point": point and point.number, "decisions": rows}


# Sentences; values are in percent of a win.


def percent(value: float) -> str:
    """Return a share of the win in percent.

    >>> percent(0.543), percent(0.9996)
    ('54', '100')
    """
    return f"{100 * value:.0f}"


def heading(judge: Judge, every: Sequence[Decision]) -> str:
    """Return what the values are."""
    method = judge.method([each.samples for each in every])
    return f"values: the chance of winning in percent, by what the seat that decides can see ({method})"


def verdict(decision: Decision) -> str:
    """Return what a decision was worth against its alternatives."""
    taken, best = decision.taken, decision.alternatives[0]
    if taken.action != best.action and percent(best.value) != percent(taken.value):
        return f"worth {percent(taken.value)}; best: {best.text}, {percent(best.value)}"
    others = [own for own in decision.alternatives if own.action != taken.action]
    return f"worth {percent(taken.value)}; next best: {others[0].text}, {percent(others[0].value)}"


def hint(decision: Decision) -> str:
    """Return the best alternatives of a decision that is to be taken."""
    best = decision.alternatives[:LISTED]
    return "; ".join(f"{own.text}: {percent(own.value)}" for own in best)


def turning_sentence(every: Sequence[Decision], called: Callable[[int], str]) -> str:
    """Return which decision was the turning point; `called` names a seat."""
    decision = turning_point(every)
    single = any(each.samples == 1 for each in ([decision] if decision else every))
    by = ", by this player's values" if single else ""
    if decision is None:
        sure = "" if single else " surely"
        return f"turning point: none; no decision{sure} cost its seat a chance in 100 to win{by}"
    taken, best = decision.taken, decision.alternatives[0]
    low, high = percent(decision.low), percent(decision.high)
    certain = f" ({low} to {high})" if low != high else ""
    lost = f"gave up {percent(decision.cost)}{certain} of {percent(best.value)} chances in 100 to win"
    name = called(decision.seat)
    return f"turning point: in turn {decision.turn} {name} {lost}{by}: {taken.text}, instead of: {best.text}"
