"""What a strategy is: a function that decides, with named, bounded weights.

@strategy(game, threshold=Weight(20, 1, 1000, "Hold from this turn total on, points"))
def hold_at(view, w):
    '''Roll until the turn total reaches the threshold.'''
    return HOLD if view.turn_total >= w.threshold else ROLL

A strategy names those of these arguments that it uses, in any order:

view     the state as seen, read-only          rules   options and component tables, read-only
legal    legal action ids, ascending           w       the weights by name
rng      the seat's own stream of luck         scratch states to try things on
memo     numbers kept during one game (int64[16], zero at its start)
work     numbers to work with (int64[4096]) that hold anything at first: see `workspace`
"""

import enum
import hashlib
import inspect
import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import WORK, Player, strategy_signature
from simkit.engine.options import plain
from simkit.engine.rng import below, priority
from simkit.errors import UsageError, look_up, unknown

Body = Callable[..., Any]
ARGUMENTS = ("view", "rules", "legal", "w", "rng", "scratch", "memo", "work")


class Weight(NamedTuple):
    """A number that tunes a strategy; whole numbers if the default is one."""

    default: float
    low: float
    high: float
    meaning: str
    label: str = ""  # for people

    @property
    def allowed(self) -> str:
        return f"{self.low:g} to {self.high:g}"

    @property
    def shown(self) -> str:
        return f"{self.default:g}"

    def number(self, where: str, text: str) -> float:
        try:
            value = int(text) if isinstance(self.default, int) else float(text)
        except ValueError:
            kind = "a whole number" if isinstance(self.default, int) else "a number"
            raise UsageError(f"{where} takes {kind} from {self.allowed}, not '{text}'") from None
        if not self.low <= value <= self.high:
            raise UsageError(f"{where} = {text} is out of range: {self.allowed}")
        return float(value)


class NamedChoice(NamedTuple):
    """A weight that names one of several ways, stored as an integer."""

    default: enum.IntEnum
    meaning: str
    label: str = ""

    @property
    def allowed(self) -> str:
        return ", ".join(m.name for m in type(self.default))

    @property
    def shown(self) -> str:
        return self.default.name

    def number(self, where: str, text: str) -> float:
        return float(look_up(f"choice for {where}", text, type(self.default).__members__))


AnyWeight = Weight | NamedChoice


# A weight of every strategy: deterministic players who never err replay the same game.
BLUNDER = {"blunder": Weight(0.0, 0.0, 1.0, "Probability of a random legal action at a decision", "blunders")}


@dataclass(frozen=True, eq=False)
class Strategy:
    """A strategy: `body` decides; `game` is None for a strategy that plays every game."""

    name: str
    label: str  # a short name for people
    meaning: str
    body: Body
    weights: dict[str, AnyWeight]
    game: Game | None
    allocates: bool = True
    at_default: tuple[str, Body] | None = None  # a weight, and what decides while it has its default

    @property
    def tries(self) -> bool:
        """Whether it tries things on states of its own, which takes its time."""
        return "scratch" in inspect.signature(self.body).parameters

    @property
    def all_weights(self) -> dict[str, AnyWeight]:
        """Its own weights, then that of every strategy."""
        return self.weights | BLUNDER

    def player(self, game: Game, given: Mapping[str, str] = {}) -> Player:
        """Ready to play `game` with the given weights (as text) over the defaults."""
        numbers = {name: float(weight.default) for name, weight in self.all_weights.items()}
        for name, text in given.items():
            weight = look_up(f"weight of {self.name}", name, self.all_weights)
            numbers[name] = weight.number(f"{self.name}({name})", text)
        *own, blunder = numbers.values()
        decide = _entry(self, game, self._is_usual(numbers))
        looks = "view" in inspect.signature(decide.body).parameters
        return Player(str(Named(self.name, given)), decide, np.array(own), blunder, looks)

    def _is_usual(self, numbers: Mapping[str, float]) -> bool:
        """Whether the weight of `at_default` has its default."""
        if self.at_default is None:
            return False
        name, _ = self.at_default
        return numbers[name] == float(self.weights[name].default)


def strategy(
    game: Game | None,
    *,
    label: str = "",
    allocates: bool = True,
    at_default: tuple[str, Body] | None = None,
    **weights: AnyWeight,
) -> Callable[[Body], Strategy]:
    """Make a strategy of a function; its first docstring line is its meaning.

    `allocates=False`: it makes no arrays, nor does a rule that it calls hand it one: compiled without
    reference counts it is faster. `at_default`: a weight, and what decides in the function's place while it
    has its default: what only the weight needs is then not compiled.
    """

    def wrap(body: Body) -> Strategy:
        name = body.__name__
        meaning = (body.__doc__ or "").strip().splitlines()
        if not meaning:
            raise UsageError(f"strategy {name} has no docstring: its first line is shown to users")
        for taken in BLUNDER.keys() & weights:
            raise UsageError(f"strategy {name}: every strategy has a weight '{taken}'; name yours otherwise")
        for asked in inspect.signature(body).parameters:
            if asked not in ARGUMENTS:
                raise unknown(f"argument of strategy {name}", asked, ARGUMENTS)
        return Strategy(name, label or plain(name), meaning[0], body, weights, game, allocates, at_default)

    return wrap


@cache
def _entry(chosen: Strategy, game: Game, usual: bool) -> jit.Entry:
    """The function of a strategy for a game, to be compiled; a fault in its source is told in one line."""
    body, name = chosen.body, chosen.name
    if chosen.at_default and usual:
        body = chosen.at_default[1]
    elif chosen.at_default:
        name = f"{name} any {chosen.at_default[0]}"
    file = body.__code__.co_filename  # two projects may use one name
    place = hashlib.sha256(file.encode()).hexdigest()[:6]
    decide = takes_all(body, _names_weights(chosen.weights) if chosen.weights else None, chosen.allocates)
    named, who = f"strategy {game.name} {name} {place}", f"strategy {chosen.name}"
    return jit.Entry(decide, strategy_signature(game), named, chosen.allocates, who=who, body=body)


def record_of(**fields: tuple[Any, ...]) -> np.dtype:
    """The type of a record of arrays, by name: their type (which may be such a record), then their shape."""
    return np.dtype((np.record, [(name, of, tuple(shape)) for name, (of, *shape) in fields.items()]))


def workspace(**fields: tuple[Any, ...]) -> Any:
    """A rule from the numbers lent as `work` to arrays of one's own, by name: their type, then their shape.

    They hold anything at first, and stay as a strategy leaves them until another seat is asked.

    OWN = workspace(scores=(float, 512), counts=(int, 12, 7))
    own = OWN(work)
    own.scores[0] = own.counts[3, 4]
    """
    kind = record_of(**fields)
    if kind.itemsize > 8 * WORK:
        most = f"at most {8 * WORK:,} bytes are lent"
        raise UsageError(f"a workspace of {', '.join(fields)} takes {kind.itemsize:,} bytes: {most}")
    return jit.seen_as(kind)


@jit.rule
def best_of(legal, scores, key):  # type: ignore[no-untyped-def]
    """The action of the highest score, uniform among ties: of these the one of the highest priority.

    scores: one for each of `legal`. key: of `chance.keyed`, another one for each choice. An id has its
    priority whatever else is legal: on one deal ties mostly go to the same action under other rules, too.
    """
    chosen, highest = 0, -1  # its priority, where a tie has asked for it
    for i in range(1, legal.size):
        if scores[i] > scores[chosen]:
            chosen, highest = i, -1
        elif scores[i] == scores[chosen]:
            if highest < 0:
                highest = priority(key, legal[chosen])
            other = priority(key, legal[i])
            if other > highest:
                chosen, highest = i, other
    return legal[chosen]


@jit.rule
def any_of(legal, key):  # type: ignore[no-untyped-def]
    """Any legal action, each as likely as the others: the one of the highest priority, as in `best_of`."""
    chosen, highest = 0, -1
    for i in range(legal.size):
        other = priority(key, legal[i])
        if other > highest:
            chosen, highest = i, other
    return legal[chosen]


def takes_all(function: Body, names_weights: Any = None, allocates: bool = True) -> Body:
    """A function of ARGUMENTS that hands `function` those that it names, its weights by name if they have.

    What it returns is a whole number. An index beyond `legal`, `memo` or a field is an IndexError.
    """
    weights = "names_weights(w)" if names_weights else "w"
    handed = ", ".join(weights if name == "w" else name for name in inspect.signature(function).parameters)
    body = jit.rule(function, allocates=allocates, bounds=True)
    scope = {"body": body, "whole": jit.whole, "names_weights": names_weights, "__name__": __name__}
    source = f"def decide({', '.join(ARGUMENTS)}):\n    return whole(body({handed}))"
    exec(compile(source, __file__, "exec"), scope)  # a file of its own: the cache on disk is kept beside it
    return cast("Callable[..., Any]", scope["decide"])


def _names_weights(weights: dict[str, AnyWeight]) -> Any:
    """A rule from the weight array to a named tuple, so that a strategy may say w.threshold."""
    kind = namedtuple("weights", list(weights))  # type: ignore[misc]
    whole = ["" if isinstance(w.default, float) else "int" for w in weights.values()]
    parts = ", ".join(f"{number}(w[{i}])" for i, number in enumerate(whole))
    scope: dict[str, Any] = {"kind": kind, "__name__": __name__}
    exec(f"def names_weights(w):\n    return kind({parts})", scope)
    return jit.rule(scope["names_weights"])


@strategy(None, allocates=False)
def random(legal, rng):  # type: ignore[no-untyped-def]
    """Any legal action, each as likely as the others."""
    return legal[below(rng, legal.size)]


class Named(NamedTuple):
    """A strategy as written: its name and the weights given to it."""

    name: str
    weights: Mapping[str, str]

    def __str__(self) -> str:
        inner = ", ".join(f"{n}={v}" for n, v in self.weights.items())
        return f"{self.name}({inner})" if inner else self.name


_WRITTEN = re.compile(
    r"\s*(?P<name>[A-Za-z_]\w*)\s*(\((?P<weights>[^()]*)\))?\s*(\*\s*(?P<times>[0-9]{1,9}))?\s*"
)


def parse_strategy(text: str) -> list[Named]:
    """What one entry of a lineup names, repeated as written: `greedy(caution=0.7)*3`.

    >>> [str(n) for n in parse_strategy("hold_at(threshold=25)*2")]
    ['hold_at(threshold=25)', 'hold_at(threshold=25)']
    """
    found = _WRITTEN.fullmatch(text)
    if not found:
        raise UsageError(f"strategy '{text}' is not of the form name, name(weight=value, ...) or name*4")
    weights: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in (found["weights"] or "").split(","))):
        name, equals, value = (p.strip() for p in part.partition("="))
        if not equals or not name or not value or name in weights:
            raise UsageError(f"strategy '{text}': '{part}' is not of the form weight=value, each weight once")
        weights[name] = value
    times = int(found["times"] or 1)
    if not 1 <= times <= 100:
        raise UsageError(f"strategy '{text}': repeat it 1 to 100 times")
    return [Named(found["name"], weights)] * times


def parse_lineup(text: str) -> list[Named]:
    """The strategies by seat; commas inside parentheses do not split.

    >>> [str(n) for n in parse_lineup("greedy(a=1, b=2), random*2")]
    ['greedy(a=1, b=2)', 'random', 'random']
    """
    return [named for part in re.split(r",(?![^()]*\))", text) for named in parse_strategy(part)]


def seats_of(lineups: Iterable[Iterable[str]]) -> int:
    """The one number of seats of lineups as written; UsageError if they have different ones.

    >>> seats_of([["random*2"], ["greedy(a=1), random"]])
    2
    """
    found = {sum(len(parse_lineup(text)) for text in lineup) for lineup in lineups}
    if len(found) > 1:
        raise UsageError("the lineups have different numbers of seats; ask for one number at a time")
    return found.pop()
