"""Definition of a strategy: a function that decides, with named, bounded weights.

@strategy(game, threshold=Weight(20, 1, 1000, "Hold from this turn total on, points"))
def hold_at(view, w):
    '''Roll until the turn total reaches the threshold.'''
    return HOLD if view.turn_total >= w.threshold else ROLL

A strategy takes any of these arguments, in any order:

view     the state as seen, read-only          rules   options and component tables, read-only
legal    legal action ids, ascending           w       the weights by name
rng      the seat's own stream of luck         scratch states for trying actions
memo     numbers remembered during one game (int64[16], zero at its start)
work     memory for temporary arrays (int64[4096]), not initialised: see `workspace`
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
    """Number that tunes a strategy; whole numbers only if the default is an int."""

    default: float
    low: float
    high: float
    meaning: str
    label: str = ""  # for people

    @property
    def allowed(self) -> str:
        """Range of the weight in words."""
        return f"{self.low:g} to {self.high:g}"

    @property
    def shown(self) -> str:
        """Default as a person writes it."""
        return f"{self.default:g}"

    def number(self, where: str, text: str) -> float:
        """Return the value of a text; UsageError, which names the weight `where`, outside the range."""
        try:
            value = int(text) if isinstance(self.default, int) else float(text)
        except ValueError:
            kind = "a whole number" if isinstance(self.default, int) else "a number"
            raise UsageError(f"{where} takes {kind} from {self.allowed}, not '{text}'") from None
        if not self.low <= value <= self.high:
            raise UsageError(f"{where} = {text} is out of range: {self.allowed}")
        return float(value)


class NamedChoice(NamedTuple):
    """Weight whose values have names, stored as an integer."""

    default: enum.IntEnum
    meaning: str
    label: str = ""

    @property
    def allowed(self) -> str:
        """Names of all values."""
        return ", ".join(m.name for m in type(self.default))

    @property
    def shown(self) -> str:
        """Default as a person writes it."""
        return self.default.name

    def number(self, where: str, text: str) -> float:
        """Return the number of a named value; UsageError, which names the weight `where`, for others."""
        return float(look_up(f"choice for {where}", text, type(self.default).__members__))


AnyWeight = Weight | NamedChoice


# A weight of every strategy: without random errors deterministic strategies replay the same game.
BLUNDER = {"blunder": Weight(0.0, 0.0, 1.0, "Probability of a random legal action at a decision", "blunders")}


@dataclass(frozen=True, eq=False)
class Strategy:
    """Strategy: `body` decides; `game` is None for a strategy that plays every game."""

    name: str
    label: str  # a short name for people
    meaning: str
    body: Body
    weights: dict[str, AnyWeight]
    game: Game | None
    allocates: bool = True
    at_default: tuple[str, Body] | None = None  # a weight, and the function that decides at its default

    @property
    def tries(self) -> bool:
        """Whether the strategy tries actions on scratch states, which takes time."""
        return "scratch" in inspect.signature(self.body).parameters

    @property
    def all_weights(self) -> dict[str, AnyWeight]:
        """Weights of the strategy, then the weight that every strategy has."""
        return self.weights | BLUNDER

    def player(self, game: Game, given: Mapping[str, str] = {}) -> Player:
        """Return a player of `game` with the given weights (as text) in place of the defaults."""
        defaults = {name: float(weight.default) for name, weight in self.all_weights.items()}
        numbers = dict(defaults)
        for name, text in given.items():
            weight = look_up(f"weight of {self.name}", name, self.all_weights)
            numbers[name] = weight.number(f"{self.name}({name})", text)
        *own, blunder = numbers.values()
        usual = not self.at_default or numbers[self.at_default[0]] == defaults[self.at_default[0]]
        decide = _entry(self, game, usual)
        takes_view = "view" in inspect.signature(decide.body).parameters
        return Player(str(Named(self.name, given)), decide, np.array(own), blunder, takes_view)


def strategy(
    game: Game | None,
    *,
    label: str = "",
    allocates: bool = True,
    at_default: tuple[str, Body] | None = None,
    **weights: AnyWeight,
) -> Callable[[Body], Strategy]:
    """Make a strategy of a function; the first line of its docstring is the meaning shown to users.

    Args:
        game: the game that it plays, or None for every game.
        label: short name for people; the name of the function in words if empty.
        allocates: False declares that the function neither makes arrays nor receives one from a rule that it
            calls; it is then compiled without reference counts, which is faster.
        at_default: a weight, and the function that decides instead while the weight has its default, so that
            code which only the weight needs is not compiled.
        weights: weights by name.
    """

    def wrap(body: Body) -> Strategy:
        name = body.__name__
        meaning = (body.__doc__ or "").strip().splitlines()
        if not meaning:
            raise UsageError(f"strategy {name} has no docstring: its first line is shown to users")
        for weight in BLUNDER.keys() & weights:
            raise UsageError(f"strategy {name}: every strategy has a weight '{weight}'; name yours otherwise")
        for argument in inspect.signature(body).parameters:
            if argument not in ARGUMENTS:
                raise unknown(f"argument of strategy {name}", argument, ARGUMENTS)
        return Strategy(name, label or plain(name), meaning[0], body, weights, game, allocates, at_default)

    return wrap


@cache
def _entry(chosen: Strategy, game: Game, usual: bool) -> jit.Entry:
    """Return the function of a strategy for a game, to be compiled on first use."""
    body, name = chosen.body, chosen.name
    if chosen.at_default and usual:
        body = chosen.at_default[1]
    elif chosen.at_default:
        name = f"{name} any {chosen.at_default[0]}"
    file = body.__code__.co_filename  # two projects may use one name
    place = hashlib.sha256(file.encode()).hexdigest()[:6]
    decide = takes_all(body, _names_weights(chosen.weights) if chosen.weights else None, chosen.allocates)
    key, who = f"strategy {game.name} {name} {place}", f"strategy {chosen.name}"
    return jit.Entry(decide, strategy_signature(game), key, chosen.allocates, who=who, body=body)


def record_of(**fields: tuple[Any, ...]) -> np.dtype:
    """Return the type of a record of arrays; each field is a tuple of element type (or record) and shape."""
    return np.dtype((np.record, [(name, kind, tuple(shape)) for name, (kind, *shape) in fields.items()]))


def workspace(**fields: tuple[Any, ...]) -> Any:
    """Return a rule that turns `work` into a record of arrays; each field is a tuple of type and shape.

    The arrays are not initialised; their content lasts until another seat is to decide.

    OWN = workspace(scores=(float, 512), counts=(int, 12, 7))
    own = OWN(work)
    own.scores[0] = own.counts[3, 4]
    """
    kind = record_of(**fields)
    if kind.itemsize > 8 * WORK:
        limit = f"at most {8 * WORK:,} bytes are lent"
        raise UsageError(f"a workspace of {', '.join(fields)} takes {kind.itemsize:,} bytes: {limit}")
    return jit.seen_as(kind)


@jit.rule
def best_of(legal, scores, key):  # type: ignore[no-untyped-def]
    """Return the legal action with the highest score; a tie goes to the action of the highest priority.

    `scores` has one number for each of `legal`; `key` is one of `rng.keyed`, a different one for each choice.
    The choice among ties is uniform. The priority of an action does not depend on the other legal actions, so
    that on one deal a tie mostly goes to the same action under other rules, too.
    """
    chosen, highest = 0, -1  # priority of the chosen action, -1 until there is a tie
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
    """Return a uniformly random legal action: the one of the highest priority, as in `best_of`."""
    chosen, highest = 0, -1
    for i in range(legal.size):
        other = priority(key, legal[i])
        if other > highest:
            chosen, highest = i, other
    return legal[chosen]


def takes_all(function: Body, names_weights: Any = None, allocates: bool = True) -> Body:
    """Return a function of all ARGUMENTS that passes `function` those that it takes.

    `names_weights` is a rule that gives the weights their names. The result is checked to be a whole number.
    An index outside `legal`, `memo` or a field raises IndexError.
    """
    weights = "names_weights(w)" if names_weights else "w"
    handed = ", ".join(weights if name == "w" else name for name in inspect.signature(function).parameters)
    body = jit.rule(function, allocates=allocates, bounds=True)
    scope = {"body": body, "whole": jit.whole, "names_weights": names_weights, "__name__": __name__}
    source = f"def decide({', '.join(ARGUMENTS)}):\n    return whole(body({handed}))"
    exec(compile(source, __file__, "exec"), scope)  # a file of its own: the cache on disk is kept beside it
    return cast("Callable[..., Any]", scope["decide"])


def _names_weights(weights: dict[str, AnyWeight]) -> Any:
    """Return a rule that turns the array of weights into a named tuple, for `w.threshold` in a strategy."""
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
    """Strategy as written in a lineup: its name and its given weights."""

    name: str
    weights: Mapping[str, str]

    def __str__(self) -> str:
        inner = ", ".join(f"{n}={v}" for n, v in self.weights.items())
        return f"{self.name}({inner})" if inner else self.name


_LINEUP_ENTRY = re.compile(
    r"\s*(?P<name>[A-Za-z_]\w*)\s*(\((?P<weights>[^()]*)\))?\s*(\*\s*(?P<times>[0-9]{1,9}))?\s*"
)


def parse_strategy(text: str) -> list[Named]:
    """Return the strategies of one entry of a lineup, repeated as written: `greedy(caution=0.7)*3`.

    >>> [str(n) for n in parse_strategy("hold_at(threshold=25)*2")]
    ['hold_at(threshold=25)', 'hold_at(threshold=25)']
    """
    match = _LINEUP_ENTRY.fullmatch(text)
    if not match:
        raise UsageError(f"strategy '{text}' is not of the form name, name(weight=value, ...) or name*4")
    weights: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in (match["weights"] or "").split(","))):
        name, equals, value = (p.strip() for p in part.partition("="))
        if not equals or not name or not value or name in weights:
            raise UsageError(f"strategy '{text}': '{part}' is not of the form weight=value, each weight once")
        weights[name] = value
    times = int(match["times"] or 1)
    if not 1 <= times <= 100:
        raise UsageError(f"strategy '{text}': repeat it 1 to 100 times")
    return [Named(match["name"], weights)] * times


def parse_lineup(text: str) -> list[Named]:
    """Return the strategies of a lineup by seat; commas inside parentheses do not split.

    >>> [str(n) for n in parse_lineup("greedy(a=1, b=2), random*2")]
    ['greedy(a=1, b=2)', 'random', 'random']
    """
    return [named for part in re.split(r",(?![^()]*\))", text) for named in parse_strategy(part)]


def seats_of(lineups: Iterable[Iterable[str]]) -> int:
    """Return the number of seats of lineups as written; UsageError if the lineups differ in it.

    >>> seats_of([["random*2"], ["greedy(a=1), random"]])
    2
    """
    seat_counts = {sum(len(parse_lineup(text)) for text in lineup) for lineup in lineups}
    if len(seat_counts) > 1:
        raise UsageError("the lineups have different numbers of seats; ask for one number at a time")
    return seat_counts.pop()
