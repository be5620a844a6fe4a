"""Lineups as written: `greedy(caution=0.7)*3, greedy@tuned, search(policy=greedy(card=45))`."""

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple

from simkit.errors import UsageError


class Named(NamedTuple):
    """Strategy as written in a lineup: its name, its given weights, and the preset that has the others."""

    name: str
    weights: Mapping[str, str]
    preset: str = ""

    def __str__(self) -> str:
        inner = ", ".join(f"{n}={v}" for n, v in self.weights.items())
        name = f"{self.name}@{self.preset}" if self.preset else self.name
        return f"{name}({inner})" if inner else name


_NAME = r"[A-Za-z_]\w*"
_ENTRY = re.compile(
    rf"\s*(?P<name>{_NAME})(@(?P<preset>{_NAME}))?\s*(\((?P<weights>.*)\))?\s*(\*\s*(?P<times>[0-9]{{1,9}}))?\s*"
)


def split(text: str) -> list[str]:
    """Return the parts between commas; commas inside parentheses do not split.

    >>> split("search(policy=greedy(a=1, b=2), budget=5), random")
    ['search(policy=greedy(a=1, b=2), budget=5)', ' random']
    """
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _balanced(text: str) -> bool:
    """Return whether every parenthesis that opens is closed, and none closes before it opens.

    >>> _balanced("greedy(a=1)"), _balanced("1)(b=2"), _balanced("greedy(a")
    (True, False, False)
    """
    depths = list(accumulate({"(": 1, ")": -1}.get(character, 0) for character in text))
    return min(depths) >= 0 and depths[-1] == 0


def parse_strategy(text: str) -> list[Named]:
    """Return the strategies of one entry of a lineup, repeated as written: `greedy(caution=0.7)*3`.

    >>> [str(n) for n in parse_strategy("hold_at(threshold=25)*2")]
    ['hold_at(threshold=25)', 'hold_at(threshold=25)']
    >>> parse_strategy("greedy@tuned(card=45)")
    [Named(name='greedy', weights={'card': '45'}, preset='tuned')]
    """
    match = _ENTRY.fullmatch(text)
    if not match:
        raise UsageError(
            f"strategy '{text}' is not of the form name, name@preset, name(weight=value, ...) or name*4"
        )
    weights: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in split(match["weights"] or ""))):
        name, equals, value = (p.strip() for p in part.partition("="))
        if not equals or not name or not value or name in weights or not _balanced(value):
            raise UsageError(f"strategy '{text}': '{part}' is not of the form weight=value, each weight once")
        weights[name] = value
    times = int(match["times"] or 1)
    if not 1 <= times <= 100:
        raise UsageError(f"strategy '{text}': repeat it 1 to 100 times")
    return [Named(match["name"], weights, match["preset"] or "")] * times


def parse_lineup(text: str) -> list[Named]:
    """Return the strategies of a lineup by seat; commas inside parentheses do not split.

    >>> [str(n) for n in parse_lineup("greedy(a=1, b=2), random*2")]
    ['greedy(a=1, b=2)', 'random', 'random']
    """
    return [named for part in split(text) for named in parse_strategy(part)]


def seats_of(lineups: Iterable[Iterable[str]]) -> int:
    """Return the number of seats of lineups as written; UsageError if the lineups differ in it.

    >>> seats_of([["random*2"], ["greedy(a=1), random"]])
    2
    """
    seat_counts = {sum(len(parse_lineup(text)) for text in lineup) for lineup in lineups}
    if len(seat_counts) > 1:
        raise UsageError("the lineups have different numbers of seats; ask for one number at a time")
    return seat_counts.pop()
