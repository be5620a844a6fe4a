"""An option: a number or choice in the rules that a designer may turn."""

import enum
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from simkit.engine.limits import WHOLE_NUMBER
from simkit.errors import UsageError, look_up

STORED = {"i2": 1 << 15, "i4": 1 << 31}  # how the numbers of an option may be stored, and where they end
FLAGS = {"true": 1, "1": 1, "yes": 1, "false": 0, "0": 0, "no": 0}


class Option(NamedTuple):
    name: str
    kind: Any  # int, bool or an IntEnum class
    default: int  # the rulebook's
    low: int
    high: int
    clause: str
    meaning: str
    label: str = ""  # a short name for people
    values: str | Mapping[str, str] = "{}"  # labels: of numbers a format ("keep {}"), else by name
    treats: tuple[int | str, ...] = ()  # seats, or strategies, that it treats differently from the others
    needs: Mapping[str, Any] = {}  # other options and the values at which alone this one does something

    @property
    def is_choice(self) -> bool:
        return isinstance(self.kind, type) and issubclass(self.kind, enum.IntEnum)

    @property
    def explained(self) -> str:
        """The meaning, with the clause in brackets where there is one."""
        return f"{self.meaning} ({self.clause})" if self.clause else self.meaning

    @property
    def storage(self) -> str:
        """The field of the rules record, the smallest that holds its numbers."""
        return next(kind for kind, end in STORED.items() if -end <= self.low <= self.high < end)

    @property
    def names(self) -> list[str]:
        """The values that have names: those of a choice or flag."""
        if self.is_choice:
            return [m.name for m in self.kind]
        return ["false", "true"] if self.kind is bool else []

    @property
    def allowed(self) -> str:
        if self.kind is bool:
            return "true or false"
        return ", ".join(self.names) or f"{self.low} to {self.high}"

    def number(self, value: Any) -> int:
        """The stored number of a value given as text, number, flag or choice name."""
        text = str(value)
        if self.is_choice:
            return int(look_up(f"value of option {self.name}", text, self.kind.__members__))
        if self.kind is bool:
            if text.lower() not in FLAGS:
                raise UsageError(f"option {self.name} takes true or false, not '{value}'")
            return FLAGS[text.lower()]
        if isinstance(value, str) and WHOLE_NUMBER.fullmatch(value.strip()):
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise UsageError(f"option {self.name} takes a whole number {self.allowed}, not '{value}'")
        if not self.low <= value <= self.high:
            clause = f" ({self.clause})" if self.clause else ""
            raise UsageError(f"option {self.name} = {value} is out of range: {self.allowed}{clause}")
        return value

    def value_label(self, value: Any) -> str:
        """A value as a person reads it.

        >>> integer("keep", 16, 0, 48, "X-1", "Cards kept", values="keep {}").value_label(16)
        'keep 16'
        """
        if isinstance(self.values, str) and not self.names:
            return filled(self.values, value)
        name = str(value).lower() if self.kind is bool else str(value)
        return plain(name) if isinstance(self.values, str) else self.values.get(name, plain(name))

    def shown(self, number: int) -> Any:
        """A stored number as a person writes it: the choice's name, a flag or the integer."""
        if self.is_choice:
            return self.kind(number).name
        return bool(number) if self.kind is bool else int(number)


def integer(
    name: str, default: int, low: int, high: int, clause: str, meaning: str = "", **labels: Any
) -> Option:
    """A whole number from low to high, a clause (may be left out) and the meaning.

    labels: label, values, treats, needs.
    """
    return _checked(Option(name, int, default, low, high, clause, meaning, **labels))


def flag(name: str, default: bool, clause: str, meaning: str = "", **labels: Any) -> Option:
    return _checked(Option(name, bool, int(default), 0, 1, clause, meaning, **labels))


def choice(name: str, default: enum.IntEnum, clause: str, meaning: str = "", **labels: Any) -> Option:
    kind = type(default)
    return _checked(Option(name, kind, int(default), min(kind), max(kind), clause, meaning, **labels))


def of_data(data: Mapping[str, Any], choices: Mapping[str, Any]) -> Callable[..., Option]:
    """A function that puts the options of a component file into words.

    data: by name the type (int, bool or flag, choice), min, max, default and clause; choices: by name the
    IntEnum of a choice. The function takes name, meaning and label (the meaning in small letters unless
    given).
    """

    def option(name: str, meaning: str, label: str = "", **more: Any) -> Option:
        its = data[name]
        more = {"label": label or meaning[0].lower() + meaning[1:]} | more
        if its["type"] == "int":
            return integer(name, its["default"], its["min"], its["max"], its["clause"], meaning, **more)
        if its["type"] in ("bool", "flag"):
            return flag(name, its["default"], its["clause"], meaning, **more)
        return choice(name, choices[name][its["default"]], its["clause"], meaning, **more)

    return option


def _checked(option: Option) -> Option:
    """The option with a label; it has labels only of values that it has, and a range that can be stored."""
    if not isinstance(option.values, str) and (strange := set(option.values) - set(option.names)):
        why = f"which is none of its values: {option.allowed}"
        raise ValueError(f"option {option.name} has a label for '{min(strange)}', {why}")
    end = max(STORED.values())
    if not -end <= option.low <= option.default <= option.high < end:
        given = f"{option.low} to {option.high}, default {option.default}"
        right = f"the default in between, within {-end} to {end - 1}"
        raise ValueError(f"option {option.name} has the range {given}: it must go from low to high, {right}")
    if not option.meaning:
        option = option._replace(clause="", meaning=option.clause)
    return option._replace(label=option.label or plain(option.name))


def filled(form: str, value: Any) -> str:
    """A form with a number in its place, with its sign where the form says so.

    It is no format string: forms are read from run folders, too, and those may be anybody's.

    >>> filled("keep {}", 3), filled("{:+} VP", 2), filled("{.__class__}", 1)
    ('keep 3', '+2 VP', '{.__class__}')
    """
    signed = form.replace("{:+}", f"{value:+}") if isinstance(value, int | float) else form
    return signed.replace("{}", str(value))


def plain(name: str) -> str:
    """An identifier as words, where nobody gave it a label.

    >>> plain("hand_limit")
    'hand limit'
    """
    return name.replace("_", " ")
