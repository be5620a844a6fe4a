"""Tables that keep the raw values besides the texts, so that page, CSV and JSON have the same rows."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import polars as pl

from simkit.formatting import formed

MOST_ROWS = 60  # of a table on a page
MOST_PICKED = 30  # rows of a longer one that the page shows
DIGITS = 10  # of numbers in data: sums of the same log differ beyond them
MORE_DIGITS = 3  # at most, to tell the ends of an interval apart
Form = str | Callable[[Any], str]  # a `{}` format of Python, or a function of the value


class Show(NamedTuple):
    """How a column is headed and written, and what it means."""

    heading: str
    form: Form = "{}"
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
    picked: Sequence[int] = ()  # the rows that matter, for a page that has no room for all
    which: str = ""  # which these are

    @property
    def instead(self) -> str:
        """What a page says instead of a table that is too long for it; nothing where it is not."""
        many = len(self.rows)
        why = f"{many:,} rows, too many for a page; --format json has them"
        return f"{self.caption or 'Table'}: {why}." if many > MOST_ROWS else ""

    @property
    def on_page(self) -> "Table":
        """The table as a page has it: where all rows are too many those picked, as its caption says."""
        if len(self.rows) <= MOST_ROWS or not self.picked:
            return self
        rows, values = ([some[place] for place in self.picked] for some in (self.rows, self.values))
        many = f"{len(self.picked)} of {len(self.rows):,} rows"
        caption = f"{self.caption or 'Table'}: {many}, {self.which}; --format json has all"
        return Table(self.columns, rows, values, caption)

    def records(self) -> list[dict[str, Any]]:
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.values]


def table(frame: pl.DataFrame, shown: Mapping[str, Show], caption: str = "") -> Table:
    """A table of the columns named, in that order.

    >>> shown = {"n": Show("games", "{:,}"), "p": Show("share", "{:.1%}")}
    >>> found = table(pl.DataFrame({"n": [1200], "p": [0.5]}), shown)
    >>> found.rows, found.values
    ([['1,200', '50.0 %']], [[1200, 0.5]])
    """
    forms, schema = [show.form for show in shown.values()], frame.schema
    values = [[_known(value) for value in row] for row in frame.select(*shown).iter_rows()]
    rows = [[written(value, form) for value, form in zip(row, forms, strict=True)] for row in values]
    as_read = dict(zip(shown, zip(*rows, strict=True), strict=False))
    numbers = {name: schema[name].is_numeric() and not _in_words(as_read.get(name, ())) for name in shown}
    columns = [Column(name, head, numbers[name], said) for name, (head, _, said) in shown.items()]
    for place, (one, other) in enumerate(pairwise(shown)):
        if one.endswith("low") and other == f"{one[:-3]}high":
            for texts, row in zip(rows, values, strict=True):
                _tell_apart(texts, row, place, forms[place : place + 2])
    return Table(columns, rows, values, caption)


def picked(found: Table, sizes: Sequence[float | None], which: str) -> Table:
    """With the rows of the greatest sizes picked, in their order; None is for a row that does not matter."""
    known = [place for place, size in enumerate(sizes) if size is not None]
    first = sorted(known, key=lambda place: -(sizes[place] or 0))[:MOST_PICKED]
    return found._replace(picked=sorted(first), which=which)


def _in_words(texts: Sequence[str]) -> bool:
    """Whether numbers are told in words, as seats are.

    >>> _in_words(("first player", "–")), _in_words(("over 1,000", "3")), _in_words(("–",))
    (True, False, False)
    """
    known = [text for text in texts if text != "–"]
    return bool(known) and all(text[:1].isalpha() and not re.search(r"\d", text) for text in known)


def _tell_apart(texts: list[str], values: list[Any], place: int, forms: list[Form]) -> None:
    """Give the ends of an interval more digits while they look alike."""
    low, high = values[place : place + 2]
    for _ in range(0 if low == high or None in (low, high) else MORE_DIGITS):
        if texts[place] != texts[place + 1] or not all(isinstance(form, str) for form in forms):
            return
        forms = [re.sub(r"\.(\d)", lambda digit: f".{int(digit[1]) + 1}", str(form)) for form in forms]
        texts[place : place + 2] = [written(low, forms[0]), written(high, forms[1])]


def raw(value: Any) -> str:
    """A value as a program reads it: numbers in full precision, nothing for a missing one."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _known(value: Any) -> Any:
    """A value without the digits that hang on the order in which processors happen to add."""
    if not isinstance(value, float):
        return value
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def written(value: Any, form: Form = "{}") -> str:
    """A value as a reader sees it.

    >>> written(-0.5, "{:.1%}"), written(None), written(True), written(-0.001, "{:+.2f}")
    ('−50.0 %', '–', 'true', '0.00')
    >>> written(0.998, lambda level: f"{100 * level:.1f} %")
    '99.8 %'
    """
    if value is None:
        return "–"
    if isinstance(value, bool) and form == "{}":
        return raw(value)
    text = form(value) if callable(form) else formed(form, value)
    return re.sub(r"(?<! )%", " %", text).replace("-", "−") if isinstance(value, (int, float)) else text
