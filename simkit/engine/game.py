"""Definition of a game: a record of options and component tables, a record of the state, and functions.

    s      the state: everything that changes during play, open or hidden
    rules  read-only: the options in force by name, and the component tables
    rng    the luck of the game: one named stream per component

A game module ends with `game = Game(...)`; the registry finds it by the name of the file.
"""

import enum
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import public_actions
from simkit.engine.compile.fingerprint import reaches, reads_field, sets_field
from simkit.engine.compile.jit import clone_before, lowest_bit, rule
from simkit.engine.components import Column as Column
from simkit.engine.components import Components as Components
from simkit.engine.components import Piece as Piece
from simkit.engine.components import Provenance
from simkit.engine.components import TableFile as TableFile
from simkit.engine.components import Tables as Tables
from simkit.engine.components import Way as Way
from simkit.engine.fields import (
    PIECE_FIELDS,
    SEAT,
    TURN_FIELDS,
    Field,
    check_names,
    check_state_fields,
    record,
    scalar,
)
from simkit.engine.options import Option, check_needs, option_of, to_words
from simkit.engine.rng import below
from simkit.errors import UsageError, look_up, unknown

CACHE_LINE = 64  # bytes; copies of states are 2 % faster if each state starts a cache line
OVER = -1  # the value of `s.seat` when the game is over
HIDDEN = -1  # the action passed to `describe` where the seat it is told to cannot see which one was taken
SECRET = "chooses in secret"
SIDE = "side"  # field of the log of a seat
SIDE_SEATS = "side_seats"  # column of the seats table: number of seats on its side
CLAUSE = r"\b[A-Z][A-Z0-9]*-\d+(?:\.\d+)*\b"  # id of a clause, such as PIG-3 or O7-4.2
ROLE_SHIFT = "role_shift"  # field of the state of games that deal roles by `deal_roles`

Preset = Mapping[str, Mapping[str, Any]]  # choice of an option -> options that it sets, unless they are given


@dataclass(frozen=True)
class Log:
    """Log of a game besides ranks and scores: per game, per seat, and per turn and seat in a trace.

    >>> [own.name for own in Log().seat]
    ['turns']
    """

    game: list[Field] = field(default_factory=list)
    seat: list[Field] = field(default_factory=lambda: [scalar("turns", "i4", "Turns taken by the seat")])
    trace: list[Field] = field(default_factory=list)
    note: Callable[..., Any] | None = None  # note(s, rules, seat, row) fills the trace at the end of a turn
    at_turns_end: bool = False  # points are scored at the end of a turn, so that no single move scores any
    public: list[str] = field(default_factory=list)  # fields that `describe` and `show` may read for any seat


@dataclass(frozen=True)
class Pieces:
    """Components with names, and a count of their copies, from which a traced game derives their events.

    `count(s, rules, offer, used, held)` leaves the state as it is and fills arrays of zeros: offer[piece]
    copies that seats may take now, used[piece] copies that were played, held[seat, piece] copies of a seat.

    >>> Pieces(names=list, count=print).word
    'card'
    """

    names: Callable[[Any], list[Piece]]  # of the rules in force, in the order of their numbers
    count: Callable[..., Any]
    played: bool = True  # pieces are taken first and played later; False: a piece serves as soon as taken
    word: str = "card"  # noun for a piece
    use: str = "played"  # participle for its use
    note: str = ""  # how to read the labels


@dataclass(frozen=True)
class Words:
    """Words of a game for people: its rules in brief, and its names for seats, score and turns.

    >>> Words(score="coins").score
    'coins'
    """

    rules: str = ""
    seats: list[str] = field(default_factory=list)  # names of the seats, in order
    score: str = "points"  # unit of the score: "wins by 4 points"
    score_is: str = ""  # explanation of the unit, where the word alone is not clear
    turns_of: str = "of all seats together"  # whose turns are counted: "takes 30 turns of ..."
    parts: list[str] = field(default_factory=list)  # columns of the seats table: contributions to a team
    # Names in the log, such as end reasons -> words; also COLUMN.NAME.
    called: dict[str, str] = field(default_factory=dict)
    levers: list[str] = field(default_factory=list)  # columns of the seats table settled when play begins
    provenance: Provenance | None = None  # sources of the data, see simkit.engine.components
    perfect: float | None = None  # share of seat 0 between perfect players by the usual rules, if it is known

    def seat(self, number: int) -> str:
        """Return the name of a seat alone, or `seat N` if the game gives no name."""
        return self.seats[number] if number < len(self.seats) else f"seat {number}"

    def side(self, member: enum.IntEnum) -> str:
        """Return the name of a side, without an article.

        >>> side = enum.IntEnum("side", "hunter hounds")
        >>> Words(called={"side.hunter": "fox"}).side(side.hunter), Words().side(side.hounds)
        ('fox', 'hounds')
        """
        return self.name_in(SIDE, member.name)

    def name_in(self, column: str, name: str) -> str:
        """Return a name of a column of the log as readers know it."""
        return self.called.get(f"{column}.{name}", self.called.get(name, to_words(name)))


class Team(enum.IntEnum):
    """The one side of a co-operative game: all seats win or lose together.

    >>> [side.name for side in Team]
    ['team']
    """

    team = 0


class Role(NamedTuple):
    """What a seat has that is not its seat, such as a faction: a column of the seats table.

    The column has the names of an IntEnum, or the numbers from 0 on.

    >>> Role("faction").chosen, Role("start_tile", chosen=True, numbers=4).numbers
    (False, 4)
    """

    column: str
    chosen: bool = False  # by the players, so that it goes with how they play
    numbers: int = 0  # how many numbers a column of numbers has


class KnownAnswer(NamedTuple):
    """Exact mean of a column of the log, exact frequency of one of its values, or chance of a fact.

    A fact is counted over deals: of the state after the setup, or of luck that it draws from `rng`.

    >>> KnownAnswer("share", 0.5, "symmetry", "random*2", seat=0).value
    0.5
    """

    column: str  # of the log; with `holds` the fact in words
    value: float
    source: str  # publication, or derivation
    lineup: str = ""
    seat: int | None = None  # a column of this seat; None: of the games table
    equals: int | str | None = None  # frequency of this value or name in the column; None: its mean
    options: Mapping[str, Any] = {}
    holds: Callable[..., Any] | None = None  # holds(s, rules, rng): a fact after the setup, or of luck
    seats: int = 0  # of the setup for `holds`; 0 = the fewest

    @property
    def words(self) -> str:
        """The quantity in words, for a table.

        >>> KnownAnswer("share", 0.5, "symmetry", "random*2", seat=0).words
        'share of seat 0'
        >>> KnownAnswer("turns", 0.1, "counted", "random*2", equals=5).words
        'games with turns = 5'
        """
        if self.holds is not None:
            return self.column
        if self.equals is not None:
            return f"games with {self.column} = {self.equals}"
        if self.seat is not None:
            return f"{self.column} of seat {self.seat}"
        return "drawn games" if self.column == "draw" else f"mean {self.column}"


@dataclass(frozen=True, eq=False)
class Position:
    """What a clause says of a position: given a state, when something happens, then some facts hold.

    Args:
        clause: ids of the clauses that the position shows, such as "PIG-3" or "PIG-3, PIG-4".
        given: edits of the state after the setup by path, such as {"score": [90, 0], "hand[0, 2]": 7}; or a
            function given(s, rules).
        when: an action, or several in turn, each of which must be legal; or a function when(s, rules, rng),
            for luck that falls as the rulebook says. None: nothing happens.
        then: expected facts by path. "legal" is the list of legal actions, "end" the end reason, and
            "view[1].hand" what seat 1 sees. Any other words may stand before a function(s, rules) that
            returns whether they are true.
        options: rule options; all others have their defaults.
        seats: number of seats, 0 for the fewest.
        deal: number of the deal that is set up.

    >>> Position("PIG-4", given={"turn_total": 7, "last_roll": 3}, when=0, then={"score": [7, 0]}).clauses
    ['PIG-4']
    """

    clause: str
    given: Mapping[str, Any] | Callable[..., Any] = field(default_factory=dict)
    when: int | Sequence[int] | Callable[..., Any] | None = None
    then: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: int = 0
    deal: int = 0

    def __post_init__(self) -> None:
        """Note the line at which the position stands, for messages."""
        frame = sys._getframe(2)  # the caller of __init__
        object.__setattr__(self, "line", f"{frame.f_code.co_filename}:{frame.f_lineno}")

    @property
    def clauses(self) -> list[str]:
        """The ids of the clauses."""
        return re.findall(CLAUSE, self.clause)


class Ruling(NamedTuple):
    """How an unclear clause of the rulebook is read; `ruling` makes one."""

    clause: str
    text: str

    def __str__(self) -> str:
        """Return the clause and how it is read."""
        return f"{self.clause}: {self.text}"


def ruling(clause: str, text: str) -> Ruling:
    """Return how the game reads a clause of the rulebook that can be read in several ways.

    `simkit rules` and the pages of runs list the rulings of a game. UsageError if the clause has no id.

    >>> print(ruling("PIG-3", "A face that no die has loses nothing."))
    PIG-3: A face that no die has loses nothing.
    """
    if not re.fullmatch(CLAUSE, clause) or not text.strip():
        raise UsageError(f"ruling('{clause}', ...) needs the id of a clause, such as PIG-3, and a text")
    return Ruling(clause, text)


@rule
def next_seat(s):  # type: ignore[no-untyped-def]
    """Return the seat after the one to decide, round the table.

    >>> from types import SimpleNamespace
    >>> next_seat(SimpleNamespace(seat=2, seats=3))
    0
    """
    return (s.seat + 1) % s.seats


@rule
def deal_roles(s, stream, roles, count):  # type: ignore[no-untyped-def]
    """Deal different roles to the seats, each of 0 to count − 1 (at most 62) with the same chance.

    With `rotate = "roles"` a deal is played once for each place from which the roles are dealt round the
    table: the seat after one that had a role has it in the next rotation.

    >>> from types import SimpleNamespace
    >>> s, roles = SimpleNamespace(seats=3, role_shift=0), [0] * 3
    >>> deal_roles(s, np.array([7], np.uint64), roles, 4)
    >>> turned = SimpleNamespace(seats=3, role_shift=1), [0] * 3
    >>> deal_roles(turned[0], np.array([7], np.uint64), turned[1], 4)
    >>> turned[1] == roles[-1:] + roles[:-1]
    True
    """
    free = (1 << count) - 1
    for place in range(s.seats):
        skip, left = below(stream, count - place), free
        for _ in range(skip):
            left &= left - 1
        role = lowest_bit(left)
        free &= ~(1 << role)
        roles[(place + s.role_shift) % s.seats] = role


@rule
def offer(out, low, high):  # type: ignore[no-untyped-def]
    """Write the action ids low to high into `out` and return their number.

    >>> out = np.zeros(4, np.int64)
    >>> offer(out, 2, 4), out.tolist()
    (3, [2, 3, 4, 0])
    """
    for i in range(high - low + 1):
        out[i] = low + i
    return max(0, high - low + 1)


@rule
def offer_set(out, members, first=0):  # type: ignore[no-untyped-def]
    """Write the members of a set (bit i = action id first + i) into `out`, ascending; return their number.

    >>> out = np.zeros(4, np.int64)
    >>> offer_set(out, 0b1010, first=20), out.tolist()
    (2, [21, 23, 0, 0])
    """
    n = 0
    while members != 0:
        out[n] = first + lowest_bit(members)
        members &= members - 1
        n += 1
    return n


@rule
def add(out, n, action):  # type: ignore[no-untyped-def]
    """Add an action to the n ids in `out`, which stay ascending and different; return their number.

    In `legal`, ids may so be added in any order, several times, and after `offer`: `n = add(out, n, action)`.

    >>> out = np.zeros(4, np.int64)
    >>> n = add(out, 0, 7)
    >>> n = add(out, n, 3)
    >>> n = add(out, n, 7)
    >>> n, out.tolist()
    (2, [3, 7, 0, 0])
    """
    if n >= out.size:
        return n + 1  # more than `max_actions`, which is reported; nothing is written behind the array
    if n == 0 or out[n - 1] < action:  # in the usual order no search slows the game down
        out[n] = action
        return n + 1
    place = n
    while place > 0 and out[place - 1] > action:
        place -= 1
    if place > 0 and out[place - 1] == action:
        return n
    for i in range(n, place, -1):
        out[i] = out[i - 1]
    out[place] = action
    return n + 1


@rule
def rank_by_score(s):  # type: ignore[no-untyped-def]
    """Rank the seats by score: 1 plus the number of seats with a higher score, so that ties share a rank.

    >>> from types import SimpleNamespace
    >>> s = SimpleNamespace(seats=3, score=[5, 9, 5], rank=[0, 0, 0])
    >>> rank_by_score(s)
    >>> s.rank
    [2, 1, 2]
    """
    for seat in range(s.seats):
        s.rank[seat] = 1
        for other in range(s.seats):
            if s.score[other] > s.score[seat]:
                s.rank[seat] += 1


@rule
def end(s, reason):  # type: ignore[no-untyped-def]
    """End the game for a reason, a member of the game's `end_reasons`.

    >>> from types import SimpleNamespace
    >>> s = SimpleNamespace(seat=0, log=SimpleNamespace(game=SimpleNamespace(end_reason=0)))
    >>> end(s, 1)
    >>> s.seat == OVER, s.log.game.end_reason
    (True, 1)
    """
    s.log.game.end_reason = reason
    s.seat = OVER


@rule
def end_turn(s):  # type: ignore[no-untyped-def]
    """Count the turn of the seat to decide as over, before another seat, or the same again, is to decide.

    A game whose `apply` calls it counts every turn so. Without it a turn ends when another seat is to decide,
    and two turns of a seat in a row, such as the last of a round and the first of the next, are one.

    >>> from types import SimpleNamespace
    >>> seats = [SimpleNamespace(turns=0), SimpleNamespace(turns=0)]
    >>> s = SimpleNamespace(seat=1, log=SimpleNamespace(game=SimpleNamespace(turns=0), seat=seats))
    >>> end_turn(s)
    >>> s.log.game.turns, seats[1].turns
    (1, 1)
    """
    if s.seat == OVER:
        raise ValueError("the game is over: say end_turn(s) before end(s, REASON)")
    s.log.game.turns += 1
    s.log.seat[s.seat].turns += 1


@rule
def _count_turn_of_game(s, seat):  # type: ignore[no-untyped-def]
    s.log.game.turns += 1


@rule
def _count_turn(s, seat):  # type: ignore[no-untyped-def]
    s.log.game.turns += 1
    s.log.seat[seat].turns += 1


@rule
def observe_open(s, rules, seat, view):  # type: ignore[no-untyped-def]
    """Copy the state except the log: in an open game a seat sees everything.

    >>> from simkit.games import pig  # whose seats see everything
    >>> pig.game.observe is observe_open
    True
    """
    clone_before(view, s, "log")


@rule
def redeal_nothing(view, rules, seat, stream):  # type: ignore[no-untyped-def]
    """Redeal nothing: an open game hides nothing."""


def _is_names(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, enum.IntEnum)


def no_problems(s: Any, rules: Any) -> list[str]:
    """Return no problems: a game without invariants of its own."""
    return []


def show_scores(s: Any, rules: Any) -> str:
    """Return the scores in words, for a game without a `show` of its own."""
    return "  ".join(f"seat {seat}: {s.score[seat]}" for seat in range(s.seats))


def describe_number(s: Any, rules: Any, action: int, after: Any) -> str:
    """Return an action by its number, for a game without a `describe` of its own."""
    return SECRET if action == HIDDEN else f"plays {action}"


@dataclass(frozen=True, eq=False)
class Game:
    """Set of rules with a name; simkit/games/README.md explains the arguments.

    >>> import simkit.games.pig
    >>> simkit.games.pig.game.title
    'Pig'
    """

    name: str
    title: str
    seats: tuple[int, int]  # fewest and most seats
    end_reasons: type[enum.IntEnum]  # from 1 on; 0 = unfinished, which need not be a member
    options: list[Option]
    state: list[Field]
    max_actions: int  # most legal actions at one decision
    setup: Callable[..., Any]  # setup(s, rules, rng)
    legal: Callable[..., Any]  # legal(s, rules, out) -> n
    apply: Callable[..., Any]  # apply(s, rules, action, rng)
    summary: str = ""  # one line
    max_steps: int = 10_000  # more actions than this in one game is a fault
    action_ids: int = 0  # every action is below this number; 0 = max_actions
    observe: Callable[..., Any] = observe_open  # observe(s, rules, seat, view)
    redeal: Callable[..., Any] = redeal_nothing  # redeal(view, rules, seat, stream)
    problems: Callable[..., list[str]] = no_problems  # problems(s, rules)
    show: Callable[..., str] = show_scores  # show(s, rules)
    describe: Callable[..., str] = describe_number  # describe(s, rules, action, after)
    log: Log = field(default_factory=Log)
    components: Components = field(default_factory=Components)
    pieces: Pieces | None = None
    words: Words = field(default_factory=Words)
    streams: list[str] = field(default_factory=list)  # e.g. "deal/deck", "nature/die"
    presets: Mapping[str, Preset] = field(default_factory=dict)  # option (a choice) -> what its choices set
    known_answers: list[KnownAnswer] = field(default_factory=list)  # exact answers, for `simkit validate`
    positions: list[Position] = field(default_factory=list)  # clause by clause, for `simkit check`
    rulings: list[Ruling] = field(default_factory=list)  # how unclear clauses are read
    all_may_lose: bool = False  # competitive, but nobody may win: every seat has rank 0 then
    # Who win together: Team, or two sides with the field `side` in Log(seat=...); None: each seat for itself.
    sides: type[enum.IntEnum] | None = None
    roles: list[Role] = field(default_factory=list)  # factions, characters: columns of Log(seat=...)
    public_actions: bool = False  # every seat sees what was done: the field `last_action` of the state
    usual_seats: int = 0  # default number of seats for `show` and `bench`; 0 = the fewest
    scratch: int = 3  # states lent to a strategy
    memo: int = 16  # numbers a strategy may remember during one game

    def __new__(cls, *values: Any, **named: Any) -> "Game":
        """Refuse an unknown argument; the error names the closest one."""
        for name in named.keys() - {f.name for f in fields(cls)}:
            raise TypeError(str(unknown("argument of Game(...)", name, [f.name for f in fields(cls)])))
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Refuse a trace that cannot be written, names that are taken, and columns that do not exist."""
        if self.log.trace and self.log.note is None:
            raise ValueError(f"{self.name} has Log(trace=...) but no Log(note=...) that fills it")
        check_names(self)
        check_state_fields(self)
        check_needs(self.name, self.seats, self.options)
        for stream in self.streams:
            if not re.fullmatch(r"(deal|nature)/\w+", stream):
                raise UsageError(f"{self.name}: stream '{stream}' must be called deal/NAME or nature/NAME")
        _ = self.turn_dtype, self.state_dtype, self.rules_dtype, self.rng_dtype  # refuse names that are taken
        logged = {name for f in self.log.seat for name in f.column_names}
        if "turns" not in logged and reaches(self.apply, end_turn):
            cure = 'add scalar("turns", "i4", "Turns taken by the seat")'
            raise UsageError(f"{self.name}: end_turn(s) counts in the field 'turns' of Log(seat=...): {cure}")
        if self.rival_sides and [int(side) for side in self.rival_sides] != [0, 1]:
            cure = "an IntEnum with two members, 0 and 1, or Team if all win together"
            raise UsageError(f"{self.name}: Game(sides=...) needs {cure}")
        if self.rival_sides and (SIDE, self.sides) not in {(own.name, own.kind) for own in self.log.seat}:
            raise UsageError(
                f"{self.name}: Game(sides=...) needs the field '{SIDE}' of that kind in Log(seat=...)"
            )
        for role in self.roles:
            kinds = {own.name: own.kind for own in self.log.seat}
            where = f"{self.name}: Game(roles=...): the column '{role.column}'"
            if role.column not in kinds or not (role.numbers or _is_names(kinds[role.column])):
                raise UsageError(f"{where} needs a field with an IntEnum in Log(seat=...), or Role(numbers=)")
        self._check_treated_roles()
        of_log = {f.name for f in [*self.game_fields, *self.log.seat]}
        for name in self.log.public:
            look_up(f"field of the log of {self.name}, for Log(public=...)", name, dict.fromkeys(of_log))
        for name in self.words.parts:
            look_up(
                f"column of the seats table of {self.name}, for Words(parts=...)", name, dict.fromkeys(logged)
            )

    def _check_treated_roles(self) -> None:
        """Refuse options of a game with roles that say they treat another one."""
        names = {name: name for role in self.roles for name in self.role_names(role.column)}
        for option in self.options if names else ():
            for who in option.treats:
                if isinstance(who, str):
                    look_up(f"role of {self.name}, for treats= of option {option.name}", who, names)

    @property
    def team(self) -> bool:
        """Whether all seats are on one side: each has rank 1 on a win and rank 0 on a loss."""
        return self.sides is not None and len(self.sides) == 1

    @property
    def rival_sides(self) -> list[enum.IntEnum]:
        """The sides that play against each other; none in a team, or where each seat plays for itself."""
        return [] if self.sides is None or self.team else list(self.sides)

    @property
    def default_seats(self) -> int:
        """Default number of seats."""
        return self.usual_seats or self.seats[0]

    @property
    def max_seats(self) -> int:
        """Largest number of seats."""
        return self.seats[1]

    @cached_property
    def step(self) -> Callable[..., Any]:
        """`apply`; in a game that does not count turns itself a turn ends when another seat is to decide."""
        apply = public_actions.record_after(self.apply) if self.public_actions else self.apply
        if any(sets_field(function, "turns") for function in (self.setup, self.apply)):
            return apply
        count = _count_turn if any(f.name == "turns" for f in self.log.seat) else _count_turn_of_game

        @rule
        def step(s, rules, action, rng):  # type: ignore[no-untyped-def]
            seat = s.seat
            apply(s, rules, action, rng)
            if s.seat != seat:
                count(s, seat)

        return step  # type: ignore[no-any-return]

    @cached_property
    def rotates_roles(self) -> bool:
        """Whether `rotate = "roles"` can move roles round the seats: `setup` uses `deal_roles`."""
        return bool(self.roles) and reads_field(self.setup, ROLE_SHIFT)

    def role_names(self, column: str) -> list[str]:
        """Return the names of a column of roles in the log."""
        (numbers,) = (role.numbers for role in self.roles if role.column == column)
        (kind,) = (own.kind for own in self.log.seat if own.name == column)
        return [str(number) for number in range(numbers)] if numbers else [member.name for member in kind]

    def role_named(self, name: str) -> tuple[str, str]:
        """Return column and stored name of a role, from either of its names; UsageError for another one."""
        named: dict[str, tuple[str, str]] = {}
        for column in (role.column for role in self.roles):
            for stored in self.role_names(column):
                named.setdefault(stored, (column, stored))
                named.setdefault(self.words.name_in(column, stored), (column, stored))
        if not named:
            raise UsageError(f"{self.name} has no roles, so none can be judged: leave out the role")
        if name not in named and name in (role.column for role in self.roles):
            names = ", ".join(self.role_names(name))
            raise UsageError(f"'{name}' is a column of roles of {self.name}; name one of its roles: {names}")
        return look_up(f"role of {self.name}", name, named)

    @cached_property
    def begin(self) -> Callable[..., Any]:
        """`begin(s, rules, rng, shift)`: `setup` of a rotation, with roles moved on by shift // seats seats.

        shift % seats moves the lineup, which the setup does not know.
        """
        setup = public_actions.clear_before(self.setup) if self.public_actions else self.setup
        if not self.rotates_roles:

            @rule
            def begin(s, rules, rng, shift):  # type: ignore[no-untyped-def]
                setup(s, rules, rng)

        else:

            @rule
            def begin(s, rules, rng, shift):  # type: ignore[no-untyped-def]
                s.role_shift = shift // s.seats
                setup(s, rules, rng)

        return begin  # type: ignore[no-any-return]

    @cached_property
    def state_fields(self) -> list[str]:
        """Fields of the state other than the log."""
        return [name for name in self.state_dtype.names or () if name != "log"]

    @property
    def fields(self) -> list[Field]:
        """Fields of the state other than the log: those of every game, then its own."""
        of_roles = [scalar(ROLE_SHIFT, "i8", "Seats by which the roles are moved on")]
        return [
            scalar("seat", "i8", "Seat to decide, -1 when the game is over", SEAT),
            scalar("seats", "i8", "Number of seats"),
            scalar("first", "i8", "Seat that moves first", SEAT),
            Field("rank", "i1", (self.max_seats,), "Final rank, 1 = winner, ties share [seat]"),
            Field("score", "i4", (self.max_seats,), "Final score, points [seat]"),
            *(of_roles if self.rotates_roles else []),
            *([public_actions.last_action(self.max_seats)] if self.public_actions else []),
            *self.state,
        ]

    @cached_property
    def state_dtype(self) -> np.dtype:
        """Record type of the state, padded to whole cache lines."""
        of_game = scalar("game", record(self.game_fields), "Log of the game")
        of_seat = Field("seat", record(self.log.seat), (self.max_seats,), "Log of each seat [seat]")
        log = [of_game, of_seat]
        size = record([*self.fields, scalar("log", record(log), "")]).itemsize
        if rest := -size % CACHE_LINE:
            log.append(Field("padding", "u1", (rest,), "Fills the last cache line"))
        return record([*self.fields, scalar("log", record(log), "What the designer wants to know")])

    @cached_property
    def game_fields(self) -> list[Field]:
        """Fields of the log of the game: those of every game, then its own."""
        return [
            scalar("decisions", "i4", "Decisions with more than one legal action"),
            scalar("turns", "i4", "Turns taken by all seats together"),
            scalar("end_reason", self.end_reasons, "Why the game ended"),
            *self.log.game,
        ]

    @cached_property
    def turn_dtype(self) -> np.dtype:
        """Record type of the rows of the turn trace."""
        return record([*TURN_FIELDS, *self.log.trace])

    @cached_property
    def piece_dtype(self) -> np.dtype:
        """Record type of the events of pieces."""
        return record(PIECE_FIELDS)

    @cached_property
    def rules_dtype(self) -> np.dtype:
        """Record type of the rules: options, then component tables."""
        options = [scalar(o.name, o.storage, o.full_meaning) for o in self.options]
        return record(options + self.components.fields or [scalar("unused", "i1", "A game without options")])

    @cached_property
    def rng_dtype(self) -> np.dtype:
        """Record type of the luck: one stream of one word per named component."""
        return record([Field(name.split("/")[1], "u8", (1,), f"Stream {name}") for name in self.purposes])

    @property
    def is_certain(self) -> bool:
        """Whether nothing is hidden and nothing left to chance, and where a seat loses another one wins."""
        is_open = self.observe is observe_open and self.redeal is redeal_nothing
        return is_open and not (self.streams or self.team or self.all_may_lose)

    @property
    def purposes(self) -> list[str]:
        """Names of the game's streams, at least one."""
        return self.streams or ["nature/unused"]

    def option(self, name: str) -> Option:
        """Return the option of this name; UsageError if the game has none."""
        return option_of(self.name, self.seats, name, self.options)

    def resolve(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of all options as a person writes them: `given`, else preset, else default.

        UsageError for an unknown option or a value out of range.
        """
        numbers = {o.name: o.default for o in self.options}
        for name, sets in self.presets.items():
            option = self.option(name)
            chosen = option.value(option.number(given[name]) if name in given else option.default)
            numbers |= self._numbers(sets.get(chosen, {}))
        numbers |= self._numbers(given)
        return {o.name: o.value(numbers[o.name]) for o in self.options}

    def _numbers(self, given: Mapping[str, Any]) -> dict[str, int]:
        return {name: self.option(name).number(value) for name, value in given.items()}

    def rules(self, given: Mapping[str, Any] = {}, files: Mapping[str, Any] = {}) -> np.ndarray:
        """Return the rules in force, a read-only array of length 1; `files` as returned by `read_files`.

        UsageError if an option is given that one of the files replaces.
        """
        settings = dict(given)
        for name, table in files.items():
            file = self.components.files[name]
            file.refuse_replaced(f"the {name} file", given)
            settings |= file.options(table) if file.options else {}
        options = self.resolve(settings)
        result = np.zeros(1, self.rules_dtype)
        for name, value in (self._numbers(options) | self.components.build(options, dict(files))).items():
            result[0][name] = value
        result.flags.writeable = False
        return result

    def check_lineup(self, lineup: Sequence[Any]) -> None:
        """Refuse a lineup, a strategy for each seat, whose number of seats the game does not allow."""
        low, high = self.seats
        if low <= len(lineup) <= high:
            return
        allowed, entries = low if low == high else f"{low} to {high}", ", ".join(map(str, lineup))
        count = f"{len(lineup)} {'strategy' if len(lineup) == 1 else 'strategies'}"
        cure = f": say {entries}*{self.default_seats}" if len(lineup) == 1 else ""
        cure += f", or set players={self.default_seats}" if cure and low < high else ""
        raise UsageError(f"the lineup '{entries}' has {count}; {self.name} has {allowed} seats{cure}")
