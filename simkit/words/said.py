"""A sentence with what it rests upon, and phrases that many sentences share."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from simkit.words.names import places, span

Row = dict[str, Any]


class Said(NamedTuple):
    """A sentence, and the findings that its numbers come from: `lengths.filter(cell=0)`."""

    text: str
    rests: str


def percent(share: float) -> str:
    """A share in a sentence."""
    return f"{100 * share:.1f} %"


def listed(names: Iterable[str]) -> str:
    """Names in a row.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *front, last = names
    return f"{', '.join(front)} and {last}" if front else last


def counted(many: int, name: str) -> str:
    """A number of things.

    >>> counted(1, "setting"), counted(1200, "game")
    ('1 setting', '1,200 games')
    """
    return f"{many:,} {name}{'' if many == 1 else 's'}"


def interval(row: Row) -> str:
    """The interval of a share, and the games that it rests upon."""
    return f"95 % interval {span(row['low'], row['high'], scale=100)} %, n = {row['games']:,} games"


def between(
    low: float, high: float, digits: int = 1, sign: bool = False, unit: str = "", scale: float = 1
) -> str:
    """An interval in a sentence; one without width is no interval."""
    if low == high:
        return "the same in every game"
    return f"95 % interval {span(low, high, digits, sign, scale)}{unit}"


def mean(row: Row) -> str:
    """A mean with as many digits as its interval is told with."""
    if row["low"] is None:
        return f"{row['mean']:.1f}"
    return f"{row['mean']:.{places(row['low'], row['high'], lambda x, n: f'{x:.{n}f}')}f}"
