"""What a game is: options and component tables in one record, the state in another, functions between.

    s      the state: everything that changes during play, open or hidden
    rules  read-only: the options in force by name, and the component tables
    rng    the luck of the game: one named stream per component

A game module ends with `game = Game(...)`; nothing else has to be told about it.
"""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.compile.fingerprint import sets_field
from simkit.engine.compile.jit import clone_before, lowest_bit, rule
from simkit.engine.fields import Field, record, scalar
from simkit.engine.options import Option
from simkit.engine.provenance import Provenance
from simkit.errors import UsageError, look_up, unknown

CACHE_LINE = 64  # bytes; copies of states that begin with one are 2 % faster
OVER = -1  # the value of `s.seat` when the game is over
HIDDEN = -1  # the action that `describe` gets where the seat it speaks to cannot see which one was taken
SECRET = "chooses in secret"

# The turn trace: what names a row in a run, and what every game's row holds.
TURN_KEY = ("play", "cell", "deal", "rotation")
TURN_FIELDS = [
    scalar("game", "i4", "Game of the batch"),
    scalar("turn", "i4", "Turn that has ended, 1-based"),
    scalar("seat", "i1", "Seat, 0-based in the order of play"),
    scalar("score", "i4", "Score of the seat at the end of the turn, points"),
    scalar("decisions", "i4", "Decisions of the seat in the turn, with more than one legal action"),
    scalar("choices", "i4", "Legal actions at these decisions, added up"),
    scalar("most_choices", "i4", "Most legal actions at one of these decisions"),
    scalar("steps", "i4", "Actions of the seat in the turn, forced ones too"),
]

# What happens to a piece; `given`: a seat has it that could not choose it; `kept`, `unsold`: at the end.
Event = enum.IntEnum("Event", "offered taken given played kept unsold", start=0)
PIECE_FIELDS = [
    scalar("game", "i4", "Game of the batch"),
    scalar("piece", "i2", "Piece"),
    scalar("event", Event, "What happened to the piece"),
    Field("seat", "i1", (), "Seat to which it happened, null = to none", never=-1),
    scalar("turn", "i4", "Turn in which it happened, or began, 1-based; 0 = in the setup"),
    scalar("last", "i4", "Turn in which it ended"),
    scalar("copies", "i4", "Copies of the piece"),
]
Tables = dict[str, Any]
Preset = Mapping[str, Mapping[str, Any]]  # choice of an option -> options that it sets, unless they are given


class Known(NamedTuple):
    """An exact mean of a column of the log, or of how often it has one value, for `simkit validate`."""

    column: str
    value: float
    source: str  # who says so, or how to derive it
    lineup: str
    seat: int | None = None  # a column of this seat; None: of the games table
    equals: int | None = None  # how often the column has this value; None: its mean
    options: Mapping[str, Any] = {}

    @property
    def words(self) -> str:
        """What is known, for a table.

        >>> Known("share", 0.5, "symmetry", "random*2", seat=0).words
        'share of seat 0'
        >>> Known("turns", 0.1, "counted", "random*2", equals=5).words
        'games with turns = 5'
        """
        if self.equals is not None:
            return f"games with {self.column} = {self.equals}"
        if self.seat is not None:
            return f"{self.column} of seat {self.seat}"
        return "drawn games" if self.column == "draw" else f"mean {self.column}"


class Planted(NamedTuple):
    """What changing a component does exactly, for `simkit validate`."""

    way: str
    component: str
    measure: str  # share (of seat 0), turns, falls (the share of the seat that it falls to)
    value: float
    source: str
    lineup: str


class TableFile(NamedTuple):
    """A designer's file that may replace component tables: its reader, and the option it replaces.

    With `printed` and `rows` the printed table can be had as such a file, and compared with others.
    """

    read: Callable[..., Any]  # path -> what `Components.build` is given, with a line `said` about the file
    instead_of: str = ""
    printed: Callable[[dict[str, Any]], Any] | None = None  # options in force -> the table, as if read
    rows: Callable[[Any], list[list[str]]] | None = None  # a table -> a header and its rows, as in a file


def no_tables(options: dict[str, Any], files: dict[str, Any]) -> Tables:
    return {}


class Piece(NamedTuple):
    """A component with a name: a card, a building, an upgrade; equal ones have the same label."""

    label: str  # none: the rules in force leave it out
    kinds: tuple[tuple[str, str], ...] = ()  # what it is: ("colour", "blue"), ("value", "3")


class Way(NamedTuple):
    """What may be done to components to see what they do (`simkit ablate`): left out, dearer, without effect.

    `change(rules, chosen)` does it, in a copy of the rules record, to the chosen parts, by number. Where it
    deals the parts other numbers it returns the old ones in the new order. It only looks at rules and chosen.
    """

    name: str
    meaning: str  # what such a part is: "left out of the deck"
    parts: Callable[[Any], list[Piece]]  # of the rules in force; what has no label cannot be changed so
    change: Callable[[Any, list[int]], list[int] | None]
    rate: float = 0.25  # usual part of the deals in which a part is changed
    gone: bool = False  # whether nobody can own what is changed


@dataclass(frozen=True)
class Components:
    """The component tables in the rules record: fields, what fills them, files that may replace them."""

    fields: list[Field] = field(default_factory=list)
    build: Callable[[dict[str, Any], dict[str, Any]], Tables] = no_tables  # build(options, files)
    files: Mapping[str, TableFile] = field(default_factory=dict)
    ways: list[Way] = field(default_factory=list)  # what may be done to them, the usual one first


@dataclass(frozen=True)
class Log:
    """What a game writes down besides ranks and scores: per game, per seat, per turn and seat in a trace."""

    game: list[Field] = field(default_factory=list)
    seat: list[Field] = field(default_factory=lambda: [scalar("turns", "i4", "Turns taken by the seat")])
    trace: list[Field] = field(default_factory=list)
    note: Callable[..., Any] | None = None  # note(s, rules, seat, row) fills the trace at the end of a turn
    at_turns_end: bool = False  # points are counted then, so that no move by itself makes any
    public: list[str] = field(default_factory=list)  # fields that `describe` and `show` may read for any seat


@dataclass(frozen=True)
class Pieces:
    """The components with names, and how many there are where: a traced game tells what becomes of them.

    `count(s, rules, offer, used, held)` only looks, and fills arrays of zeros: offer[piece] copies that seats
    may take now, used[piece] copies that were played, held[seat, piece] copies that a seat has.
    """

    names: Callable[[Any], list[Piece]]  # of the rules in force, in the order of their numbers
    count: Callable[..., Any]
    played: bool = True  # pieces are taken first and played later; else they serve from when they are taken
    word: str = "card"  # what one is called
    use: str = "played"  # what is done with one
    note: str = ""  # how to read the labels


@dataclass(frozen=True)
class Words:
    """What people read of a game: its rules in brief, and its names for seats, score and turns."""

    rules: str = ""
    seats: list[str] = field(default_factory=list)  # names of the seats, in order
    score: str = "points"  # what a score counts: "wins by 4 points"
    score_is: str = ""  # what that is, where the word does not say it
    turns_of: str = "of all seats together"  # whose turns are counted: "takes 30 turns of ..."
    parts: list[str] = field(default_factory=list)  # columns of the seats table: what seats do for a team
    called: dict[str, str] = field(
        default_factory=dict
    )  # names in the log, of end reasons …; also COLUMN.NAME
    levers: list[str] = field(default_factory=list)  # columns of the seats table settled when play begins
    provenance: Provenance | None = None  # sources of the data, see simkit.engine.provenance


@rule
def next_seat(s):  # type: ignore[no-untyped-def]
    """The seat after the one to decide, round the table."""
    return (s.seat + 1) % s.seats


@rule
def offer(out, low, high):  # type: ignore[no-untyped-def]
    """Write the action ids low to high into `out`; how many they are."""
    for i in range(high - low + 1):
        out[i] = low + i
    return max(0, high - low + 1)


@rule
def offer_set(out, members):  # type: ignore[no-untyped-def]
    """Write the members of a set (bit i = action id i) into `out`, ascending; how many they are."""
    n = 0
    while members != 0:
        out[n] = lowest_bit(members)
        members &= members - 1
        n += 1
    return n


@rule
def rank_by_score(s):  # type: ignore[no-untyped-def]
    """Ranks by score: one more than the number of seats with a better one, so that ties share."""
    for seat in range(s.seats):
        s.rank[seat] = 1
        for other in range(s.seats):
            if s.score[other] > s.score[seat]:
                s.rank[seat] += 1


@rule
def end(s, reason):  # type: ignore[no-untyped-def]
    s.log.game.end_reason = reason
    s.seat = OVER


@rule
def _count_turn_of_game(s, seat):  # type: ignore[no-untyped-def]
    s.log.game.turns += 1


@rule
def _count_turn(s, seat):  # type: ignore[no-untyped-def]
    s.log.game.turns += 1
    s.log.seat[seat].turns += 1


@rule
def observe_open(s, rules, seat, view):  # type: ignore[no-untyped-def]
    """Of an open game a seat sees everything; only the log is blank."""
    clone_before(view, s, "log")


@rule
def redeal_nothing(view, rules, seat, stream):  # type: ignore[no-untyped-def]
    """In an open game nothing is hidden."""


def no_problems(s: Any, rules: Any) -> list[str]:
    """A game without invariants of its own."""
    return []


def show_scores(s: Any, rules: Any) -> str:
    """The table of a game that shows nothing else."""
    return "  ".join(f"seat {seat}: {s.score[seat]}" for seat in range(s.seats))


def describe_number(s: Any, rules: Any, action: int, after: Any) -> str:
    """An action of a game that does not put its actions into words."""
    return SECRET if action == HIDDEN else f"plays {action}"


# Arguments of `Game(...)` in earlier versions -> where they are now.
MOVED = {
    "game_log": "log=Log(game=...)",
    "seat_log": "log=Log(seat=...)",
    "trace_log": "log=Log(trace=...)",
    "trace": "log=Log(note=...)",
    "tables_fields": "components=Components(fields=...)",
    "tables": "components=Components(build=...)",
    "files": "components=Components(files=...)",
    "rules_text": "words=Words(rules=...)",
    "seat_names": "words=Words(seats=...)",
    "score_word": "words=Words(score=...)",
    "turns_of": "words=Words(turns_of=...)",
    "provenance": "words=Words(provenance=...)",
}


@dataclass(frozen=True, eq=False)
class Game:
    """A set of rules with a name; what it may declare is told in simkit/games/README.md."""

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
    known: list[Known] = field(default_factory=list)  # exact answers, for `simkit validate`
    planted: list[Planted] = field(default_factory=list)  # exact effects of components, for the same
    team: bool = False  # co-operative: every seat has rank 1 on a win, rank 0 on a loss
    all_may_lose: bool = False  # competitive, but nobody may win: every seat has rank 0 then
    usual_seats: int = 0  # seats shown and benched where nobody asks for a number; 0 = the fewest
    scratch: int = 3  # states lent to a strategy
    memo: int = 16  # numbers a strategy may remember during one game

    def __new__(cls, *values: Any, **named: Any) -> "Game":
        """Refuse an argument that there is not, with what replaced it or the nearest one."""
        names = [f.name for f in fields(cls)]
        for name in named:
            if name in MOVED:
                raise TypeError(f"Game(...) has no argument '{name}'; it is {MOVED[name]} now")
            if name not in names:
                raise TypeError(str(unknown("argument of Game(...)", name, names)))
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Refuse a trace that could not be written."""
        if self.log.trace and self.log.note is None:
            raise ValueError(f"{self.name} has Log(trace=...) but no Log(note=...) that fills it")
        taken = sorted({f.name for f in self.log.trace} & {*TURN_KEY, *(f.name for f in TURN_FIELDS)})
        if taken:
            raise ValueError(f"the trace of {self.name}: '{taken[0]}' is a column that every trace has")
        _ = self.turn_dtype
        logged = {name for f in self.log.seat for name in f.columns or [f.name]}
        of_log = {f.name for f in [*self.game_fields, *self.log.seat]}
        for name in self.log.public:
            look_up(f"field of the log of {self.name}, for Log(public=...)", name, dict.fromkeys(of_log))
        for name in self.words.parts:
            look_up(
                f"column of the seats table of {self.name}, for Words(parts=...)", name, dict.fromkeys(logged)
            )

    @property
    def seats_unless_told(self) -> int:
        return self.usual_seats or self.seats[0]

    @property
    def max_seats(self) -> int:
        return self.seats[1]

    @cached_property
    def step(self) -> Callable[..., Any]:
        """`apply`, and where the game counts no turns itself, one ends when another seat is to decide."""
        if any(sets_field(one, "turns") for one in (self.setup, self.apply)):
            return self.apply
        apply = self.apply
        count = _count_turn if any(f.name == "turns" for f in self.log.seat) else _count_turn_of_game

        @rule
        def step(s, rules, action, rng):  # type: ignore[no-untyped-def]
            seat = s.seat
            apply(s, rules, action, rng)
            if s.seat != seat:
                count(s, seat)

        return step  # type: ignore[no-any-return]

    @cached_property
    def unlogged(self) -> list[str]:
        """Fields of the state other than the log."""
        return [name for name in self.state_dtype.names or () if name != "log"]

    @cached_property
    def state_dtype(self) -> np.dtype:
        most = self.max_seats
        header = [
            scalar("seat", "i8", "Seat to decide, -1 when the game is over"),
            scalar("seats", "i8", "Number of seats"),
            scalar("first", "i8", "Seat that moves first"),
            Field("rank", "i1", (most,), "Final rank, 1 = winner, ties share [seat]"),
            Field("score", "i4", (most,), "Final score, points [seat]"),
        ]
        of_game = scalar("game", record(self.game_fields), "Log of the game")
        of_seat = Field("seat", record(self.log.seat), (most,), "Log of each seat [seat]")
        log = [of_game, of_seat]
        size = record([*header, *self.state, scalar("log", record(log), "")]).itemsize
        if rest := -size % CACHE_LINE:
            log.append(Field("padding", "u1", (rest,), "Fills the last cache line"))
        return record([*header, *self.state, scalar("log", record(log), "What the designer wants to know")])

    @cached_property
    def game_fields(self) -> list[Field]:
        return [
            scalar("decisions", "i4", "Decisions with more than one legal action"),
            scalar("turns", "i4", "Turns taken by all seats together"),
            scalar("end_reason", self.end_reasons, "Why the game ended"),
            *self.log.game,
        ]

    @cached_property
    def turn_dtype(self) -> np.dtype:
        return record([*TURN_FIELDS, *self.log.trace])

    @cached_property
    def piece_dtype(self) -> np.dtype:
        return record(PIECE_FIELDS)

    @cached_property
    def rules_dtype(self) -> np.dtype:
        options = [scalar(o.name, o.storage, o.explained) for o in self.options]
        return record(options + self.components.fields or [scalar("unused", "i1", "A game without options")])

    @cached_property
    def rng_dtype(self) -> np.dtype:
        """The luck: one stream of one word per named component."""
        return record([Field(name.split("/")[1], "u8", (1,), f"Stream {name}") for name in self.purposes])

    @property
    def purposes(self) -> list[str]:
        return self.streams or ["nature/unused"]

    def option(self, name: str) -> Option:
        return look_up(f"option of {self.name}", name, {o.name: o for o in self.options})

    def resolve(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options as a person writes them, checked: `given` over presets in force over defaults."""
        numbers = {o.name: o.default for o in self.options}
        for name, sets in self.presets.items():
            option = self.option(name)
            chosen = option.shown(option.number(given[name]) if name in given else option.default)
            numbers |= self._numbers(sets.get(chosen, {}))
        numbers |= self._numbers(given)
        return {o.name: o.shown(numbers[o.name]) for o in self.options}

    def _numbers(self, given: Mapping[str, Any]) -> dict[str, int]:
        return {name: self.option(name).number(value) for name, value in given.items()}

    def rules(self, given: Mapping[str, Any] = {}, files: Mapping[str, Any] = {}) -> np.ndarray:
        """The rules in force, array of length 1, if they fit together; `files` as from `read_files`."""
        options = self.resolve(given)
        for name in files:
            instead = self.components.files[name].instead_of
            if instead in given:
                raise UsageError(
                    f"option {instead} cannot be given with a {name} file, which takes its place"
                )
        result = np.zeros(1, self.rules_dtype)
        for name, value in (self._numbers(options) | self.components.build(options, dict(files))).items():
            result[0][name] = value
        result.flags.writeable = False
        return result

    def check_lineup(self, lineup: Sequence[Any]) -> None:
        """Refuse a lineup, a strategy for each seat, for a number of seats that the game does not have."""
        low, high = self.seats
        if low <= len(lineup) <= high:
            return
        wanted, written = low if low == high else f"{low} to {high}", ", ".join(map(str, lineup))
        there = f"{len(lineup)} {'strategy' if len(lineup) == 1 else 'strategies'}"
        cure = f": say {written}*{self.seats_unless_told}" if len(lineup) == 1 else ""
        raise UsageError(f"the lineup '{written}' has {there}; {self.name} has {wanted} seats{cure}")
