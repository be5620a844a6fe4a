"""Tables that keep the raw values besides the texts, so that page, Markdown, CSV and JSON come from the same rows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import polars as pl

MORE_DIGITS = 3  # at most, to tell the ends of an interval apart


class Show(NamedTuple):
    """How a column is headed and written (a `{}` format of Python, or a function of the value), and what it means."""

    heading: str
    form: str | Callable[[Any], str] = "{}"
    meaning: str = ""


class Column(NamedTuple):
    """A column by its name in the data and by its heading for readers; numbers stand on the right."""

    name: str
    heading: str
    number: bool = False
    meaning: str = ""


class Table(NamedTuple):
    """Rows of texts as they are read, and the values behind them; None where a value is missing."""

    columns: list[Column]
    rows: list[list[str]]
    values: list[list[Any]]
    caption: str = ""

    def records(self) -> list[dict[str, Any]]:
        """Each row as names and raw values."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.values]


def table(frame: pl.DataFrame, shown: Mapping[str, Show], caption: str = "") -> Table:
    """A table of the columns named, in that order.

    >>> found = table(pl.DataFrame({"n": [1200], "p": [0.5]}), {"n": Show("games", "{:,}"), "p": Show("share", "{:.1%}")})
    >>> found.rows, found.values
    ([['1,200', '50.0 %']], [[1200, 0.5]])
    """
    columns = [
        Column(name, show.heading, frame.schema[name].is_numeric(), show.meaning)
        for name, show in shown.items()
    ]
    values = [[_known(row[name]) for name in shown] for row in frame.iter_rows(named=True)]
    rows = [
        [_text(value, show.form) for value, show in zip(row, shown.values(), strict=True)] for row in values
    ]
    for place in _ends(list(shown)):
        for texts, row in zip(rows, values, strict=True):
            _told_apart(texts, row, place, list(shown.values()))
    return Table(columns, rows, values, caption)


def _ends(names: list[str]) -> list[int]:
    """Where the two ends of an interval stand side by side: `low` and `high`, `gap_low` and `gap_high`."""
    return [
        place
        for place, name in enumerate(names[:-1])
        if name.endswith("low") and names[place + 1] == f"{name[:-3]}high"
    ]


def _told_apart(texts: list[str], values: list[Any], place: int, shown: list[Show]) -> None:
    """Give the ends of an interval more digits while they look alike."""
    low, high = values[place : place + 2]
    forms = [show.form for show in shown[place : place + 2]]
    for _ in range(MORE_DIGITS):
        if (
            low == high
            or None in (low, high)
            or texts[place] != texts[place + 1]
            or not all(isinstance(form, str) for form in forms)
        ):
            return
        forms = [re.sub(r"\.(\d)", lambda found: f".{int(found[1]) + 1}", str(form)) for form in forms]
        texts[place : place + 2] = [_text(low, forms[0]), _text(high, forms[1])]


def raw(value: Any) -> str:
    """A value as a program reads it: numbers in full precision, nothing for a missing one."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _text(value: Any, form: str | Callable[[Any], str]) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool) and form == "{}":
        return raw(value)
    text = form(value) if callable(form) else form.format(value)
    return text.replace("%", " %").replace("-", "−") if isinstance(value, (int, float)) else text
