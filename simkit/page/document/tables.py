"""Tables with raw values besides texts, so that page, CSV and JSON have the same rows."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import polars as pl

from simkit.formatting import formed

MAX_ROWS_WHOLE = 20  # rows of a table that a page shows whole
MAX_ROWS_SHOWN = 10  # rows of a longer table that a page shows
MAX_ROWS_STORED = 300  # rows of a table that a page has, for its CSV button
ELSEWHERE = "--format json has all"
DIGITS = 10  # significant digits of numbers in data; sums of the same log differ beyond them
MORE_DIGITS = 3  # most extra digits used to distinguish the ends of an interval
Form = str | Callable[[Any], str]  # a `{}` format of Python, or a function of the value


class Show(NamedTuple):
    """Heading, format and meaning of a column."""

    heading: str
    form: Form = "{}"
    meaning: str = ""


class Column(NamedTuple):
    """A column by its name in the data and its heading for readers; numbers are right-aligned."""

    name: str
    heading: str
    number: bool = False
    meaning: str = ""


class Table(NamedTuple):
    """Rows of texts, and the values behind them; a missing value is None."""

    columns: list[Column]
    rows: list[list[str]]
    values: list[list[Any]]
    caption: str = ""
    picked: Sequence[int] = ()  # rows for a page that has no room for all
    which: str = ""  # description of the picked rows

    @property
    def shown(self) -> set[int]:
        """Indices of the rows that a page shows; the others are in its CSV only."""
        every = range(len(self.rows))
        return set(every if len(every) <= MAX_ROWS_WHOLE else self.picked or every[:MAX_ROWS_SHOWN])

    @property
    def on_page(self) -> "Table":
        """The table for a page, whose caption says which rows are shown; without the others if too many."""
        return self._with_caption("the CSV has all" if len(self.rows) <= MAX_ROWS_STORED else ELSEWHERE)

    @property
    def in_text(self) -> "Table":
        """The table for a page without buttons, with its caption."""
        return self._with_caption(ELSEWHERE)

    def _with_caption(self, rest: str) -> "Table":
        count, places = len(self.rows), sorted(self.shown)
        if count == len(places):
            return self
        shown = f"{self.caption or 'Table'}: {len(places)} of {count:,} rows, {self.which or 'the first'}"
        caption = f"{shown}; {rest}"
        if count <= MAX_ROWS_STORED:
            return self._replace(caption=caption)
        rows, values = ([entries[place] for place in places] for entries in (self.rows, self.values))
        return Table(self.columns, rows, values, caption)

    def records(self) -> list[dict[str, Any]]:
        """Return the rows as dictionaries of raw values."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.values]


def table(frame: pl.DataFrame, shown: Mapping[str, Show], caption: str = "") -> Table:
    """Return a table of the given columns, in that order.

    >>> shown = {"n": Show("games", "{:,}"), "p": Show("share", "{:.1%}")}
    >>> games = table(pl.DataFrame({"n": [1200], "p": [0.5]}), shown)
    >>> games.rows, games.values
    ([['1,200', '50.0 %']], [[1200, 0.5]])
    """
    forms, schema = [show.form for show in shown.values()], frame.schema
    values = [[_clean(value) for value in row] for row in frame.select(*shown).iter_rows()]
    rows = [[format_value(value, form) for value, form in zip(row, forms, strict=True)] for row in values]
    columns = [
        Column(name, show.heading, schema[name].is_numeric() and not _in_words(as_read), show.meaning)
        for place, (name, show) in enumerate(shown.items())
        for as_read in [[row[place] for row in rows]]
    ]
    for place, (left, right) in enumerate(pairwise(shown)):
        if left.endswith("low") and right == f"{left[:-3]}high":
            for texts, row in zip(rows, values, strict=True):
                texts[place : place + 2] = format_ends(row[place], row[place + 1], forms[place])
    return Table(columns, rows, values, caption)


def with_extremes(listed: Table, frame: pl.DataFrame, size: pl.Expr, description: str) -> Table:
    """Pick the rows of the greatest size for pages that cannot show all; never those of size null."""
    sizes = frame.select(size.cast(pl.Float64).alias("size"))["size"].to_list() if listed.rows else []
    ranked = [place for place, own in enumerate(sizes) if own is not None]
    first = sorted(ranked, key=lambda place: -sizes[place])[:MAX_ROWS_SHOWN]
    return listed._replace(picked=sorted(first), which=description)


def _in_words(texts: Sequence[str]) -> bool:
    """Return whether numbers are written as words, as seats are.

    >>> _in_words(("first player", "–")), _in_words(("over 1,000", "3")), _in_words(("–",))
    (True, False, False)
    """
    filled = [text for text in texts if text != "–"]
    return bool(filled) and all(text[:1].isalpha() and not re.search(r"\d", text) for text in filled)


def format_ends(low: Any, high: Any, form: Form) -> list[str]:
    """Return the ends of an interval for readers, with more digits while they look alike.

    >>> format_ends(0.49991, 0.50004, "{:.0%}"), format_ends(None, None, "{}")
    (['49.99 %', '50.00 %'], ['–', '–'])
    """
    texts = [format_value(low, form), format_value(high, form)]
    for _ in range(MORE_DIGITS):
        if texts[0] != texts[1] or low == high or not isinstance(form, str):
            break
        form = re.sub(r"\.(\d)", lambda digit: f".{int(digit[1]) + 1}", form)
        texts = [format_value(low, form), format_value(high, form)]
    return texts


def raw(value: Any) -> str:
    """Return a value for programs: numbers in full precision, empty for a missing one."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _clean(value: Any) -> Any:
    """Round a value to the digits that do not depend on the order of additions."""
    if not isinstance(value, float):
        return value
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def format_value(value: Any, form: Form = "{}") -> str:
    """Return a value for readers.

    >>> format_value(-0.5, "{:.1%}"), format_value(None), format_value(True), format_value(-0.001, "{:+.2f}")
    ('−50.0 %', '–', 'true', '0.00')
    >>> format_value(0.998, lambda level: f"{100 * level:.1f} %")
    '99.8 %'
    """
    if value is None:
        return "–"
    if isinstance(value, bool) and form == "{}":
        return raw(value)
    text = form(value) if callable(form) else formed(form, value)
    return re.sub(r"(?<! )%", " %", text).replace("-", "−") if isinstance(value, (int, float)) else text
