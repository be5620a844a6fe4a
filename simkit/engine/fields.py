"""Fields of records: of the state, the log and the component tables."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

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
