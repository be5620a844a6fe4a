"""Tables that keep the raw values besides the texts, so that page, Markdown, CSV and JSON come from the same rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import polars as pl


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
    columns = [Column(name, show.heading, frame.schema[name].is_numeric(), show.meaning) for name, show in shown.items()]
    values = [[_known(row[name]) for name in shown] for row in frame.iter_rows(named=True)]
    rows = [[_text(value, show.form) for value, show in zip(row, shown.values(), strict=True)] for row in values]
    return Table(columns, rows, values, caption)


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
