"""An option: a number or choice in the rules that a designer may turn."""

import enum
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from simkit.errors import UsageError, unknown


class Option(NamedTuple):
    """A number or choice in the rules that a designer may turn; the default is the rulebook's."""

    name: str
    kind: Any  # int, bool or an IntEnum class
    default: int
    low: int
    high: int
    clause: str
    meaning: str
    label: str = ""  # a short name for people
    values: str | Mapping[str, str] = (
        "{}"  # labels of the values: a format for numbers ("keep {}"), else by name
    )
    treats: tuple[int | str, ...] = ()  # seats, or strategies, that it treats differently from the others
    needs: Mapping[str, Any] = {}  # other options and the values at which alone this one does something

    @property
    def is_choice(self) -> bool:
        return isinstance(self.kind, type) and issubclass(self.kind, enum.IntEnum)

    @property
    def names(self) -> list[str]:
        """The values that have names: those of a choice or flag."""
        return (
            [m.name for m in self.kind] if self.is_choice else ["false", "true"] if self.kind is bool else []
        )

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

    def value_label(self, value: Any) -> str:
        """A value as a person reads it.

        >>> integer("keep", 16, 0, 48, "X-1", "Cards kept", values="keep {}").value_label(16)
        'keep 16'
        """
        if isinstance(self.values, str) and not self.names:
            return self.values.format(value)
        name = str(value).lower() if self.kind is bool else str(value)
        return plain(name) if isinstance(self.values, str) else self.values.get(name, plain(name))

    def shown(self, number: int) -> Any:
        """A stored number as a person writes it: the choice's name, a flag or the integer."""
        if self.is_choice:
            return self.kind(number).name
        return bool(number) if self.kind is bool else int(number)


def integer(name: str, default: int, low: int, high: int, clause: str, meaning: str, **labels: Any) -> Option:
    """A whole number from low to high; `labels`: label, values, treats, needs."""
    return _option(name, int, default, low, high, clause, meaning, labels)


def flag(name: str, default: bool, clause: str, meaning: str, **labels: Any) -> Option:
    """True or false."""
    return _option(name, bool, int(default), 0, 1, clause, meaning, labels)


def choice(name: str, default: enum.IntEnum, clause: str, meaning: str, **labels: Any) -> Option:
    """One of the members of an IntEnum."""
    kind = type(default)
    return _option(name, kind, int(default), min(kind), max(kind), clause, meaning, labels)


def _option(
    name: str, kind: Any, default: int, low: int, high: int, clause: str, meaning: str, labels: dict[str, Any]
) -> Option:
    """An option, checked: it has a label, and labels of values only that it has."""
    made = Option(name, kind, default, low, high, clause, meaning, **{"label": plain(name)} | labels)
    strange = [] if isinstance(made.values, str) else sorted(set(made.values) - set(made.names))
    if strange:
        raise ValueError(
            f"option {name} has a label for '{strange[0]}', which is none of its values: {made.allowed}"
        )
    return made


def plain(name: str) -> str:
    """An identifier as words, where nobody gave it a label.

    >>> plain("hand_limit")
    'hand limit'
    """
    return name.replace("_", " ")
