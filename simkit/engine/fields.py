"""The fields of records: of the state, the log and the component tables."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from simkit.errors import UsageError


class Field(NamedTuple):
    """A field of a record: its kind is "i2", "f8", an IntEnum or a record; meanings have units, [axes]."""

    name: str
    kind: Any
    shape: tuple[int, ...]
    meaning: str
    columns: Mapping[str, str] | None = None  # of one axis, in a table: column -> words for {} of the meaning
    never: int | None = None  # in a table, this number is null

    @property
    def storage(self) -> Any:
        return "i1" if isinstance(self.kind, type) else self.kind


def scalar(name: str, kind: Any, meaning: str) -> Field:
    return Field(name, kind, (), meaning)


def counters(**meanings: str) -> list[Field]:
    """Whole numbers of the log: name -> meaning."""
    return [scalar(name, "i4", meaning) for name, meaning in meanings.items()]


def record(fields: list[Field]) -> np.dtype:
    """A NumPy record type whose columns carry their meanings as titles; a field's kind may be a record."""
    names = [f.name for f in fields]
    for name in names:
        if hasattr(np.record, name):
            why = "NumPy's records have an attribute of that name"
            raise UsageError(f"'{name}' cannot be the name of an option or field: {why}")
        if names.count(name) > 1:
            raise ValueError(f"fields named twice: {name}")
    columns: list[Any] = [((f.meaning, f.name), f.storage, f.shape) for f in fields]
    places: Any = np.dtype(columns).fields
    attributes = {name: _attribute(*places[name][:2]) for name in names}
    return np.dtype((type("record", (_Quick,), attributes), columns))


class _Quick(np.record):  # type: ignore[misc]
    """A record whose fields are properties, which plain Python reads twice as fast."""

    __getattribute__ = np.void.__getattribute__


def _attribute(kind: np.dtype, place: int) -> property:
    return property(lambda record: record.getfield(kind, place))
