"""A grid of fields, coloured by a share and labelled with its number."""

from itertools import compress
from typing import Any

import polars as pl

from simkit.formatting import formed
from simkit.page.charts.drawing import Axes, add_tips, chart, hue
from simkit.page.charts.frame import (
    SHARE,
    SIZE,
    finish,
    heading,
    high,
    join_name,
    narrow,
    patch,
    tooltip,
    wide,
    width_of,
    wrap_text,
)

MAX_WIDTH = 110.0  # of fields, in points
STRENGTH = 0.8  # of the strongest field
Field = dict[str, Any]


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
    heading(ax, title, {name: patch(hue(side), STRENGTH) for name, side in sides.items()})
    rows, columns = (table[side].unique(maintain_order=True).to_list() for side in ("row", "column"))
    if set(rows) == set(columns) and table.height < len(rows) ** 2:
        columns = rows  # without fields on the diagonal
    elif not _names(ax, rows, columns)[-1] and _names(ax, columns, rows)[-1]:  # more room at the rows
        rows, columns, across, down = columns, rows, down, across
        table = table.rename({"row": "column", "column": "row"})
    words = [f"across: {across}", f"down: {down}"] if across and down else [across or down]
    width = _lay_out(ax, rows, columns, "\n".join(wrap_text(text, 0.9 * width_of(ax)) for text in words))
    fields = table.drop_nulls("value").rows(named=True)
    off = max(0.1, *(abs(field["value"] - field["fair"]) for field in fields)) if middle else 0.0
    texts = [_texts(field) for field in fields]
    shown = [max(map(wide, column), default=0) <= width - 3 for column in zip(*texts, strict=True)]
    for field, lines in zip(fields, texts, strict=True):
        corner = columns.index(field["column"]), rows.index(field["row"])
        ends = (down, field["row"]), (across, field["column"])
        subject = join_name(*(f"{axis} {x}" if axis and x[:1].isdigit() else x for axis, x in ends))
        tip = join_name(tooltip(field, subject, SHARE), (field.get("verdict") or "").lower())
        ground = Rectangle(corner, 1, 1, facecolor=_ground(field, off), edgecolor=hue("grid"), linewidth=0.8)
        add_tips(ax.add_patch(ground), [tip])
        text = "\n".join(compress(lines, shown))
        ax.text(corner[0] + 0.5, corner[1] + 0.5, text, ha="center", va="center")


def _texts(field: Field) -> tuple[str, ...]:
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
    names = [wrap_text(row, width_of(ax) * (0.36 if narrow(ax) else 0.32)) for row in rows]
    cell = min(MAX_WIDTH, (width_of(ax) - 8 - max(map(wide, names))) / len(columns))
    heads = [wrap_text(name, cell) for name in columns]
    return names, heads, all(wide(head) <= cell - 4 and head.count("\n") <= 3 for head in heads)


def _lay_out(ax: Axes, rows: list[str], columns: list[str], words: str) -> float:
    """Write the names of rows and columns, numbered if they have no room; return the width of a field."""
    names, heads, fit = _names(ax, rows, columns)
    if not fit:
        heads = [str(place) for place in range(1, len(columns) + 1)]
        numbered = dict(zip(columns, heads, strict=True))
        if not numbered.keys() & set(rows):
            key = "\n".join(f"{place}: {name}" for name, place in numbered.items())
            words = f"{words}\n{wrap_text(key, 0.6 * width_of(ax))}".strip()
        names = [f"{name}  {numbered.get(row, '')}".rstrip() for row, name in zip(rows, names, strict=True)]
    ax.set_title(words, loc="left", fontsize=SIZE, color=hue("faint"))
    ax.xaxis.tick_top()
    ax.set_xticks([place + 0.5 for place in range(len(columns))], heads, color=hue("ink"))
    ax.set_yticks([place + 0.5 for place in range(len(rows))], names, color=hue("ink"), ma="left")
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    ax.grid(visible=False)
    ax.spines["bottom"].set_visible(False)
    ax.tick_params(length=0)
    finish(ax, len(rows) * max([34.0, *(high(name) + 4 for name in names)]))
    box = ax.get_position()
    cell = min(MAX_WIDTH, box.width * width_of(ax) / len(columns))
    ax.set_position((box.x0, box.y0, cell * len(columns) / width_of(ax), box.height))
    return cell
