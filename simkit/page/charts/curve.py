"""Charts along x: shares or numbers with their intervals, a line each, and histograms."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import polars as pl

from simkit.page.charts import drawing, frame
from simkit.page.charts.drawing import Axes, chart, hue
from simkit.page.charts.frame import SHARE, End, Mark, axis_form, join_name, tooltip
from simkit.page.document.tables import format_value

BAND = 0.16  # opacity of intervals
MAX_DOTS, MAX_TIPS = 18, 60  # values of x that all have dots; tooltips of a line


class CurveLine(NamedTuple):
    """A line with its style and its rows; rows that are not joined are dots with intervals."""

    name: str
    style: int
    rows: pl.DataFrame
    joined: bool

    @property
    def colour(self) -> str:
        """Colour on a light page."""
        return drawing.colour(self.style)


@chart
def curve(
    ax: Axes,
    table: pl.DataFrame,
    label: str,
    unit: str,
    form: str = SHARE,
    margin: float = 0,
    aim: str = "fair",
    marks: Sequence[Mark] = (),
) -> None:
    """Draw along x `value` with interval `low` to `high`, a line per `line`.

    A column `fair` is a line labelled `aim`, in a grey band of `margin` on both sides; numbers with a sign
    have a line at zero. `tick` names each x. Rows of which the column `measured` is true are dots.
    """
    lines, tall = list(_lines_of(table)), 190.0 if frame.narrow(ax) else 200.0
    aimed, signed = "fair" in table.columns and "+" not in form, "+" in form
    fair = table.group_by("x").agg(pl.col("fair").mean()).sort("x") if aimed else table[:0]
    ends = _head(ax, unit, lines, tall, _aim(fair, margin, aim, form) if fair.height else [])
    heights = [value for name in ("low", "high", "value") for value in table[name].drop_nulls()]
    heights += [0.0] if signed else []
    heights += [share + side for side in (-margin, margin) for share in fair["fair"]] if fair.height else []
    spans = frame.around(table["x"], room=0.025), frame.around(heights, 0.06 if "%" in form else 0)
    frame.plot_area(ax, *spans, label, form)
    if "tick" in table.columns:
        _name_ticks(ax, table)
    if fair.height:
        _draw_fair(ax, fair, margin)
    if signed:
        ax.axhline(0, color=hue("ink"), linewidth=0.9)
    for line in lines:
        _draw(ax, line, label.split("\n")[0], form)
    frame.finish(ax, tall, ends, marks)


@chart
def histogram(ax: Axes, table: pl.DataFrame, unit: str) -> None:
    """Draw the share of games by value (`low` to `high`), an outline per `line`."""
    # Bars of one value are labelled at their middle.
    half = 0.5 if (table["high"] - table["low"]).max() == 1 else 0.0
    table = table.rename({"low": "start", "high": "end"})
    lines = list(_lines_of(table.with_columns(x=(pl.col("start") + pl.col("end")) / 2 - half)))
    key = {line.name: frame.sample(line.style, dot=False) for line in lines if lines[1:]}
    frame.heading(ax, "Share of games", key)
    span = min(table["start"]) - half, max(table["end"]) - half
    frame.plot_area(ax, span, (0, max(table["value"]) * 1.06 or 1.0), unit, SHARE)
    for line in lines:
        edges, dash = [*line.rows["start"], line.rows["end"][-1]], drawing.shape(drawing.LINES, line.style)
        for style in ({"fill": True, "alpha": 0.1}, {"linestyle": dash, "linewidth": 1.7}):
            ax.stairs(line.rows["value"], [edge - half for edge in edges], color=line.colour, **style)
        bars, tips = line.rows.filter(pl.col("value") > 0), list[str]()
        for start, end, share in bars.select("start", "end", "value").iter_rows():
            values = f"{start:,}" if end - start <= 1 else f"{start:,} to {end:,}"
            tips.append(f"{join_name(line.name, unit)} {values}: {format_value(share, '{:.1%}')}")
        frame.dots(ax, bars["x"], bars["value"], tips, line.style, shown=False)
    frame.finish(ax, 160.0 if frame.narrow(ax) else 180.0)


def _lines_of(table: pl.DataFrame) -> Iterator[CurveLine]:
    """Yield each line, and then its dots that are not joined, in order of appearance."""
    table = table if "measured" in table.columns else table.with_columns(measured=pl.lit(False))
    for name, style in drawing.styles(table, "line").items():
        rows = table.filter(line=name).sort("x").drop_nulls("value")
        for joined in (True, False):
            part = rows.filter(pl.col("measured") != joined)
            yield from [CurveLine(name, style, part, joined)] if part.height else []


def _intervals(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows with an interval; none if it has no width anywhere."""
    with_ends = rows.drop_nulls(["low", "high"])
    return with_ends if (with_ends["low"] < with_ends["high"]).any() else rows.clear()


def _aim(fair: pl.DataFrame, margin: float, aim: str, form: str) -> list[End]:
    """Return the label of the fair share, with the ends of its band where it is the same along x."""
    low, high = (format_value(fair["fair"][0] + side, form) for side in (-margin, margin))
    same = margin and fair["fair"].n_unique() == 1
    name = f"{aim}: {low.removesuffix(' %')} to {high}" if same else aim
    return [End(name, fair["x"][-1], fair["fair"][-1], hue("edge"), True)] if aim else []


def _head(ax: Axes, unit: str, lines: Sequence[CurveLine], tall: float, more: Sequence[End]) -> list[End]:
    """Write the heading; return the labels at the ends of lines, which a key replaces if they do not fit."""
    joined = [line for line in lines if line.name and line.joined]
    names = [*(line.name for line in joined), *(end.name for end in more)]
    blocks = [frame.wrap_text(name, frame.room_at_ends(ax)) for name in names]
    fit = all(block.count("\n") < 4 for block in blocks) and sum(map(frame.high, blocks)) < 0.9 * tall
    in_key = [line for line in lines if line.name and not (fit and line.joined)]
    key = {line.name: frame.sample(line.style, line=line.joined) for line in in_key}
    if any(line.joined and _intervals(line.rows).height > 1 for line in lines):
        key["95 % interval"] = frame.patch(lines[0].colour, 2 * BAND)
    frame.heading(ax, unit, key)
    ends = [(line, line.rows.row(-1, named=True)) for line in joined if fit]
    return [*(End(line.name, row["x"], row["value"], line.colour) for line, row in ends), *more]


def _draw(ax: Axes, line: CurveLine, along: str, form: str) -> None:
    """Draw a line with its band, or dots with their intervals, and the tooltips."""
    rows, ends, few = line.rows, _intervals(line.rows), line.rows.height <= MAX_DOTS
    if line.joined and ends.height > 1:
        ax.fill_between(ends["x"], ends["low"], ends["high"], color=line.colour, alpha=BAND, linewidth=0)
    elif ends.height:
        ax.vlines(ends["x"], ends["low"], ends["high"], color=line.colour, linewidth=frame.WIDTH)
    if line.joined:
        every = {} if few else {"marker": drawing.shape(drawing.MARKERS, line.style)}
        how = {"linestyle": drawing.shape(drawing.LINES, line.style), "markevery": max(1, rows.height // 10)}
        ax.plot(rows["x"], rows["value"], color=line.colour, **how, **every)
    pointed = rows.gather_every(-(-rows.height // MAX_TIPS))
    tips = [
        tooltip(row, join_name(line.name, f"{along} {row.get('tick') or axis_form('{}')(row['x'])}"), form)
        for row in pointed.iter_rows(named=True)
    ]
    frame.dots(ax, pointed["x"], pointed["value"], tips, line.style, shown=few or not line.joined)


def _draw_fair(ax: Axes, fair: pl.DataFrame, margin: float) -> None:
    """Draw a grey band about the fair share, which may vary along x."""
    shares, (low, high) = fair["fair"].to_list(), ax.get_xlim()
    xs, shares = [low, *fair["x"], high], [shares[0], *shares, shares[-1]]
    lower, upper = ([share + side for share in shares] for side in (-margin, margin))
    ax.fill_between(xs, lower, upper, color=hue("band"), linewidth=0, zorder=0.7)
    ax.plot(xs, shares, color=hue("edge"), linewidth=0.9, zorder=0.8)


def _name_ticks(ax: Axes, table: pl.DataFrame) -> None:
    """Put the names of the places along x, as many as there is room for."""
    places, room = table.filter(pl.col("tick") != "").unique("x").sort("x"), 0.7 * frame.width_of(ax)
    names = [frame.wrap_text(text, room / 3) for text in places["tick"]]
    each = max((frame.wide(name) + 8 for name in names), default=1.0)
    step = -(-int(places.height * each) // int(room)) or 1
    ax.set_xticks(places["x"].to_list()[::step], names[::step])
