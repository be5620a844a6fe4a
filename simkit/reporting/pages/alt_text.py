"""Alternative text of figures: one function per chart, of the same name."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

import polars as pl

from simkit.formatting import formed
from simkit.reporting.charts import Chart
from simkit.reporting.text.phrases import Row, listed, number, whole

MAX_NAMED = 4  # lines, rows or bars named in a text
Options = Mapping[str, Any]  # other arguments of the chart
Format = Callable[[float], str]


def seen(draw: Chart, table: pl.DataFrame, options: Options) -> str:
    """Describe a chart of a table in a sentence or two; empty for charts without a function here."""
    describe = globals().get(draw.__name__)
    return describe(table, options) if describe and table.height else ""


def curve(table: pl.DataFrame, options: Options) -> str:
    """Describe the ends of each line and where it crosses the fair share.

    >>> rows = {"x": [12, 22, 23, 24], "share": [0.62, 0.505, 0.495, 0.48], "line": ["plain player"] * 4}
    >>> curve(pl.DataFrame(rows).with_columns(fair=0.5), {})
    'Plain player: falls from 62 % at 12 to 48 % at 24, crosses fair between 22 and 23.'
    """
    aim = options.get("aim", "fair")
    return _sentences(f"{_course(rows, _whole)}, {_crosses(rows, aim)}" for rows in _lines(table))


def lines(table: pl.DataFrame, options: Options) -> str:
    """Describe the ends of each line."""
    return _sentences(_course(rows, _whole) for rows in _lines(table))


def skill_curve(table: pl.DataFrame, options: Options) -> str:
    """Describe the ends of each line along a share."""
    return lines(table.with_columns(tick=pl.col("x").map_elements(_whole, return_dtype=pl.String)), options)


def trend(table: pl.DataFrame, options: Options) -> str:
    """Describe the ends of each line of signed numbers."""
    return _sentences(_course(rows, _more) for rows in _lines(table))


def fan(table: pl.DataFrame, options: Options) -> str:
    """Describe the ends of the medians."""
    medians = table.with_columns(share="p50")
    return _sentences(_course(rows, _plain) for rows in _lines(medians))


def histogram(table: pl.DataFrame, options: Options) -> str:
    """Name the most frequent value of each line."""
    tops = _tops(table, "line")
    return _sentences(
        f"{row['line']}: most often {_span(row)}, {_whole(row['share'])} of games" for row in tops
    )


def forest(table: pl.DataFrame, options: Options) -> str:
    """Name the highest and the lowest row, and the rows whose intervals exclude the fair share.

    >>> rows = {"label": ["a", "b"], "share": [0.59, 0.5], "low": [0.57, 0.48], "high": [0.61, 0.52]}
    >>> forest(pl.DataFrame(rows).with_columns(kind=pl.lit(""), fair=0.5), {})
    'Highest: a, 59 %; lowest: b, 50 %. Intervals off fair: a.'
    """
    aim = options.get("aim", "fair") if "value" in table.columns else options.get("fair", "fair")
    form = partial(_by_form, options["form"]) if "form" in options else _whole
    return " ".join(filter(None, (_highest(table, form), _off(table, aim))))


dots = forest


def bars(table: pl.DataFrame, options: Options) -> str:
    """Name the greatest and the least bar."""
    return _highest(table, partial(_by_form, options.get("form", "{:+.1f}")))


def stacked(table: pl.DataFrame, options: Options) -> str:
    """Name the greatest part of each bar."""
    return _sentences(
        f"{row['label']}: {row['part']}, {_whole(row['share'])}" for row in _tops(table, "label")
    )


def heat(table: pl.DataFrame, options: Options) -> str:
    """Name the highest and the lowest field that is not blank."""
    shaded = table.drop_nulls("shade") if "shade" in table.columns else table
    fields = shaded.with_columns(label=pl.format("{} and {}", "row", "column")).drop("kind", strict=False)
    return _highest(fields, _whole)


matrix = verdicts = heat


def _lines(table: pl.DataFrame) -> Iterator[list[Row]]:
    """Yield the rows of the first lines that have a share, sorted by x."""
    for part in table.drop_nulls("share").sort("x").partition_by("line", maintain_order=True)[:MAX_NAMED]:
        yield part.rows(named=True)


def _course(rows: list[Row], form: Format) -> str:
    start, end = (form(row["share"]) for row in (rows[0], rows[-1]))
    way = "goes" if start == end else "rises" if rows[-1]["share"] > rows[0]["share"] else "falls"
    name = f"{rows[0]['line']}: " if rows[0]["line"] else ""
    return f"{name}{way} from {start} at {_at(rows[0])} to {end} at {_at(rows[-1])}"


def _at(row: Row) -> str:
    return str(row.get("tick") or f"{row['x']:g}")


def _crosses(rows: list[Row], aim: str) -> str:
    """Return where a line crosses the fair share, or on which side of it the line stays."""
    over = [row["share"] > row["fair"] for row in rows]
    steps = zip(pairwise(rows), pairwise(over), strict=True)
    places = [f"{_at(left)} and {_at(right)}" for (left, right), (was, now) in steps if was != now]
    if not places:
        return f"stays {'above' if over[0] else 'below'} {aim}"
    return f"crosses {aim} between {listed(places[:2])}" if len(places) < MAX_NAMED else f"is about {aim}"


def _highest(table: pl.DataFrame, form: Format) -> str:
    """Name the rows with the greatest and the least value."""
    value = "value" if "value" in table.columns else "share"
    rows = table.drop_nulls(value).sort(value, maintain_order=True).rows(named=True)
    texts = [f"{_named(row)}, {form(row[value])}" for row in rows]
    return f"Highest: {texts[-1]}; lowest: {texts[0]}." if len(texts) > 1 else _sentences(texts)


def _off(table: pl.DataFrame, aim: str) -> str:
    """Name the rows whose intervals exclude the fair share."""
    intervals = table.drop_nulls(["low", "high"])
    off = intervals.filter((pl.col("low") > pl.col("fair")) | (pl.col("high") < pl.col("fair")))
    names = list(dict.fromkeys(map(_named, off.rows(named=True))))
    if not names:
        return f"Every interval reaches {aim}." if intervals.height else ""
    if off.height == intervals.height > 1:
        return f"No interval reaches {aim}."
    more = [f"{len(names) - MAX_NAMED} more"] if len(names) > MAX_NAMED else []
    return f"Intervals off {aim}: {listed([*names[:MAX_NAMED], *more])}."


def _named(row: Row) -> str:
    return ", ".join(filter(None, (row["label"], row.get("kind"))))


def _tops(table: pl.DataFrame, column: str) -> list[Row]:
    """Return the row with the greatest share of each value of a column."""
    ranked = table.sort("share", descending=True, maintain_order=True)
    tops = ranked.unique(column, keep="first").rows(named=True)
    order = table[column].unique(maintain_order=True).to_list()
    return sorted(tops, key=lambda row: order.index(row[column]))[:MAX_NAMED]


def _sentences(parts: Iterable[str]) -> str:
    return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def _span(row: Row) -> str:
    return (
        _plain(row["low"])
        if row["high"] - row["low"] <= 1
        else f"{_plain(row['low'])} to {_plain(row['high'])}"
    )


def _by_form(form: str, value: float) -> str:
    """Return a number as the figure prints it.

    >>> _by_form("{:.1%}", 0.518), _by_form("{:.0f}", 12.67), _by_form("{:+.1f}", -0.25)
    ('51.8 %', '13', '−0.3')
    """
    return formed(form, value).replace("%", " %").replace("-", "−")


def _whole(share: float) -> str:
    return f"{whole(share)} %"


def _more(value: float) -> str:
    return number(value, 1, sign=True)


def _plain(value: float) -> str:
    return number(value, 0)
