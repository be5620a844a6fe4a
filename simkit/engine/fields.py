"""Fields of records, and columns of the tables of every run, whose names games cannot use."""

import enum
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.options import PLAYERS
from simkit.errors import UsageError

_AXES = re.compile(r" ?\[([\w, -]+)\]$")  # names of the axes, at the end of a meaning


class Value(NamedTuple):
    """What the numbers of a field stand for; NUMBER, `category` and so on make them."""

    kind: str
    of: str = ""  # name of the things, of the axis or of the field that the numbers refer to
    firsts: tuple[int, ...] = ()  # numbers that stand for seat 0

    @property
    def words(self) -> str:
        """The kind in words.

        >>> Value("members", "cell").words
        'set of cell'
        """
        phrases = {
            "category": self.of or "category",
            "members": f"set of {self.of}",
            "place": f"place in {self.of}",
        }
        return phrases.get(self.kind, self.kind)


NUMBER = Value("number")  # an IntEnum is a category all the same
CATEGORY = Value("category")  # numbers that tell things apart; their order means nothing
SEAT = Value("seat", firsts=(0,))
DERIVED = Value("derived")  # says what other fields say, so that nothing is learned from it


def category(of: str) -> Value:
    """Return the kind of numbers that tell apart things of this name, which other fields hold, too.

    >>> category("card").kind
    'category'
    """
    return Value("category", of)


def seat(*firsts: int) -> Value:
    """Return the kind of numbers that name seats, counted from each of `firsts`; others are categories.

    >>> seat(1).firsts  # 1 = seat 0, 2 = seat 1, and 0 perhaps nobody
    (1,)
    """
    return Value("seat", firsts=firsts)


def members(axis: str) -> Value:
    """Return the kind of sets: bit i stands for element i of an axis.

    >>> members("cell").of
    'cell'
    """
    return Value("members", axis)


def place(field: str) -> Value:
    """Return the kind of indices of another field of the state (of the own row, if it begins with [seat]).

    >>> place("hand").of
    'hand'
    """
    return Value("place", field)


class Field(NamedTuple):
    """Field of a record: its kind is "i2", "f8", an IntEnum or a record; meanings have units and [axes].

    >>> Field("hand", "i1", (2, 5), "Cards held [seat, card]").axes
    ['seat', 'card']
    """

    name: str
    kind: Any
    shape: tuple[int, ...]
    meaning: str
    columns: Mapping[str, str] | None = None  # columns of one axis in a table -> words for {} in the meaning
    never: int | None = None  # number that is null in a table
    value: Value = NUMBER
    unordered: str = ""  # axis along which the order means nothing, as that of cards in a hand

    @property
    def axes(self) -> list[str]:
        """Names of the axes, from the brackets at the end of the meaning; none if they have no names."""
        names = _AXES.search(self.meaning)
        return names[1].split(", ") if names else []

    @property
    def words(self) -> str:
        """The meaning without the names of the axes."""
        return _AXES.sub("", self.meaning)

    @property
    def content(self) -> Value:
        """What the numbers stand for: `value`, but a category for an IntEnum."""
        return category(self.kind.__name__) if isinstance(self.kind, type) else self.value

    @property
    def column_names(self) -> list[str]:
        """Columns of a table with the field: one per element."""
        indices = np.ndindex(*self.shape)
        return list(self.columns or ("_".join([self.name, *map(str, index)]) for index in indices))

    @property
    def storage(self) -> Any:
        """NumPy type of the field."""
        return "i1" if isinstance(self.kind, type) else self.kind


def scalar(name: str, kind: Any, meaning: str, value: Value = NUMBER) -> Field:
    """Return a field without axes.

    >>> scalar("rolls", "i4", "Dice rolled").shape
    ()
    """
    return Field(name, kind, (), meaning, value=value)


def counters(**meanings: str) -> list[Field]:
    """Return fields of the log for whole numbers, from their meanings by name.

    >>> [own.name for own in counters(rolls="Dice rolled", busts="Turns lost")]
    ['rolls', 'busts']
    """
    return [scalar(name, "i4", meaning) for name, meaning in meanings.items()]


def record(fields: list[Field]) -> np.dtype:
    """Return a NumPy record type whose columns carry their meanings as titles.

    UsageError for a name that NumPy's records use themselves, or that occurs twice.
    """
    names = [f.name for f in fields]
    for name in names:
        if hasattr(np.record, name):
            why = "NumPy's records have an attribute of that name"
            raise UsageError(f"'{name}' cannot be the name of an option or field: {why}; rename it")
        if names.count(name) > 1:
            raise UsageError(f"fields or options named twice: {name}; rename one of them")
    columns: list[Any] = [((f.meaning, f.name), f.storage, f.shape) for f in fields]
    places: Any = np.dtype(columns).fields
    attributes = {name: _attribute(*places[name][:2]) for name in names}
    return np.dtype((type("record", (_Quick,), attributes), columns))


class _Quick(np.record):  # type: ignore[misc]
    """Record whose fields are properties, which plain Python reads twice as fast."""

    __getattribute__ = np.void.__getattribute__


def _attribute(kind: np.dtype, place: int) -> property:
    return property(lambda record: record.getfield(kind, place))


# Turns: the key of a row in a run, and the fields of every game's rows.
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

# Events of a piece; `given`: a seat received it without a choice; `kept`, `unsold`: at the end of the game.
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


FAULT = ("fault", "fault_seat", "fault_line")
MEANINGS = {
    "play": "Play id: `simkit replay RUN PLAY` plays this game again",
    "cell": "Cell of the experiment",
    "deal": "Deal: number of the luck of the game",
    "rotation": "Rotation: seat i is played by strategy (i + rotation) of the lineup, modulo the seats",
    "game": "Name of the rules",
    "seats": "Number of seats",
    "lineup": "Strategies by seat in rotation 0",
    "winner": "Seat of the only winner, null in draws and where nobody wins: a mean of it skips those games",
    "draw": "Whether two seats or more share the first rank",
    "fault": "What was wrong in a game that failed, null in others",
    "fault_seat": "Seat whose turn it was then, null before the first turn",
    "fault_line": "FILE:LINE of the fault within its project, where it is known",
    "seat": "Seat, 0-based in the order of play",
    "strategy": "Strategy of the seat",
    "first": "Seat that moves first",
    "rank": "Final rank, 1 = winner, ties share it, 0 = lost to the game",
    "share": "Share of the win of the seat, or of its side or team: 1/k for a win shared by k, else 0",
    "side_seats": "Number of seats on the side of the seat",
    "score": "Final score, points",
}
# Columns that findings have beside the options of a cell; tests/conftest.py compares them with this file.
RESULTS = Path(__file__).with_name("result_columns.txt").read_text("utf-8").split()
PLAYTESTS = re.compile("(seat|score)_[0-9]+")  # columns of a sheet of playtests, besides those above


def check_names(game: Any) -> None:
    """Refuse options and log fields of a game with the name of another column of the same table."""
    logged = _columns(game.game_fields)
    names = {
        "option": ([own.name for own in game.options], {*MEANINGS, *RESULTS, *PLAYERS, *logged}),
        "field of the log": (logged, {*MEANINGS}),
        "field of the log of a seat": (_columns(game.log.seat), {*MEANINGS}),
        "field of the trace": (_columns(game.log.trace), {*TURN_KEY, *_columns(TURN_FIELDS)}),
    }
    for kind, (own, taken) in names.items():
        for name, times in Counter(own).items():
            if name in taken or times > 1 or (kind == "option" and PLAYTESTS.fullmatch(name)):
                raise UsageError(
                    f"{game.name}: rename the {kind} '{name}': results have a column of that name"
                )


def check_state_fields(game: Any) -> None:
    """Refuse fields of the state whose axes or references to other fields do not fit."""
    shapes = {field.name: field.shape for field in game.fields}
    for field in game.fields:
        where = f"{game.name}: field '{field.name}' of the state"
        if field.axes and len(field.axes) != len(field.shape):
            names = ", ".join(field.axes)
            raise UsageError(f"{where} has {len(field.shape)} axes; its meaning names [{names}]")
        if field.unordered and field.unordered not in field.axes:
            raise UsageError(f"{where} has no axis [{field.unordered}], which unordered=... names")
        if field.value.kind == "place" and not shapes.get(field.value.of):
            raise UsageError(f"{where} has places in '{field.value.of}', which is no array of the state")


def _columns(fields: Iterable[Field]) -> list[str]:
    return [name for field in fields for name in field.column_names]
