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


class Field(NamedTuple):
    """Field of a record: its kind is "i2", "f8", an IntEnum or a record; meanings have units and [axes].

    >>> Field("hand", "i1", (2, 5), "Cards held [seat, card]").storage
    'i1'
    """

    name: str
    kind: Any
    shape: tuple[int, ...]
    meaning: str
    columns: Mapping[str, str] | None = None  # columns of one axis in a table -> words for {} in the meaning
    never: int | None = None  # number that is null in a table

    @property
    def column_names(self) -> list[str]:
        """Columns of a table with the field: one per element."""
        indices = np.ndindex(*self.shape)
        return list(self.columns or ("_".join([self.name, *map(str, index)]) for index in indices))

    @property
    def storage(self) -> Any:
        """NumPy type of the field."""
        return "i1" if isinstance(self.kind, type) else self.kind


def scalar(name: str, kind: Any, meaning: str) -> Field:
    """Return a field without axes.

    >>> scalar("rolls", "i4", "Dice rolled").shape
    ()
    """
    return Field(name, kind, (), meaning)


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
    "rotation": "Rotation: seat i is played by strategy (i + rotation) of the lineup",
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
    "share": "Share of the win: 1/k for a win shared by k seats, 1 for all of a team that wins, else 0",
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


def _columns(fields: Iterable[Field]) -> list[str]:
    return [name for field in fields for name in field.column_names]
