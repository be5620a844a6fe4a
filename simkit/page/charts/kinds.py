"""Kinds of charts: curves along x, histograms, dots with intervals in rows, and grids of fields."""

from collections.abc import Iterator, Sequence
from itertools import compress, groupby
from typing import Any, NamedTuple

import polars as pl

from simkit.formatting import formed
from simkit.page.charts import drawing, frame
from simkit.page.charts.drawing import Axes, add_tips, chart, hue
from simkit.page.charts.frame import SHARE, End, Mark, axis_form, join_name, tooltip, with_interval
from simkit.page.document.tables import format_value

BAND = 0.16  # opacity of intervals
MAX_DOTS, MAX_TIPS = 18, 60  # values of x that all have dots; tooltips of a line
ROW, GAP = 14.0, 5.0  # height of a row and distance of labels, in points
MAX_WIDTH = 110.0  # of fields, in points
STRENGTH = 0.8  # of the strongest field
Field = dict[str, Any]


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
    ranged: bool = False,
) -> None:
    """Draw along x `value` with interval `low` to `high`, a line per `line`.

    A column `fair` is a line labelled `aim`, in a grey band of `margin` on both sides, or the band alone
    (`ranged`), where all values in it are as good; numbers with a sign have a line at zero. `tick` names
    each x. Rows of which the column `measured` is true are dots.
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
        _draw_fair(ax, fair, margin, line=not ranged)
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


def _draw_fair(ax: Axes, fair: pl.DataFrame, margin: float, line: bool) -> None:
    """Draw a grey band about the fair share, which may vary along x, and a line along it."""
    shares, (low, high) = fair["fair"].to_list(), ax.get_xlim()
    xs, shares = [low, *fair["x"], high], [shares[0], *shares, shares[-1]]
    lower, upper = ([share + side for share in shares] for side in (-margin, margin))
    ax.fill_between(xs, lower, upper, color=hue("band"), linewidth=0, zorder=0.7)
    if line:
        ax.plot(xs, shares, color=hue("edge"), linewidth=0.9, zorder=0.8)


def _name_ticks(ax: Axes, table: pl.DataFrame) -> None:
    """Put the names of the places along x, as many as there is room for."""
    places, room = table.filter(pl.col("tick") != "").unique("x").sort("x"), 0.7 * frame.width_of(ax)
    names = [frame.wrap_text(text, room / 3) for text in places["tick"]]
    each = max((frame.wide(name) + 8 for name in names), default=1.0)
    step = -(-int(places.height * each) // int(room)) or 1
    ax.set_xticks(places["x"].to_list()[::step], names[::step])


# Dots with their intervals: a row per label about a fair share or zero.


@chart
def forest(
    ax: Axes,
    table: pl.DataFrame,
    unit: str = "Share of games won",
    form: str = SHARE,
    aim: str = "fair",
    margin: float = 0,
) -> None:
    """Draw each row with its label, a marker at `value`, interval `low` to `high`, and the numbers.

    Rows of one label stand together; `kind` sets the marker. The column `fair` is a line labelled `aim` in a
    grey band of `margin` on both sides; without `aim`, and for numbers with a sign, the line is at zero.
    """
    kinds = drawing.styles(table, "kind") if "kind" in table.columns else {}
    key = {kind: frame.sample(style, line=False) for kind, style in kinds.items()} if len(kinds) > 1 else {}
    frame.heading(ax, unit, key)
    aimed = aim and "+" not in form and "fair" in table.columns
    fair = pl.col("fair") if aimed else pl.lit(0.0)
    table = table.with_columns(pl.coalesce(end, "value").alias(end) for end in ("low", "high"))
    table = pl.concat(table.with_columns(fair=fair).partition_by("label", maintain_order=True))
    values = [*table["low"], *table["high"], *table["value"]]
    values += [share + side for side in (-margin, margin) for share in table["fair"]]
    frame.numbers(ax, "x", frame.around(values, 0.06 if "%" in form else 0.0, 0.04), form)
    ys, tall = _place_rows(ax, table["label"].to_list())
    ax.barh(ys, 2 * margin, ROW + GAP, table["fair"] - margin, color=hue("band"), zorder=0.5)
    reach = [y - ROW / 2 for y in ys], [y + ROW / 2 for y in ys]
    ax.vlines(table["fair"], *reach, color=hue("ink"), linewidth=1, linestyle=(0, (4, 2.5)))
    if aimed and table["fair"].n_unique() == 1:
        ax.annotate(
            aim, (table["fair"][0], 1), (0, 2), xycoords=("data", "axes fraction"),
            textcoords="offset points", ha="center", color=hue("faint"),
        )  # fmt: skip
    for y, row in zip(ys, table.iter_rows(named=True), strict=True):
        kind = row.get("kind") or ""
        tip = tooltip(row, join_name(row["label"].split("\n")[0], kind if len(kinds) > 1 else ""), form)
        if row["value"] is not None:
            style, interval = row.get("style", kinds.get(kind, 0)), (row["low"], row["high"])
            frame.dots(ax, row["value"], y, [tip], style, intervals={"x": interval})
    _write_numbers(ax, ys, table, form)
    frame.finish(ax, tall)


def _place_rows(ax: Axes, labels: list[str]) -> tuple[list[float], float]:
    """Write the labels; return the middle of each row from the top and the height of all, in points."""
    room, top = frame.width_of(ax) * (0.38 if frame.narrow(ax) else 0.36), GAP / 2
    ys, middles, texts = list[float](), list[float](), list[str]()
    for label, rows in groupby(labels):
        text, count = frame.wrap_text(label, room), len(list(rows))
        block = max(ROW * count, frame.high(text)) + GAP
        ys += [top + block / 2 + ROW * (place - (count - 1) / 2) for place in range(count)]
        middles.append(top + block / 2)
        texts.append(text)
        top += block
    ax.set_ylim(top, 0)
    ax.set_yticks(middles, texts, color=hue("ink"), multialignment="left")
    ax.grid(visible=False, axis="y")
    return ys, top


def _write_numbers(ax: Axes, ys: list[float], table: pl.DataFrame, form: str) -> None:
    """Write the numbers at the right of the rows, on a desk with their intervals."""
    rows = table.rows(named=True)
    texts = [
        format_value(row["value"], form) if frame.narrow(ax) else with_interval(row, form) for row in rows
    ]
    for y, text in zip(ys, texts, strict=True):
        ax.annotate(
            text, (1, y), (8 + max(map(frame.wide, texts)), 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", ha="right", va="center",
        )  # fmt: skip


# A grid of fields, coloured by a share and labelled with its number.


@chart
def heat(
    ax: Axes, table: pl.DataFrame, across: str, down: str = "", title: str = "", middle: str = ""
) -> None:
    """Draw the share `value` of each `row` and `column` in percent, with half its interval, if any, below it.

    Rows and columns keep their order, and change places where the names of the columns have no room; a field
    without a row or value stays empty. If `middle` names the column `fair`, fields above it are orange and
    fields below it blue, stronger with distance; else the value is a strength of blue. `across` and `down`
    name the columns and the rows; a `sign` follows the number.
    """
    from matplotlib.patches import Rectangle

    sides = {f"more than {middle}": "above", f"less than {middle}": "below"} if middle else {}
    frame.heading(ax, title, {name: frame.patch(hue(side), STRENGTH) for name, side in sides.items()})
    rows, columns = (table[side].unique(maintain_order=True).to_list() for side in ("row", "column"))
    if set(rows) == set(columns) and table.height < len(rows) ** 2:
        columns = rows  # without fields on the diagonal
    elif not _names(ax, rows, columns)[-1] and _names(ax, columns, rows)[-1]:  # more room at the rows
        rows, columns, across, down = columns, rows, down, across
        table = table.rename({"row": "column", "column": "row"})
    words = [f"across: {across}", f"down: {down}"] if across and down else [across or down]
    room = 0.9 * frame.width_of(ax)
    width = _lay_out(ax, rows, columns, "\n".join(frame.wrap_text(text, room) for text in words))
    fields = table.drop_nulls("value").rows(named=True)
    off = max(0.1, *(abs(field["value"] - field["fair"]) for field in fields)) if middle else 0.0
    texts = [_field_texts(field) for field in fields]
    shown = [max(map(frame.wide, column), default=0) <= width - 3 for column in zip(*texts, strict=True)]
    for field, lines in zip(fields, texts, strict=True):
        corner = columns.index(field["column"]), rows.index(field["row"])
        ends = (down, field["row"]), (across, field["column"])
        subject = join_name(*(f"{axis} {x}" if axis and x[:1].isdigit() else x for axis, x in ends))
        tip = join_name(tooltip(field, subject, SHARE), (field.get("verdict") or "").lower())
        ground = Rectangle(corner, 1, 1, facecolor=_ground(field, off), edgecolor=hue("grid"), linewidth=0.8)
        add_tips(ax.add_patch(ground), [tip])
        text = "\n".join(compress(lines, shown))
        ax.text(corner[0] + 0.5, corner[1] + 0.5, text, ha="center", va="center")


def _field_texts(field: Field) -> tuple[str, ...]:
    """Return the number of a field with its sign, and half the width of its interval, in percent."""
    number = f"{formed('{:.0f}', 100 * field['value'])} {field.get('sign', '')}".strip()
    if field["low"] is None or field["high"] is None:
        return number, ""
    return number, f"± {formed('{:.0f}', 50 * (field['high'] - field['low']))}"


def _ground(field: Field, strongest: float) -> tuple[str, float]:
    """Return the colour of a field and its strength."""
    off = field["value"] - field["fair"] if strongest else -field["value"]
    strength = STRENGTH * min(1.0, abs(off) / (strongest or 1.0))
    return hue("above" if off > 0 else "below"), round(strength, 2)


def _names(ax: Axes, rows: list[str], columns: list[str]) -> tuple[list[str], list[str], bool]:
    """Return the names of rows and columns, wrapped, and whether the columns have room for theirs."""
    names = [frame.wrap_text(row, frame.width_of(ax) * (0.36 if frame.narrow(ax) else 0.32)) for row in rows]
    cell = min(MAX_WIDTH, (frame.width_of(ax) - 8 - max(map(frame.wide, names))) / len(columns))
    heads = [frame.wrap_text(name, cell) for name in columns]
    return names, heads, all(frame.wide(head) <= cell - 4 and head.count("\n") <= 3 for head in heads)


def _lay_out(ax: Axes, rows: list[str], columns: list[str], words: str) -> float:
    """Write the names of rows and columns, numbered if they have no room; return the width of a field."""
    names, heads, fit = _names(ax, rows, columns)
    if not fit:
        heads = [str(place) for place in range(1, len(columns) + 1)]
        numbered = dict(zip(columns, heads, strict=True))
        if not numbered.keys() & set(rows):
            key = "\n".join(f"{place}: {name}" for name, place in numbered.items())
            words = f"{words}\n{frame.wrap_text(key, 0.6 * frame.width_of(ax))}".strip()
        names = [f"{name}  {numbered.get(row, '')}".rstrip() for row, name in zip(rows, names, strict=True)]
    ax.set_title(words, loc="left", fontsize=frame.SIZE, color=hue("faint"))
    ax.xaxis.tick_top()
    ax.set_xticks([place + 0.5 for place in range(len(columns))], heads, color=hue("ink"))
    ax.set_yticks([place + 0.5 for place in range(len(rows))], names, color=hue("ink"), ma="left")
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    ax.grid(visible=False)
    ax.spines["bottom"].set_visible(False)
    ax.tick_params(length=0)
    frame.finish(ax, len(rows) * max([34.0, *(frame.high(name) + 4 for name in names)]))
    box = ax.get_position()
    cell = min(MAX_WIDTH, box.width * frame.width_of(ax) / len(columns))
    ax.set_position((box.x0, box.y0, cell * len(columns) / frame.width_of(ax), box.height))
    return cell
