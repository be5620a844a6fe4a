"""One row per label: intervals about a share, bars from zero, bars cut into parts, a ranking."""

from collections.abc import Callable
from functools import partial
from typing import Any

import polars as pl

from simkit.formatting import formed
from simkit.reporting.charts import palette, tooltips
from simkit.reporting.charts.letters import SMALL, wide, widest
from simkit.reporting.charts.paper import Box, Paper
from simkit.reporting.charts.plot import key, titled
from simkit.reporting.charts.rowframe import ROW, Axis, Label, Rows, rows_of, runs_of
from simkit.reporting.charts.scales import Scale, around, more_or_less, number, percent, signed

Fills = dict[str, tuple[int, int]]  # name -> style, tone


def forest(paper: Paper, table: pl.DataFrame, unit: str = "Share of games won", fair: str = "fair") -> None:
    """One line per row from top to bottom: label, share, low, high; `kind` picks the marker.

    The column `fair` is the line to be near, and `fair` its name. A label is said once in a run of rows.
    """
    kinds = palette.styles(table, "kind")
    titled(paper, unit)
    _key_of_dots(paper, kinds)
    span = around([*table["low"], *table["high"], *table["share"], *table["fair"]], 0.06, 0.03)
    labels = runs_of(table["label"].to_list())
    rows = rows_of(paper, labels, Axis(span, percent, 0.01), above=(fair, table["fair"][0]))
    for middle, one in zip(rows.middles, table["fair"], strict=True):
        x = rows.x(one)
        paper.line([(x, middle - ROW / 2), (x, middle + ROW / 2)], "ink", 1, (4, 2.5))
    for middle, row in zip(rows.middles, table.iter_rows(named=True), strict=True):
        whose = tooltips.named(row["label"], row["kind"] if len(kinds) > 1 else "")
        _interval(paper, rows.x, middle, row, kinds[row["kind"]], tooltips.told(row, whose))


def _interval(
    paper: Paper, x: Scale, y: float, row: dict[str, Any], style: int, tip: str, value: str = "share"
) -> None:
    colour = palette.colour(style)
    if row["low"] is not None and row["high"] is not None:
        paper.line([(x(row["low"]), y), (x(row["high"]), y)], colour, 1.8)
    if row[value] is not None:
        paper.dot(x(row[value]), y, palette.shape(palette.MARKERS, style), colour, tip, 3.6)


def _key_of_dots(paper: Paper, kinds: dict[str, int]) -> None:
    def put(x: float, y: float, name: str) -> None:
        colour = palette.colour(kinds[name])
        paper.line([(x, y), (x + 22, y)], colour, 1.8)
        paper.dot(x + 11, y, palette.shape(palette.MARKERS, kinds[name]), colour, radius=3.6)

    key(paper, list(kinds) if len(kinds) > 1 else [], put)


def bars(paper: Paper, table: pl.DataFrame, unit: str, form: str = "{:+.1f}") -> None:
    """A bar from zero to `value` per `label`, its interval `low` to `high` where known, its number beside it.

    Where there is a column `kind`, the bars of a label stand under each other, one fill per kind.
    """
    kinds = palette.styles(table, "kind") if "kind" in table.columns else {"": 0}
    titled(paper, unit)
    _key_of_fills(paper, {name: (style, 0) for name, style in kinds.items()} if len(kinds) > 1 else {})
    labels = table["label"].unique(maintain_order=True).to_list()
    ordered = pl.concat([table.filter(pl.col("label") == label) for label in labels])
    texts = [written(value, form) for value in ordered["value"]]
    span = around([*table["value"], *table["low"], *table["high"], 0.0], 0.02 if "%" in form else 0.0)
    axis = Axis(span, _points, 0.01) if "%" in form else Axis(span, more_or_less)
    rows = rows_of(paper, runs_of(ordered["label"].to_list()), axis, widest(texts, SMALL) + 10)
    for middle, row, text in zip(rows.middles, ordered.iter_rows(named=True), texts, strict=True):
        kind = row.get("kind", "")
        tip = tooltips.told(row, tooltips.named(row["label"], kind), "value", partial(written, form=form))
        _bar(paper, rows.x, middle, row, row.get("style", kinds[kind]), tip)
        paper.middle(paper.width, middle, text, "end", size=SMALL)
    rows.upright(paper, 0, "ink", 1)


def _points(share: float) -> str:
    return f"{more_or_less(round(100 * share, 10))} %"


def written(value: float | None, form: str) -> str:
    """A number by its format, or a dash where it is not known."""
    return "–" if value is None else signed(formed(form, value).replace("%", " %"))


def _bar(paper: Paper, x: Scale, y: float, row: dict[str, Any], style: int, tip: str) -> None:
    value, low, high = row["value"], row["low"], row["high"]
    if value is not None:
        left, right = sorted((x(0), x(value)))
        _fill(paper, (left, y - 5.5, right, y + 5.5), style, 0, tip)
    if None not in (value, low, high):
        paper.line([(x(low), y), (x(high), y)], "ink", 1.4)
        for end in (x(low), x(high)):
            paper.line([(end, y - 3), (end, y + 3)], "ink", 1.4)


def _fill(paper: Paper, box: Box, style: int, tone: int, tip: str = "") -> None:
    """Pale, so that an interval and the hatch show before it."""
    strength = 0.6 * palette.TONES[tone % len(palette.TONES)]
    hatch = palette.shape(palette.HATCHES, style)
    paper.field(box, palette.colour(style), strength, palette.colour(style), 0.8, hatch, tip)


def _key_of_fills(paper: Paper, fills: Fills) -> None:
    key(paper, list(fills), lambda x, y, name: _fill(paper, (x, y - 5, x + 22, y + 5), *fills[name]))


def stacked(paper: Paper, table: pl.DataFrame) -> None:
    """One bar per `label`, cut into `part`s by share; `tone` (0, 1, …) makes parts of one style paler."""
    tones = dict(table.select("part", tone="tone" if "tone" in table.columns else pl.lit(0)).iter_rows())
    fills = {part: (style, tones[part]) for part, style in palette.styles(table, "part").items()}
    titled(paper, "Share of games")
    _key_of_fills(paper, fills)
    labels = table["label"].unique(maintain_order=True).to_list()
    rows = rows_of(paper, runs_of(labels), Axis((0.0, 1.0), percent, 0.01), tall=24.0)
    for label, middle in zip(labels, rows.middles, strict=True):
        _parts(paper, rows, middle, table.filter(pl.col("label") == label), fills)


def _parts(paper: Paper, rows: Rows, middle: float, table: pl.DataFrame, fills: Fills) -> None:
    """The parts of a bar, each with its share where that has room."""
    left, shares = 0.0, {row["part"]: row for row in table.iter_rows(named=True)}
    for part in (one for one in fills if one in shares):
        row = shares[part]
        box = rows.x(left), middle - 8, rows.x(left + row["share"]), middle + 8
        _fill(paper, box, *fills[part], tooltips.told(row, tooltips.named(row["label"], part)))
        text = percent(row["share"])
        if wide(text, SMALL) + 8 < box[2] - box[0]:
            paper.middle((box[0] + box[2]) / 2, middle, text, "middle", size=SMALL, halo=True)
        left += row["share"]


def dots(
    paper: Paper, table: pl.DataFrame, unit: str, margin: float = 0, aim: str = "fair", form: str = "{:.0%}"
) -> None:
    """A ranking, as the rows come: `label`, its meaning `note` in grey below, a dot at `value`, its interval.

    A label is said once in a run of rows, whose markers go by `kind`. `low` and `high` may be null; `fair`,
    the same in all rows, is a line called `aim` in a band of `margin` on both sides. A row whose column
    `baseline` is true is in bold letters; `style` picks colour and marker.
    """
    titled(paper, unit)
    kinds = palette.styles(table, "kind") if "kind" in table.columns else {}
    _key_of_dots(paper, kinds)
    fair, shares = table["fair"][0], "%" in form
    ends = [*table["low"], *table["high"], *table["value"], fair - margin, fair + margin]
    axis = Axis(
        around(ends, 0.04 if shares else 0.0, 0.03), percent if shares else number, 0.01 if shares else 0
    )
    every = list(table.iter_rows(named=True))
    first = {row["label"]: row for row in reversed(every)}
    labels = [
        Label(one.text, one.rows, first[one.text].get("note") or "", bool(first[one.text].get("baseline")))
        for one in runs_of([row["label"] for row in every])
    ]
    texts = [written(row["value"], form) for row in every]
    rows = rows_of(paper, labels, axis, widest(texts) + 10, above=(aim, fair), band=margin)
    rows.upright(paper, fair, "edge", 1)
    say: Callable[[float], str] = tooltips.exact if shares else tooltips.plain
    for middle, row, text in zip(rows.middles, every, texts, strict=True):
        whose = tooltips.named(row["label"], row["kind"] if len(kinds) > 1 else "")
        style = kinds[row["kind"]] if kinds else row.get("style", 0)
        _interval(paper, rows.x, middle, row, style, tooltips.told(row, whose, "value", say), "value")
        paper.middle(paper.width, middle, text, "end")
