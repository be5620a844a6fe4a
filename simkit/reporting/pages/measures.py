"""A table of measures of different kinds, each number in the digits of its own interval."""

from collections.abc import Iterable, Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import formed
from simkit.reporting.document import Table
from simkit.reporting.pages.columns import table
from simkit.reporting.pages.scope import first_cell
from simkit.reporting.text.phrases import places

Measure = tuple[pl.DataFrame, str, str, str, str]  # table, value's column, prefix of its ends, label, format


def measured(value: float, low: float | None, high: float | None, form: str) -> tuple[str | None, ...]:
    """Return a number and the ends of its interval as text, with enough digits to distinguish the ends.

    >>> measured(0.5, 0.49991, 0.50004, "{:.0%}"), measured(2, None, None, "{:.1f}")
    (('50.00 %', '49.99 %', '50.00 %'), ('2.0', None, None))
    """
    kind, digits = form.rstrip("}")[-1], int(form.rpartition(".")[2][0])

    def written(number: float, places: int) -> str:
        return formed(f"{{:.{places}{kind}}}", number).replace("%", " %")

    if low is None or high is None:
        return written(value, digits), None, None
    enough = places(low, high, written, digits)
    return written(value, enough), written(low, enough), written(high, enough)


def measure_table(
    findings: Findings, measures: Iterable[Measure], caption: str, head: str, by_setting: bool = False
) -> Table:
    """Return a table with a row per measure of the cell in view, or of each setting."""
    rows = [row for measure in measures for row in _rows(*measure)]
    texts = dict.fromkeys(("measure", "value", "low", "high"), pl.String())
    numbers = dict.fromkeys(("games", "deals"), pl.Int64())
    frame = pl.DataFrame(rows, schema={"cell": pl.Int64(), **texts, **numbers}, orient="row")
    if by_setting:
        frame = frame.join(findings.cells.select(pl.col("cell").cast(pl.Int64), "setting"), on="cell")
        return table(findings, frame, "measure setting value low high n", caption, value=head)
    return table(findings, first_cell(findings, frame), "measure value low high n", caption, value=head)


def _rows(
    frame: pl.DataFrame, column: str, prefix: str, words: str, form: str
) -> Iterator[tuple[object, ...]]:
    names = [f"{prefix}_{end}".removeprefix("_") for end in ("low", "high")]
    for row in frame.filter(pl.col(column).is_not_null()).iter_rows(named=True):
        texts = measured(row[column], row.get(names[0]), row.get(names[1]), form)
        yield (row["cell"], words, *texts, row["games"], row["deals"])
