"""The fields of records: of the state, the log and the component tables, each with its meaning."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from simkit.errors import UsageError


class Field(NamedTuple):
    """A field of a record; its kind is "i2", "f8" … or an IntEnum, its meaning has units and [axes]."""

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
            f"'{taken[0]}' cannot be the name of an option or field: "
            "NumPy's records have an attribute of that name"
        )
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise ValueError(f"fields named twice: {sorted(twice)}")
    return np.dtype((_quick(np.dtype(columns)), columns))


class _Quick(np.record):  # type: ignore[misc]
    """A record whose fields are properties, which plain Python reads twice as fast."""

    __getattribute__ = np.void.__getattribute__


def _quick(kind: np.dtype) -> type[_Quick]:
    """The class of the records of this kind."""
    assert kind.names is not None and kind.fields is not None
    return type("record", (_Quick,), {name: _attribute(*kind.fields[name][:2]) for name in kind.names})


def _attribute(kind: np.dtype, place: int) -> property:
    return property(lambda record: record.getfield(kind, place))
