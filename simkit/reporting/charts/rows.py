"""A row per label: intervals about a share, bars from zero, stacked bars, a ranking."""

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
    """Draw each row with label, marker at `share` and interval `low` to `high`; `kind` sets the marker.

    The column `fair` is the reference line, labelled by the argument `fair`. Consecutive rows share a label.
    """
    kinds = palette.styles(table, "kind")
    titled(paper, unit)
    _key_of_dots(paper, kinds)
    span = around([*table["low"], *table["high"], *table["share"], *table["fair"]], 0.06, 0.03)
    labels = runs_of(table["label"].to_list())
    rows = rows_of(paper, labels, Axis(span, percent, 0.01), above=(fair, table["fair"][0]))
    for middle, fair_share in zip(rows.middles, table["fair"], strict=True):
        x = rows.x(fair_share)
        paper.line([(x, middle - ROW / 2), (x, middle + ROW / 2)], "ink", 1, (4, 2.5))
    for middle, row in zip(rows.middles, table.iter_rows(named=True), strict=True):
        subject = tooltips.named(row["label"], row["kind"] if len(kinds) > 1 else "")
        _interval(paper, rows.x, middle, row, kinds[row["kind"]], tooltips.tooltip(row, subject))


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
    """Draw a bar from zero to `value` per `label`, with interval `low` to `high` where known, and its number.

    With a column `kind` the bars of a label stand under each other, one fill per kind.
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
        tip = tooltips.tooltip(row, tooltips.named(row["label"], kind), "value", partial(written, form=form))
        _bar(paper, rows.x, middle, row, row.get("style", kinds[kind]), tip)
        paper.middle(paper.width, middle, text, "end", size=SMALL)
    rows.upright(paper, 0, "ink", 1)


def _points(share: float) -> str:
    return f"{more_or_less(round(100 * share, 10))} %"


def written(value: float | None, form: str) -> str:
    """Return a number in its format, or a dash where it is unknown."""
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
    """Draw a pale rectangle, so that an interval and the hatch stay visible."""
    strength = 0.6 * palette.TONES[tone % len(palette.TONES)]
    hatch = palette.shape(palette.HATCHES, style)
    paper.field(box, palette.colour(style), strength, palette.colour(style), 0.8, hatch, tip)


def _key_of_fills(paper: Paper, fills: Fills) -> None:
    key(paper, list(fills), lambda x, y, name: _fill(paper, (x, y - 5, x + 22, y + 5), *fills[name]))


def stacked(paper: Paper, table: pl.DataFrame) -> None:
    """Draw a bar per `label`, divided into `part`s by share; a higher `tone` makes a part paler."""
    tones = dict(table.select("part", tone="tone" if "tone" in table.columns else pl.lit(0)).iter_rows())
    fills = {part: (style, tones[part]) for part, style in palette.styles(table, "part").items()}
    titled(paper, "Share of games")
    _key_of_fills(paper, fills)
    labels = table["label"].unique(maintain_order=True).to_list()
    rows = rows_of(paper, runs_of(labels), Axis((0.0, 1.0), percent, 0.01), tall=24.0)
    for label, middle in zip(labels, rows.middles, strict=True):
        _parts(paper, rows, middle, table.filter(pl.col("label") == label), fills)


def _parts(paper: Paper, rows: Rows, middle: float, table: pl.DataFrame, fills: Fills) -> None:
    """Draw the parts of a bar, each with its share if there is room."""
    left, shares = 0.0, {row["part"]: row for row in table.iter_rows(named=True)}
    for part in (name for name in fills if name in shares):
        row = shares[part]
        box = rows.x(left), middle - 8, rows.x(left + row["share"]), middle + 8
        _fill(paper, box, *fills[part], tooltips.tooltip(row, tooltips.named(row["label"], part)))
        text = percent(row["share"])
        if wide(text, SMALL) + 8 < box[2] - box[0]:
            paper.middle((box[0] + box[2]) / 2, middle, text, "middle", size=SMALL, halo=True)
        left += row["share"]


def dots(
    paper: Paper, table: pl.DataFrame, unit: str, margin: float = 0, aim: str = "fair", form: str = "{:.0%}"
) -> None:
    """Draw a ranking: `label`, its `note` in grey below, a dot at `value`, and its interval.

    Consecutive rows share a label, and their markers go by `kind`. `low` and `high` may be null; `fair`, the
    same in all rows, is a line labelled `aim` in a band of `margin` on both sides. Rows whose column
    `baseline` is true are bold; `style` determines colour and marker.
    """
    titled(paper, unit)
    kinds = palette.styles(table, "kind") if "kind" in table.columns else {}
    _key_of_dots(paper, kinds)
    fair, shares = table["fair"][0], "%" in form
    ends = [*table["low"], *table["high"], *table["value"], fair - margin, fair + margin]
    axis = Axis(
        around(ends, 0.04 if shares else 0.0, 0.03), percent if shares else number, 0.01 if shares else 0
    )
    all_rows = list(table.iter_rows(named=True))
    first = {row["label"]: row for row in reversed(all_rows)}
    labels = [
        Label(run.text, run.rows, first[run.text].get("note") or "", bool(first[run.text].get("baseline")))
        for run in runs_of([row["label"] for row in all_rows])
    ]
    texts = [written(row["value"], form) for row in all_rows]
    rows = rows_of(paper, labels, axis, widest(texts) + 10, above=(aim, fair), band=margin)
    rows.upright(paper, fair, "edge", 1)
    number_form: Callable[[float], str] = tooltips.exact if shares else tooltips.plain
    for middle, row, text in zip(rows.middles, all_rows, texts, strict=True):
        subject = tooltips.named(row["label"], row["kind"] if len(kinds) > 1 else "")
        style = kinds[row["kind"]] if kinds else row.get("style", 0)
        _interval(
            paper, rows.x, middle, row, style, tooltips.tooltip(row, subject, "value", number_form), "value"
        )
        paper.middle(paper.width, middle, text, "end")
