"""Texts that stand for arguments in a shell: options with values, ranges, lists, files."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from simkit.engine import registry
from simkit.engine.limits import WHOLE_NUMBER
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.runs.table_files import is_file

Scalar = bool | int | str
MOST_VALUES = 10_000
TABLE_NAME = re.compile("[a-z_]+=")


def by_option(texts: Iterable[str], verb: str) -> dict[str, str]:
    """Return the values in texts `option=value`; raise UsageError for an option that appears twice."""
    values: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise UsageError(f"'{text}' is not of the form option=value")
        if name in values:
            raise UsageError(f"option {name} is {verb} twice")
        values[name] = value
    return values


def value_of(text: str) -> Scalar:
    """Return a text as a whole number, a flag or a name."""
    if WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return {"true": True, "false": False}.get(text.lower(), text)


def words(texts: Iterable[str]) -> list[str]:
    """Return the words of texts that separate them by commas."""
    return [part.strip() for text in texts for part in text.split(",")]


def strategies(text: str) -> list[str]:
    """Return the strategies of a text that separates them by commas."""
    return [str(named) for named in parse_lineup(text)]


def numbers(text: str) -> list[float]:
    """Return the numbers in a text such as `0.1,0.2`."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"'{text}' is not a row of numbers such as 0.1,0.2,0.4") from None


def files(texts: Iterable[str]) -> dict[str, str]:
    """Return files by table from texts `FILE` or `TABLE=FILE`."""
    return by_option((text if TABLE_NAME.match(text) else f"cards={text}" for text in texts), "given")


def settings(texts: Iterable[str]) -> dict[str, Any]:
    """Return rule options from texts `option=value`; one text may hold several, separated by commas."""
    parts = [part for text in texts for part in text.split(",")]
    return {name: value_of(value) for name, value in by_option(parts, "given").items()}


def sweep(texts: Iterable[str]) -> dict[str, list[Scalar]]:
    """Return swept options from texts `option=start:stop:step` (both ends included) or `option=a,b,c`."""
    return {name: _values(name, values) for name, values in by_option(texts, "swept").items()}


def _values(name: str, text: str) -> list[Scalar]:
    """Return the values in the text of one swept option."""
    if ":" not in text or is_file(name):  # whose path may be C:\cards.csv or https://...
        return [value_of(value.strip()) for value in text.split(",")]
    ends = whole_numbers(text)
    start, stop, step = (*ends, 1)[:3] if len(ends) in (2, 3) else (0, 0, 0)
    if step < 1 or stop < start:
        form = "start:stop or start:stop:step in whole numbers, which goes up from start to stop"
        raise UsageError(f"'{name}={text}': a range is {form}")
    if (stop - start) // step >= MOST_VALUES:
        raise UsageError(f"'{name}={text}' has more than {MOST_VALUES} values")
    return list(range(start, stop + 1, step))


def choices(texts: Sequence[str], game: str) -> dict[str, list[Any]]:
    """Return the values of each option from texts `option=low:high`, `option=low:high:step`, `option=a/b`."""
    chosen = dict[str, list[Any]]()
    for name, swept in sweep(text.replace("/", ",") for text in texts).items():
        option = registry.game(game).option(name)
        values = [option.value(option.number(value)) for value in swept]
        chosen[name] = values if option.names else sorted(values)
    return chosen


def whole_numbers(text: str) -> list[int]:
    """Return the whole numbers in `1:2:3`; none if any part is not a whole number."""
    parts = [part.strip() for part in text.split(":")]
    return [int(part) for part in parts] if all(WHOLE_NUMBER.fullmatch(part) for part in parts) else []
