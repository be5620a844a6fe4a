"""What a game is: its options and component tables (one record), its state (another record) and the functions between.

    s      the state: everything that changes during play, open or hidden
    rules  read-only: the options in force by name, and the component tables
    rng    the luck of the game: one named stream per component

A game module ends with `game = Game(...)`; nothing else has to be told about it.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simkit.errors import UsageError, unknown

OVER = -1  # the value of `s.seat` when the game is over

# The turn trace: what names a row in a run, and what every game's row holds.
TURN_KEY = ("play", "cell", "deal", "rotation")
TURN_FIELDS = [
    ("game", "i4", "Game of the batch"),
    ("turn", "i4", "Turn that has ended, 1-based"),
    ("seat", "i1", "Seat, 0-based in the order of play"),
    ("score", "i4", "Score of the seat at the end of the turn, points"),
    ("decisions", "i4", "Decisions of the seat in the turn, with more than one legal action"),
    ("choices", "i4", "Legal actions at these decisions, added up"),
    ("most_choices", "i4", "Most legal actions at one of these decisions"),
    ("steps", "i4", "Actions of the seat in the turn, forced ones too"),
]


class Field(NamedTuple):
    """A field of a record: its name, kind ("i2", or an IntEnum for a named choice), shape and meaning (units, [axes])."""

    name: str
    kind: Any
    shape: tuple[int, ...]
    meaning: str
    columns: Mapping[str, str] | None = (
        None  # of a field with one axis, in a table: column -> its words, for the {} of the meaning
    )
    never: int | None = None  # in a table, this number is null

    @property
    def storage(self) -> str:
        return "i1" if isinstance(self.kind, type) else str(self.kind)


def scalar(name: str, kind: Any, meaning: str) -> Field:
    """A field that holds one number."""
    return Field(name, kind, (), meaning)


def record(
    fields: list[Field], nested: Mapping[str, tuple[Any, tuple[int, ...], str]] | None = None
) -> np.dtype:
    """A NumPy record type whose columns carry their meanings as titles; `nested` adds records inside it."""
    columns: list[Any] = [
        ((f.meaning, f.name), f.storage, f.shape) if f.shape else ((f.meaning, f.name), f.storage)
        for f in fields
    ]
    for name, (kind, shape, meaning) in (nested or {}).items():
        columns.append(((meaning, name), kind, shape) if shape else ((meaning, name), kind))
    names = [f.name for f in fields]
    taken = [n for n in [*names, *(nested or {})] if hasattr(np.record, n)]
    if taken:
        raise UsageError(
            f"'{taken[0]}' cannot be the name of an option or field: NumPy's records have an attribute of that name"
        )
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise ValueError(f"fields named twice: {sorted(twice)}")
    return np.dtype((np.record, columns))


class Option(NamedTuple):
    """A number or choice in the rules that a designer may turn; the default is the rulebook's."""

    name: str
    kind: Any  # int, bool or an IntEnum class
    default: int
    low: int
    high: int
    clause: str
    meaning: str

    @property
    def is_choice(self) -> bool:
        return isinstance(self.kind, type) and issubclass(self.kind, enum.IntEnum)

    @property
    def allowed(self) -> str:
        """The values allowed, in words."""
        if self.is_choice:
            return ", ".join(m.name for m in self.kind)
        return "true or false" if self.kind is bool else f"{self.low} to {self.high}"

    def number(self, value: Any) -> int:
        """The stored number of a value given as text, number, flag or choice name."""
        if self.is_choice:
            return self._choice(value)
        if self.kind is bool:
            return self._flag(value)
        if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]+", value.strip()):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise UsageError(f"option {self.name} takes a whole number {self.allowed}, not '{value}'")
        if not self.low <= value <= self.high:
            raise UsageError(f"option {self.name} = {value} is out of range: {self.allowed} ({self.clause})")
        return value

    def _choice(self, value: Any) -> int:
        names = [m.name for m in self.kind]
        if str(value) not in names:
            raise unknown(f"value of option {self.name}", str(value), names)
        return int(self.kind[str(value)])

    def _flag(self, value: Any) -> int:
        text = str(value).lower()
        if text not in ("true", "false", "1", "0", "yes", "no"):
            raise UsageError(f"option {self.name} takes true or false, not '{value}'")
        return int(text in ("true", "1", "yes"))

    def shown(self, number: int) -> Any:
        """A stored number as a person writes it: the choice's name, a flag or the integer."""
        if self.is_choice:
            return self.kind(number).name
        return bool(number) if self.kind is bool else int(number)


def integer(name: str, default: int, low: int, high: int, clause: str, meaning: str) -> Option:
    """A whole number from low to high."""
    return Option(name, int, default, low, high, clause, meaning)


def flag(name: str, default: bool, clause: str, meaning: str) -> Option:
    """True or false."""
    return Option(name, bool, int(default), 0, 1, clause, meaning)


def choice(name: str, default: enum.IntEnum, clause: str, meaning: str) -> Option:
    """One of the members of an IntEnum."""
    kind = type(default)
    return Option(name, kind, int(default), min(kind), max(kind), clause, meaning)


class Known(NamedTuple):
    """A mean that is known exactly: of a column of the log, or of how often it has one value; `simkit validate` plays for it."""

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

        >>> Known("share", 0.5, "symmetry", "random*2", seat=0).words, Known("turns", 0.1, "counted", "random*2", equals=5).words
        ('share of seat 0', 'games with turns = 5')
        """
        if self.equals is not None:
            return f"games with {self.column} = {self.equals}"
        if self.seat is not None:
            return f"{self.column} of seat {self.seat}"
        return "drawn games" if self.column == "draw" else f"mean {self.column}"


class TableFile(NamedTuple):
    """A file of the designer's own that may replace component tables: its reader, and the option that it takes the place of."""

    read: Callable[..., Any]  # path -> what `Game.tables` is given; has a line `said` about what was read
    instead_of: str = ""


Tables = dict[str, Any]
Preset = Mapping[str, Mapping[str, Any]]  # choice of an option -> options that it sets, unless they are given


def _no_tables(options: dict[str, Any], files: dict[str, Any]) -> Tables:
    return {}


@dataclass(frozen=True)
class Game:
    """A set of rules with a name. The functions keep the promises stated for each (see README, "Your own game")."""

    name: str
    title: str
    seats: tuple[int, int]  # fewest and most seats
    summary: str  # one line
    end_reasons: type[enum.IntEnum]
    options: list[Option]
    state: list[Field]
    max_actions: int  # most legal actions at one decision
    max_steps: int  # more actions than this in one game is a fault
    setup: Callable[..., Any]  # setup(s, rules, rng)
    legal: Callable[..., Any]  # legal(s, rules, out) -> n
    apply: Callable[..., Any]  # apply(s, rules, action, rng)
    observe: Callable[..., Any]  # observe(s, rules, seat, view)
    redeal: Callable[..., Any]  # redeal(view, rules, seat, stream)
    problems: Callable[..., list[str]]
    show: Callable[..., str]
    describe: Callable[..., str]
    game_log: list[Field] = field(default_factory=list)
    seat_log: list[Field] = field(default_factory=list)
    streams: list[str] = field(default_factory=list)  # e.g. "deal/deck", "nature/die"
    tables_fields: list[Field] = field(default_factory=list)
    tables: Callable[[dict[str, Any], dict[str, Any]], Tables] = _no_tables
    files: Mapping[str, TableFile] = field(default_factory=dict)
    presets: Mapping[str, Preset] = field(
        default_factory=dict
    )  # option (a named choice) -> what its choices set
    usual_seats: int = (
        0  # seats at which speeds are told and games shown where nobody asks for a number; 0 = the fewest
    )
    seat_names: list[str] = field(default_factory=list)
    turns_of: str = "of all seats together"  # whose turns `turn` counts, for sentences: "a game takes 30 turns of all seats together"
    score_word: str = "points"  # what a score counts, for sentences: "wins by 4 points"
    rules_text: str = ""  # the rules in brief, for `simkit rules`
    provenance: Callable[[Mapping[str, Any]], list[str]] | None = (
        None  # all options in force -> where the component data come from
    )
    known: list[Known] = field(default_factory=list)  # exact answers, for `simkit validate`
    scratch: int = 3  # states lent to a strategy
    memo: int = 16  # numbers a strategy may remember during one game
    trace_log: list[Field] = field(
        default_factory=list
    )  # of each seat at the end of each turn, besides the score
    trace: Callable[..., Any] | None = (
        None  # trace(s, rules, seat, row) fills the row's fields; it only looks
    )

    def __post_init__(self) -> None:
        """Refuse a trace that could not be written."""
        if self.trace_log and self.trace is None:
            raise ValueError(
                f"{self.name} has a trace_log but no function trace(s, rules, seat, row) that fills it"
            )
        taken = sorted({f.name for f in self.trace_log} & {*TURN_KEY, *(name for name, _, _ in TURN_FIELDS)})
        if taken:
            raise ValueError(f"trace_log of {self.name}: '{taken[0]}' is a column that every trace has")
        _ = self.turn_dtype

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def seats_unless_told(self) -> int:
        return self.usual_seats or self.seats[0]

    @property
    def max_seats(self) -> int:
        return self.seats[1]

    @cached_property
    def state_dtype(self) -> np.dtype:
        """The state: the header that the kernel reads, the game's fields, the log."""
        most = self.max_seats
        header = [
            scalar("seat", "i1", "Seat to decide, -1 when the game is over"),
            scalar("seats", "i1", "Number of seats"),
            scalar("first", "i1", "Seat that moves first"),
            Field("rank", "i1", (most,), "Final rank, 1 = winner, ties share [seat]"),
            Field("score", "i4", (most,), "Final score, points [seat]"),
        ]
        log = {
            "game": (record(self.game_fields), (), "Log of the game"),
            "seat": (record(self.seat_fields), (most,), "Log of each seat [seat]"),
        }
        return record(header + self.state, {"log": (record([], log), (), "What the designer wants to know")})

    @cached_property
    def game_fields(self) -> list[Field]:
        """Columns of the games table that the game itself fills."""
        return [
            scalar("decisions", "i4", "Decisions with more than one legal action"),
            scalar("turns", "i4", "Turns taken by all seats together"),
            scalar("end_reason", self.end_reasons, "Why the game ended"),
            *self.game_log,
        ]

    @cached_property
    def seat_fields(self) -> list[Field]:
        """Columns of the seats table that the game itself fills."""
        return self.seat_log or [scalar("turns", "i4", "Turns taken by the seat")]

    @cached_property
    def turn_dtype(self) -> np.dtype:
        """A row of the turn trace: which game of a batch, the turn and the seat, the score, what the game notes."""
        return record([*(scalar(*part) for part in TURN_FIELDS), *self.trace_log])

    @cached_property
    def rules_dtype(self) -> np.dtype:
        """The rules: one number per option, then the component tables."""
        options = [scalar(o.name, "i2", f"{o.meaning} ({o.clause})") for o in self.options]
        return record(options + self.tables_fields or [scalar("unused", "i1", "A game without options")])

    @cached_property
    def rng_dtype(self) -> np.dtype:
        """The luck: one stream of one word per named component."""
        names = self.streams or ["nature/unused"]
        return record([Field(name.split("/")[1], "u8", (1,), f"Stream {name}") for name in names])

    @property
    def purposes(self) -> list[str]:
        return self.streams or ["nature/unused"]

    def option(self, name: str) -> Option:
        """The option of that name; an unknown one is refused with the closest name."""
        for candidate in self.options:
            if candidate.name == name:
                return candidate
        raise unknown(f"option of {self.name}", name, [o.name for o in self.options])

    def resolve(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options as a person writes them: `given` over the presets in force over the defaults; each checked."""
        numbers = {o.name: o.default for o in self.options}
        for name, sets in self.presets.items():
            option = self.option(name)
            chosen = option.shown(option.number(given[name]) if name in given else option.default)
            numbers |= {
                other: self.option(other).number(value) for other, value in sets.get(chosen, {}).items()
            }
        for name, value in given.items():
            numbers[name] = self.option(name).number(value)
        return {o.name: o.shown(numbers[o.name]) for o in self.options}

    def rules(
        self, given: Mapping[str, Any] | None = None, files: Mapping[str, Any] | None = None
    ) -> np.ndarray:
        """The rules record in force, as an array of length 1; refuses what does not fit together."""
        given, files = dict(given or {}), dict(files or {})
        options = self.resolve(given)
        for name in files:
            if name not in self.files:
                raise unknown(f"file of {self.name}", name, self.files)
            if self.files[name].instead_of in given:
                raise UsageError(
                    f"option {self.files[name].instead_of} cannot be given together with a {name} file, which takes its place"
                )
        result = np.zeros(1, self.rules_dtype)
        for o in self.options:
            result[0][o.name] = o.number(options[o.name])
        for name, value in self.tables(options, files).items():
            result[0][name] = value
        result.flags.writeable = False
        return result

    def check_seats(self, seats: int) -> None:
        """Refuse a number of seats that the game does not have."""
        low, high = self.seats
        if not low <= seats <= high:
            wanted = f"{low}" if low == high else f"{low} to {high}"
            raise UsageError(f"{self.name} has {wanted} seats; the lineup has {seats}")
