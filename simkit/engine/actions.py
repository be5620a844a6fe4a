"""Ids of actions that have parts, such as a card and its target: packed, unpacked and put into words."""

import enum
import math
from collections import namedtuple
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from simkit.engine.compile.jit import rule
from simkit.engine.options import to_words
from simkit.errors import unknown

MOST_PARTS = 4
TAKEN = ("pack", "has", "stop", "words", "count", "index")  # attributes of every codec


class Codec:
    """Ids of actions with parts, as `Actions` makes them; a named tuple, which compiled code can read."""

    pack: Callable[..., int]
    has: Callable[[int], bool]
    stop: int  # the first id behind them
    _parts: dict[str, Any]  # what each part stands for

    if TYPE_CHECKING:

        def __getattr__(self, part: str) -> Callable[[int], int]: ...

    def words(self, action: int, form: str = "") -> str:
        """Return an action in words: `card 3, target 1`, or a form with {card} and {target} in it."""
        parts = {name: _word(self._parts[name], getattr(self, name)(action)) for name in self._parts}
        form = form or ", ".join(f"{to_words(name)} {{{name}}}" for name in parts)
        try:
            return form.format(**parts)
        except KeyError as error:
            raise unknown("part of these Actions(...)", str(error.args[0]), list(parts)) from error


def Actions(first: int = 0, **parts: Any) -> Codec:
    """Return a codec of actions with up to four parts, for compiled rules and for plain Python.

    A part is the number of its values, counted from 0, a range, an IntEnum, or a list of names. Ids go up
    from `first`, by the first part, then by the next, so that loops over the parts give ascending ids.

    Args:
        first: id of the first of these actions.
        parts: what each part stands for, by name.

    The codec has `pack(a, b, ...)`, the id of an action from its parts in this order; `has(action)`, whether
    an id is of these actions; a function for each part, such as `card(action)`; `stop`, the first id behind;
    and, outside rules, `words(action, form)`.

    >>> TAKE = Actions(heap=["left", "right"], objects=range(1, 6))
    >>> TAKE.pack(1, 3), TAKE.heap(7), TAKE.objects(7), TAKE.stop
    (7, 1, 3, 10)
    >>> TAKE.words(7), TAKE.words(7, "takes {objects} from the {heap} heap")
    ('heap right, objects 3', 'takes 3 from the right heap')
    """
    ranges = {name: _range(name, part) for name, part in parts.items()}
    if not 0 < len(parts) <= MOST_PARTS:
        raise ValueError(f"Actions(...) takes one to {MOST_PARTS} parts, such as card=16, not {len(parts)}")
    steps = [math.prod(map(len, [*ranges.values()][i + 1 :])) for i in range(len(parts))]
    of_parts = list(zip(parts, ranges.values(), steps, strict=True))
    pack = _packing(first, [_weighing(name, values, step) for name, values, step in of_parts])
    stop = first + math.prod(map(len, ranges.values()))
    unpack = [_unpacking(first, stop, values, step) for _, values, step in of_parts]
    kind = type("Actions", (Codec, namedtuple("Actions", ["pack", "has", "stop", *parts])), {"_parts": parts})
    codec: Codec = kind(pack, _membership(first, stop), stop, *unpack)
    return codec


def _range(name: str, part: Any) -> range:
    """Return the numbers of a part; ValueError for a name or numbers that a codec cannot have."""
    if name in TAKEN or name.startswith("_"):
        raise ValueError(f"Actions(...): a part cannot be called '{name}'; rename it")
    numbers = range(part if isinstance(part, int) else len(part) if isinstance(part, list) else 0)
    if isinstance(part, type) and issubclass(part, enum.IntEnum):
        numbers = range(min(part), max(part) + 1) if len(part) == max(part) + 1 - min(part) else numbers
    elif isinstance(part, range):
        numbers = part
    if len(numbers) == 0 or numbers.step != 1:
        wrong = f"Actions(...): {name} has no values that go up by 1"
        raise ValueError(f"{wrong}; give their number, a range, an IntEnum or a list of names")
    return numbers


def _weighing(name: str, values: range, step: int) -> Any:
    """Return a rule that gives what a part adds to the id."""
    low, high = values[0], values[-1]
    message = f"pack(...) got a {name} outside {low} to {high}"

    @rule
    def weigh(value):  # type: ignore[no-untyped-def]
        if not low <= value <= high:
            raise ValueError(message)
        return (int(value) - low) * step

    return weigh


def _packing(first: int, weigh: list[Any]) -> Any:
    """Return the rule `pack` for the parts; compiled code has no functions of any number of arguments."""
    of_a, of_b, of_c, of_d = [*weigh, *weigh[:1] * MOST_PARTS][:MOST_PARTS]

    @rule
    def pack_one(a):  # type: ignore[no-untyped-def]
        return first + of_a(a)

    @rule
    def pack_two(a, b):  # type: ignore[no-untyped-def]
        return first + of_a(a) + of_b(b)

    @rule
    def pack_three(a, b, c):  # type: ignore[no-untyped-def]
        return first + of_a(a) + of_b(b) + of_c(c)

    @rule
    def pack_four(a, b, c, d):  # type: ignore[no-untyped-def]
        return first + of_a(a) + of_b(b) + of_c(c) + of_d(d)

    return (pack_one, pack_two, pack_three, pack_four)[len(weigh) - 1]


def _membership(first: int, stop: int) -> Any:
    """Return a rule that tells whether an id is of these actions."""

    @rule
    def has(action):  # type: ignore[no-untyped-def]
        return first <= action < stop

    return has


def _unpacking(first: int, stop: int, values: range, step: int) -> Any:
    """Return a rule that gives a part of an action."""
    low, count = values[0], len(values)

    @rule
    def part(action):  # type: ignore[no-untyped-def]
        if not first <= action < stop:
            raise ValueError("the action is none of these Actions(...): ask has(action) before its parts")
        return low + (action - first) // step % count

    return part


def _word(part: Any, value: int) -> str:
    """Return the value of a part in words."""
    if isinstance(part, type):
        return to_words(part(value).name)
    return str(value) if isinstance(part, int | range) else str(part[value])
