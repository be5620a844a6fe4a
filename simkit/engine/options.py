"""Options: numbers and choices in the rules that a designer may turn."""

import enum
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from simkit.engine.limits import WHOLE_NUMBER
from simkit.errors import UsageError, look_up

STORED = {"i2": 1 << 15, "i4": 1 << 31}  # storage type of an option -> end of its range
PLAYERS = ("players", "seats")  # name the number of players; no option has these names
FORM = "{}"  # where a number stands in its label
TRIES = 5  # values of a number suggested for trying
FLAGS = {"true": 1, "1": 1, "yes": 1, "false": 0, "0": 0, "no": 0}


class Option(NamedTuple):
    """Number or choice in the rules that a designer may turn."""

    name: str
    kind: Any  # int, bool or an IntEnum class
    default: int  # the value of the rulebook
    low: int
    high: int
    clause: str
    meaning: str
    label: str = ""  # short name for people
    # Labels by name or number, or a form for numbers ("keep {}"), or both: {"0": "all", "{}": "keep {}"}.
    values: str | Mapping[str, str] = "{}"
    treats: tuple[int | str, ...] = ()  # seats, or names of roles, that the option treats differently
    needs: Mapping[str, Any] = {}  # other options and the only values at which this option has an effect

    @property
    def seats(self) -> list[int]:
        """The seats that the option treats differently."""
        return [who for who in self.treats if isinstance(who, int)]

    @property
    def is_choice(self) -> bool:
        """Whether the values are members of an enumeration."""
        return isinstance(self.kind, type) and issubclass(self.kind, enum.IntEnum)

    @property
    def full_meaning(self) -> str:
        """The meaning, with the clause in brackets where there is one."""
        return f"{self.meaning} ({self.clause})" if self.clause else self.meaning

    @property
    def storage(self) -> str:
        """Type of the field in the rules record, the smallest that holds the range."""
        return next(kind for kind, end in STORED.items() if -end <= self.low <= self.high < end)

    @property
    def names(self) -> list[str]:
        """Names of the values of a choice or flag; none for a number."""
        if self.is_choice:
            return [m.name for m in self.kind]
        return ["false", "true"] if self.kind is bool else []

    @property
    def allowed(self) -> str:
        """Allowed values in words."""
        if self.kind is bool:
            return "true or false"
        return ", ".join(self.names) or f"{self.low} to {self.high}"

    @property
    def at(self) -> dict[str, list[Any]]:
        """`needs` with a list of values for each option."""
        needs = self.needs.items()
        return {name: list(at) if isinstance(at, list | tuple) else [at] for name, at in needs}

    @property
    def players(self) -> list[Any]:
        """The numbers of players at which alone the option does something; none = at all.

        >>> integer("duel", 0, 0, 9, "X-1", "Points of a duel", needs={"players": 2}).players
        [2]
        """
        return [number for name in PLAYERS for number in self.at.get(name, [])]

    def has_effect(self, values: Mapping[str, Any], seats: int) -> bool:
        """Return whether the option does something with these values of all options and so many players."""
        given = dict(values) | dict.fromkeys(PLAYERS, seats)
        return all(given[name] in at for name, at in self.at.items())

    @property
    def near(self) -> list[Any]:
        """Every value of a choice or flag; of a number, the rulebook's value and some on both sides."""
        if self.names:
            return [self.value(self.number(name)) for name in self.names]
        step = max(1, (self.high - self.low) // 20)
        around = range(self.default - TRIES * step, self.default + TRIES * step + 1, step)
        inside = [value for value in around if self.low <= value <= self.high]
        return sorted(sorted(inside, key=lambda value: (abs(value - self.default), value))[:TRIES])

    def number(self, value: Any) -> int:
        """Return the stored number of a value given as text, number, flag or name of a choice.

        UsageError for a value that is not allowed.
        """
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
        """Return a value as a person reads it.

        >>> integer("keep", 16, 0, 48, "X-1", "Cards kept", values="keep {}").value_label(16)
        'keep 16'
        """
        labels: Mapping[str, str] = {FORM: self.values} if isinstance(self.values, str) else self.values
        name = str(value).lower() if self.kind is bool else str(value)
        usual = to_words(name) if self.names else fill_form(labels.get(FORM, FORM), value)
        return labels.get(name, usual)

    def value(self, number: int) -> Any:
        """Return a stored number as a person writes it: the name of a choice, a flag or the integer."""
        if self.is_choice:
            return self.kind(number).name
        return bool(number) if self.kind is bool else int(number)


def integer(
    name: str, default: int, low: int, high: int, clause: str, meaning: str = "", **labels: Any
) -> Option:
    """Return an option that takes a whole number from low to high; the clause may be left out.

    `labels` are the fields label, values, treats and needs of `Option`.

    >>> integer("goal", 100, 1, 1000, "PIG-1", "Points that win").allowed
    '1 to 1000'
    """
    return _complete(Option(name, int, default, low, high, clause, meaning, **labels))


def flag(name: str, default: bool, clause: str, meaning: str = "", **labels: Any) -> Option:
    """Return an option that takes true or false; arguments as of `integer`.

    >>> flag("draft", False, "O7-2.9", "Hands are drafted").names
    ['false', 'true']
    """
    return _complete(Option(name, bool, int(default), 0, 1, clause, meaning, **labels))


def choice(name: str, default: enum.IntEnum, clause: str, meaning: str = "", **labels: Any) -> Option:
    """Return an option that takes a member of the enumeration of its default; arguments as of `integer`.

    >>> Start = enum.IntEnum("Start", "fixed bid", start=0)
    >>> choice("start", Start.fixed, "X-1", "Who begins").names
    ['fixed', 'bid']
    """
    kind = type(default)
    return _complete(Option(name, kind, int(default), min(kind), max(kind), clause, meaning, **labels))


def option_maker(data: Mapping[str, Any], choices: Mapping[str, Any]) -> Callable[..., Option]:
    """Return a function that makes the options of a component file.

    Args:
        data: by name of an option its type (int, bool or flag, choice), min, max, default and clause.
        choices: by name of a choice its IntEnum.

    The function takes name, meaning, label (by default the meaning with a small first letter), and the other
    labels of `integer`.
    """

    def option(name: str, meaning: str, label: str = "", **labels: Any) -> Option:
        entry = data[name]
        labels = {"label": label or meaning[0].lower() + meaning[1:]} | labels
        if entry["type"] == "int":
            least, most = entry["min"], entry["max"]
            return integer(name, entry["default"], least, most, entry["clause"], meaning, **labels)
        if entry["type"] in ("bool", "flag"):
            return flag(name, entry["default"], entry["clause"], meaning, **labels)
        return choice(name, choices[name][entry["default"]], entry["clause"], meaning, **labels)

    return option


def _complete(option: Option) -> Option:
    """Return the option with a label; ValueError for labels of unknown values or a range without storage."""
    names = option.names or map(str, range(option.low, option.high + 1))
    if not isinstance(option.values, str) and (unknown := {*option.values}.difference([FORM], names)):
        why = f"which is none of its values: {option.allowed}"
        raise ValueError(f"option {option.name} has a label for '{min(unknown)}', {why}")
    end = max(STORED.values())
    if not -end <= option.low <= option.default <= option.high < end:
        limits = f"{option.low} to {option.high}, default {option.default}"
        right = f"the default in between, within {-end} to {end - 1}"
        raise ValueError(f"option {option.name} has the range {limits}: it must go from low to high, {right}")
    if not option.meaning:
        option = option._replace(clause="", meaning=option.clause)
    if option.players:
        # The addition stands wherever the meaning does: in `simkit rules`, on pages, in the columns of a run.
        only = " or ".join(map(str, option.players))
        option = option._replace(meaning=f"{option.meaning} (with {only} players only)")
    return option._replace(label=option.label or to_words(option.name))


def fill_form(form: str, value: Any) -> str:
    """Return a form with the value in place of `{}`, or with its sign in place of `{:+}`.

    `str.format` would be unsafe: forms are also read from run folders, which may come from anybody.

    >>> fill_form("keep {}", 3), fill_form("{:+} VP", 2), fill_form("{.__class__}", 1)
    ('keep 3', '+2 VP', '{.__class__}')
    """
    signed = form.replace("{:+}", f"{value:+}") if isinstance(value, int | float) else form
    return signed.replace("{}", str(value))


def to_words(name: str) -> str:
    """Return an identifier as words, for names without a label.

    >>> to_words("hand_limit")
    'hand limit'
    """
    return name.replace("_", " ")


def option_of(game: str, seats: tuple[int, int], name: str, options: Iterable[Option]) -> Option:
    """Return the option of this name; UsageError if the game has none."""
    by_name = {option.name: option for option in options}
    if name in PLAYERS:
        check_varied(game, seats, name)
        sweep = f"simkit sweep {game} {name}={seats[0]}:{seats[1]}"
        cure = f"give --seats {seats[1]} if the command has it, else --set {name}={seats[1]}, or vary it"
        raise UsageError(f"the number of players is no rule option of {game}; {cure}: {sweep}")
    return look_up(f"option of {game}", name, by_name)


def check_needs(game: str, seats: tuple[int, int], options: list[Option]) -> None:
    """Refuse options that need an option, a value or a number of players that the game does not have."""
    own = {option.name: option for option in options}
    for option in options:
        where = f"needs= of option {option.name}"
        for number in option.players:
            if number not in range(seats[0], seats[1] + 1):
                raise UsageError(
                    f"{game}: {where}: the game has {seats[0]} to {seats[1]} players, not {number}"
                )
        for name in option.at.keys() - {*PLAYERS}:
            needed = look_up(f"option of {game}, for {where}", name, own)
            for value in option.at[name]:
                needed.number(value)


def check_varied(game: str, seats: tuple[int, int], name: str) -> None:
    """Refuse to vary the number of players of a game that has only one."""
    if seats[0] == seats[1]:
        raise UsageError(f"{game} has {seats[0]} players, so {name} cannot be varied")
