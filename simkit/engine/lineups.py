"""Lineups as written: `greedy(caution=0.7)*3, greedy@tuned, search(policy=greedy(card=45))`.

A preset such as `tuned` has weights of a strategy under a name, in `strategies/presets.toml` of the checkout
or of a project:

    [pig.hold_at.tuned]
    threshold = 21
"""

import re
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError

PRESET_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
PRESETS_FILE = "presets.toml"
Weights = dict[str, str]  # as written in a lineup
PresetKey = tuple[str, str, str]  # game, strategy, preset


class Named(NamedTuple):
    """Strategy as written in a lineup: its name, its given weights, and the preset that has the others."""

    name: str
    weights: Mapping[str, str]
    preset: str = ""

    def __str__(self) -> str:
        inner = ", ".join(f"{n}={v}" for n, v in self.weights.items())
        name = f"{self.name}@{self.preset}" if self.preset else self.name
        return f"{name}({inner})" if inner else name


class Seated(NamedTuple):
    """Strategy as written in a lineup, at a table with some number of seats."""

    label: str
    seats: int


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


def _is_balanced(text: str) -> bool:
    """Return whether every parenthesis that opens is closed, and none closes before it opens.

    >>> _is_balanced("greedy(a=1)"), _is_balanced("1)(b=2"), _is_balanced("greedy(a")
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
    >>> str(parse_strategy('learned(name="late")')[0])
    'learned(name=late)'
    """
    match = _ENTRY.fullmatch(text)
    if not match:
        raise UsageError(
            f"strategy '{text}' is not of the form name, name@preset, name(weight=value, ...) or name*4"
        )
    weights: dict[str, str] = {}
    for part in filter(None, (p.strip() for p in split(match["weights"] or ""))):
        name, equals, value = (p.strip() for p in part.partition("="))
        if not equals or not name or not value or name in weights or not _is_balanced(value):
            raise UsageError(f"strategy '{text}': '{part}' is not of the form weight=value, each weight once")
        weights[name] = value.strip("'\"")
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


def load_presets(path: Path) -> dict[PresetKey, Weights]:
    """Return the presets of a file, none if it does not exist; UsageError for a malformed one."""
    if not path.is_file():
        return {}
    try:
        tables = read_toml(path)
        return {
            (game, strategy, name): {weight: _text(value) for weight, value in weights.items()}
            for game, strategies in tables.items()
            for strategy, presets in strategies.items()
            for name, weights in presets.items()
        }
    except (ValueError, AttributeError) as error:
        why = "no tables [game.strategy.preset]" if isinstance(error, AttributeError) else str(error)
        raise UsageError(f"{path}: is no file of presets: {why}") from None


def _text(value: Any) -> str:
    """Return a weight as written in a lineup."""
    if isinstance(value, bool | list | dict):
        raise ValueError(f"a weight is a number or a name, not {value!r}")
    return str(value)


def append_preset(path: Path, key: PresetKey, weights: Weights) -> None:
    """Write a new preset at the end of a file, which keeps its comments and its order."""
    lines = [f"{name} = {_value(text)}" for name, text in weights.items()]
    before = path.read_text("utf-8").rstrip() + "\n\n" if path.is_file() else ""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = before + "\n".join([f"[{'.'.join(key)}]", *lines]) + "\n"
    path.write_text(text, "utf-8", newline="\n")


def _value(text: str) -> str:
    """Return a weight as TOML: a number, or else a text.

    >>> _value("21"), _value("0.5"), _value("greedy(card=45)")
    ('21', '0.5', '"greedy(card=45)"')
    """
    return text if re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", text) else '"' + text.replace('"', "") + '"'
