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
work     memory for temporary arrays (int64[4096], or as many as the strategy declares), not initialised:
         see `workspace`
net      what the player has learned (int16, read-only), empty unless a weight is `Trained`
"""

import enum
import hashlib
import inspect
from collections import namedtuple
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import SEARCH_STATES, WORK, search_signature, strategy_signature
from simkit.engine.learned.net import room_of
from simkit.engine.lineups import Named
from simkit.engine.options import to_words
from simkit.engine.rng import below, priority
from simkit.engine.table import NO_NET, Player, Search
from simkit.errors import UsageError, look_up, unknown

Body = Callable[..., Any]
Room = Callable[[Game, Mapping[str, float]], int]  # numbers of `work` that a strategy needs, by its weights
ARGUMENTS = ("view", "rules", "legal", "w", "rng", "scratch", "memo", "work", "net")
LENT = (  # by the kernel to a search
    "luck", "words", "streams", "memos",
    "policy", "policy_weights", "policy_work", "policy_net", "policy_size", "ply",
)  # fmt: skip
# What is lent as a search receives it, see `searching`.
Lent = namedtuple("Lent", "luck words streams seen scratch memos work policy weights net size")
LentToBase = namedtuple("LentToBase", "weights work")  # see `strategy`


class Weight(NamedTuple):
    """Number that tunes a strategy; whole numbers only if the default is an int.

    >>> Weight(20, 1, 1000, "Hold from this turn total on").allowed
    '1 to 1000'
    """

    default: float
    low: float
    high: float
    meaning: str
    label: str = ""  # for people

    @property
    def allowed(self) -> str:
        """Range of the weight in words."""
        return f"{self.low:.10g} to {self.high:.10g}"

    @property
    def default_text(self) -> str:
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
    """Weight whose values have names, stored as an integer.

    >>> Hand = enum.IntEnum("Hand", "first most_cards", start=0)
    >>> NamedChoice(Hand.first, "Hand to keep").allowed
    'first, most_cards'
    """

    default: enum.IntEnum
    meaning: str
    label: str = ""

    @property
    def allowed(self) -> str:
        """Names of all values."""
        return ", ".join(m.name for m in type(self.default))

    @property
    def default_text(self) -> str:
        """Default as a person writes it."""
        return self.default.name

    def number(self, where: str, text: str) -> float:
        """Return the number of a named value; UsageError, which names the weight `where`, for others."""
        return float(look_up(f"choice for {where}", text, type(self.default).__members__))


class Policy(NamedTuple):
    """Weight of a search that is a strategy: the one with which it plays on.

    >>> Policy("Plays on in all seats").label
    'policy'
    """

    meaning: str
    label: str = "policy"
    allowed: str = "a strategy of the game, with its weights"


LEARNED, BEST = "learned", "best"  # strategy by which learned players play, and the name of the usual one


class Trained(NamedTuple):
    """Weight that is the name of a trained player: what this has learned is lent to the strategy as `net`.

    >>> Trained("Player that `simkit learn` trained").default_text
    'best'
    """

    meaning: str
    label: str = "trained player"
    default_text: str = BEST
    allowed: str = "the name of a trained player of the game"


NO_PLAYER = "none"  # in place of a trained player
NumericWeight = Weight | NamedChoice
AnyWeight = NumericWeight | Policy | Trained
POLICY = "policy"  # name of the weight of every search that is a Policy


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
    plays_on: bool = False  # whether it is the default policy of searches in its game
    plays_out: bool = False  # whether it decides by play-outs, as a search does
    room: Room | None = None  # numbers of `work`, WORK if None
    searches: bool = False  # whether it plays on with a policy; `body(game)` then makes what decides
    makes: bool = False  # whether `body(game, base)` makes what decides

    @property
    def trained(self) -> str:
        """Name of the weight that is a trained player; empty if there is none."""
        return next((name for name, weight in self.weights.items() if isinstance(weight, Trained)), "")

    @property
    def learns(self) -> bool:
        """Whether it plays only games that were learned."""
        weight = self.weights.get(self.trained)
        return isinstance(weight, Trained) and weight.default_text != NO_PLAYER

    @property
    def all_weights(self) -> dict[str, AnyWeight]:
        """Weights of the strategy, then the weight that every strategy has."""
        return self.weights | BLUNDER

    def number(self, name: str, given: Mapping[str, str]) -> float:
        """Return the number that a weight has if the given ones (as text) replace the defaults."""
        weight = look_up(f"weight of {self.name}", name, self.all_weights)
        if not isinstance(weight, NumericWeight):
            raise UsageError(f"{self.name}({name}) is no number")
        return weight.number(f"{self.name}({name})", given[name]) if name in given else float(weight.default)

    def player(
        self,
        game: Game,
        given: Mapping[str, str] = {},
        policy: Player | None = None,
        net: np.ndarray = NO_NET,
        base: Player | None = None,
    ) -> Player:
        """Return a player of `game` with the given weights (as text) in place of the defaults.

        Args:
            game: the game.
            given: weights as text.
            policy: of a search, which needs one: a player that does not search.
            net: what the player has learned, for the number of seats at its table.
            base: of a strategy that `makes` what decides: the player whose code this contains.
        """
        for name in given:
            look_up(f"weight of {self.name}", name, self.all_weights)
        numbers = {name: self.number(name, given) for name in _numeric(self.all_weights)}
        *own, blunder = numbers.values()
        decide = _entry(self, game, self._is_usual(given), *((base.decide, base.room) if base else (None, 0)))
        label, weights, room = str(Named(self.name, given)), np.array(own), self._room(game, numbers, net)
        if policy:
            search = Search(decide, weights, room, net)
            return replace(policy, label=label, blunder=blunder, takes_view=True, search=search)
        if base:
            weights, room = np.concatenate([weights, base.weights]), base.room + room
        takes_view = "view" in inspect.signature(decide.body).parameters
        return Player(label, decide, weights, blunder, takes_view, net=net, room=room)

    def _is_usual(self, given: Mapping[str, str]) -> bool:
        """Return whether the weight of `at_default`, if there is one, has its default."""
        name = self.at_default[0] if self.at_default else ""
        if name in _numeric(self.weights):
            return self.number(name, given) == self.number(name, {})
        return not name or given.get(name, NO_PLAYER) == NO_PLAYER

    def _room(self, game: Game, numbers: Mapping[str, float], net: np.ndarray) -> int:
        """Return the numbers of `work` that the strategy needs with these weights and this net."""
        own = self.room(game, numbers) if self.room else WORK
        return max(own, WORK) + (room_of(net) if net.size else 0)


def strategy(
    game: Game | None,
    *,
    label: str = "",
    allocates: bool = True,
    at_default: tuple[str, Body] | None = None,
    plays_on: bool = False,
    plays_out: bool = False,
    work: Room | None = None,
    makes: bool = False,
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
        plays_on: True makes it the default policy of searches in the game; declared by at most one strategy.
        plays_out: True says that it decides by play-outs, a hundred times slower than others; it is then not
            asked which scripted strategy is the strongest.
        work: returns how many numbers of `work` the strategy needs in a game, by its weights, if more than
            WORK. A net needs more, which are added.
        makes: True says that the function returns what decides in a given game, `make(game, base)`. `base` is
            None or a rule, the strategy to improve on: `base(view, rules, legal, lent.weights, rng, scratch,
            memo, lent.work)` is its action, which may be illegal if it relies on its own earlier ones. What
            decides takes `lent` beside the arguments of a strategy; `memo` belongs to the base.
        weights: weights by name.

    >>> @strategy(None)
    ... def last(legal):
    ...     'Take the last legal action.'
    ...     return legal[-1]
    >>> last.meaning
    'Take the last legal action.'
    """

    def wrap(body: Body) -> Strategy:
        name, meaning = body.__name__, _meaning(body, weights)
        if not makes:
            _check_arguments(name, body, ARGUMENTS)
        return Strategy(
            name, label or to_words(name), meaning, body, weights, game,
            allocates, at_default, plays_on, plays_out, work, makes=makes,
        )  # fmt: skip

    return wrap


def _meaning(body: Body, weights: dict[str, AnyWeight]) -> str:
    """Return the first line of a docstring; UsageError without one, and for a weight that all have."""
    name, meaning = body.__name__, (body.__doc__ or "").strip().splitlines()
    if not meaning:
        raise UsageError(f"strategy {name} has no docstring: its first line is shown to users")
    for weight in BLUNDER.keys() & weights:
        raise UsageError(f"strategy {name}: every strategy has a weight '{weight}'; name yours otherwise")
    return meaning[0]


def _check_arguments(name: str, body: Body, arguments: tuple[str, ...]) -> None:
    for argument in inspect.signature(body).parameters:
        if argument not in arguments:
            raise unknown(f"argument of strategy {name}", argument, arguments)


def searching(
    *, room: Room, label: str = "", at_default: tuple[str, Body] | None = None, **weights: AnyWeight
) -> Callable[[Callable[[Game], Body]], Strategy]:
    """Make a strategy that plays on with a policy, of a function that returns what decides in a given game.

    What decides takes the arguments of a strategy and, beside them, `ply`, the number of the decision in the
    game, from 0, and `lent`, what games are played on with:

    luck, words      streams of the game, and the same as an array of words
    policy, weights  function and weights of the policy
    streams, memos   streams and memory of the policy, uint64[seat] and int64[seat, 16]
    seen             state for the view of the policy
    scratch, work    scratch states and memory of the policy
    net, size        address and length of what the policy has learned

    The first two of `scratch`, and `work`, are for the search itself.

    Args:
        room: returns the numbers of `work` that the search needs in a game, by its weights.
        at_default: a weight, and the function that returns what decides while the weight has its default.
        label, weights: as in `strategy`.

    >>> @searching(room=lambda game, weights: 0, policy=Policy("Plays on in all seats"))
    ... def first(game):
    ...     'Take the first action.'
    ...     return lambda legal: legal[0]
    >>> first.searches
    True
    """

    def wrap(make: Callable[[Game], Body]) -> Strategy:
        name, meaning = make.__name__, _meaning(make, weights)
        if not isinstance(weights.get(POLICY), Policy):
            raise UsageError(f"strategy {name} searches: it needs a weight {POLICY}=Policy(meaning)")
        words = label or to_words(name)
        return Strategy(
            name, words, meaning, make, weights, None, False, at_default, room=room, searches=True
        )  # fmt: skip

    return wrap


@cache
def _entry(
    chosen: Strategy, game: Game, usual: bool, base: jit.EntryPoint | None, base_room: int
) -> jit.EntryPoint:
    """Return the function of a strategy for a game, to be compiled on first use.

    `base` is the function that it contains, with the first `base_room` numbers of `work`.
    """
    body, name = chosen.body, chosen.name
    if chosen.at_default and usual:
        body = chosen.at_default[1]
    elif chosen.at_default:
        name = f"{name} any {chosen.at_default[0]}"
    file = body.__code__.co_filename  # two projects may use one name
    place = hashlib.sha256(file.encode()).hexdigest()[:6]
    numeric = _numeric(chosen.weights)
    names = _weights_rule(numeric) if numeric else None
    key, signature, given = f"strategy {game.name} {name} {place}", strategy_signature(game), dict[str, str]()
    if chosen.searches:
        body, signature = body(game), search_signature(game)
        _check_arguments(name, body, (*ARGUMENTS, "ply", "lent"))
    elif chosen.makes:
        body = body(game, base and base.rule)
        _check_arguments(name, body, (*ARGUMENTS, "lent"))
        key += f" on {base.function.__qualname__}" if base else ""
        given["lent"] = f"LentToBase(w[{len(numeric)}:], work[:{base_room}])"
        given["work"] = f"work[{base_room}:]"
    decide = take_all_arguments(body, names, chosen.allocates, chosen.searches, given)
    who = f"strategy {chosen.name}"
    return jit.EntryPoint(decide, signature, key, chosen.allocates, who=who, body=body)


def record_of(**fields: tuple[Any, ...]) -> np.dtype:
    """Return the type of a record of arrays; each field is a tuple of element type (or record) and shape."""
    return np.dtype((np.record, [(name, kind, tuple(shape)) for name, (kind, *shape) in fields.items()]))


def workspace(**fields: tuple[Any, ...]) -> Any:
    """Return a rule that turns `work` into a record of arrays; each field is a tuple of type and shape.

    The arrays are not initialised; their content lasts until another seat is to decide. Arrays larger than
    WORK need a strategy that declares how much it needs, `work=`.

    OWN = workspace(scores=(float, 512), counts=(int, 12, 7))
    own = OWN(work)
    own.scores[0] = own.counts[3, 4]

    >>> OWN = workspace(scores=(float, 512))
    >>> callable(OWN)
    True
    """
    kind = record_of(**fields)
    view, numbers = jit.view_as(kind), -(-kind.itemsize // 8)
    if numbers <= WORK:
        return view
    message = f"a workspace of {', '.join(fields)} takes {numbers:,} numbers: declare them with work="

    @jit.rule
    def checked(work):  # type: ignore[no-untyped-def]
        if work.size < numbers:
            raise IndexError(message)
        return view(work)

    return checked


@jit.rule
def best_of(legal, scores, key):  # type: ignore[no-untyped-def]
    """Return the legal action with the highest score; a tie goes to the action of the highest priority.

    `scores` has one number for each of `legal`; `key` is one of `rng.keyed`, a different one for each choice.
    The choice among ties is uniform. The priority of an action does not depend on the other legal actions, so
    that on one deal a tie mostly goes to the same action under other rules, too.

    >>> legal, scores = np.array([2, 4, 7]), np.array([0.5, 3.0, 1.0])
    >>> int(best_of(legal, scores, np.uint64(1)))
    4
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
    """Return a uniformly random legal action: the one of the highest priority, as in `best_of`.

    >>> int(any_of(np.array([2, 4, 7]), np.uint64(1))) in (2, 4, 7)
    True
    """
    chosen, highest = 0, -1
    for i in range(legal.size):
        other = priority(key, legal[i])
        if other > highest:
            chosen, highest = i, other
    return legal[chosen]


def take_all_arguments(
    function: Body,
    names_weights: Any = None,
    allocates: bool = True,
    searches: bool = False,
    given: Mapping[str, str] = {},
) -> Body:
    """Return a function of all ARGUMENTS that passes `function` those that it takes.

    `names_weights` is a rule that gives the weights their names. `given` has the source of arguments that are
    not passed on as they are. The result is checked to be a whole number.
    An index outside `legal`, `memo` or a field raises IndexError, except in a search, where checks of the
    rules would take a tenth of the time.
    """
    arguments = (*ARGUMENTS, "size", *(LENT * searches))
    states = f"scratch[{SEARCH_STATES - 1}], scratch[{SEARCH_STATES}:]"
    policy = "policy_work, policy, policy_weights, policy_net, policy_size"
    lent = f"Lent(luck, words, streams, {states}, memos, {policy})"
    sources = {"w": "names_weights(w)" if names_weights else "w", "net": "array_at(net, size)", "lent": lent}
    sources |= given
    handed = ", ".join(sources.get(name, name) for name in inspect.signature(function).parameters)
    body = jit.rule(function, allocates=allocates, bounds=not searches and not given)
    scope = {
        "body": body,
        "whole": jit.whole,
        "names_weights": names_weights,
        "Lent": Lent,
        "LentToBase": LentToBase,
        "array_at": jit.array_at,
        "__name__": __name__,
    }
    # Callers that hand over no net call a strategy that has learned nothing.
    listed = ", ".join(arguments) if searches else ", ".join(arguments).replace("net, size", "net=0, size=0")
    source = f"def decide({listed}):\n    return whole(body({handed}))"
    exec(compile(source, __file__, "exec"), scope)  # a file of its own: the cache on disk is kept beside it
    return cast("Callable[..., Any]", scope["decide"])


def _numeric(weights: dict[str, AnyWeight]) -> dict[str, NumericWeight]:
    """Return the weights that are numbers, by name."""
    return {n: weight for n, weight in weights.items() if isinstance(weight, NumericWeight)}


def _weights_rule(numeric: dict[str, NumericWeight]) -> Any:
    """Return a rule that turns the array of weights into a named tuple, for `w.threshold` in a strategy."""
    kind = namedtuple("weights", list(numeric))  # type: ignore[misc]
    whole = ["" if isinstance(w.default, float) else "int" for w in numeric.values()]
    parts = ", ".join(f"{number}(w[{i}])" for i, number in enumerate(whole))
    scope: dict[str, Any] = {"kind": kind, "__name__": __name__}
    exec(f"def names_weights(w):\n    return kind({parts})", scope)
    return jit.rule(scope["names_weights"])


@strategy(None, allocates=False)
def random(legal, rng):  # type: ignore[no-untyped-def]
    """Any legal action, each as likely as the others."""
    return legal[below(rng, legal.size)]


def _stand_in(legal):  # type: ignore[no-untyped-def]
    """Stand in for the person where a function is needed; no run plays it."""
    return legal[0]


RANDOM = "random"  # the strategy that plays at random, which no page advises
# A person at the terminal, who sits in lineups like a strategy (`simkit play --human`).
PERSON = Strategy("person", "person", "A person at the terminal.", _stand_in, {}, None)
