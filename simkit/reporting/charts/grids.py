"""Grids of fields, coloured by a share and labelled with its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from simkit.formatting import counted, formed
from simkit.reporting.charts import formats
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.frame import (
    SIZE,
    SMALL,
    finish,
    heading,
    high,
    narrow,
    patch,
    wide,
    width_of,
    wrapped,
)
from simkit.reporting.charts.palette import hue

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Verdict -> letter, fill and strength of the fill: verdicts differ in their letters and in their fills.
PLATES = {
    "FAIR": ("F", "below", 0.35),
    "BORDERLINE": ("≈", "above", 0.3),
    "NOT SETTLED": ("+", "paper", 0.0),
    "TOO MANY FAILED": ("×", "paper", 0.0),
    "UNFAIR": ("U", "above", 1.0),
    "ON TARGET": ("T", "below", 0.35),
    "TOO EASY": ("E", "above", 1.0),  # as in `heat`: more wins
    "TOO HARD": ("H", "below", 1.0),
}
SIZES, MAX_WIDTH = (
    (SIZE, SMALL, 7.5, 6.5),
    110.0,
)  # font sizes of numbers, greatest width of fields, in points
EDGE: dict[str, Any] = {"edgecolor": hue("edge"), "linewidth": 0.8}
Field = dict[str, Any]


@chart
def matrix(ax: Axes, table: pl.DataFrame) -> None:
    """Draw the share of each row against each column; both sides have the order of the rows."""
    title, order = (
        "Share of the row's strategy against the column's, %",
        table["row"].unique(maintain_order=True),
    )
    heat(table.with_columns(fair=pl.lit(0.5)), ax, across="", columns=order, title=title, middle="half")


@chart
def heat(
    ax: Axes,
    table: pl.DataFrame,
    across: str,
    down: str = "",
    columns: Sequence[str] = (),
    title: str = "",
    middle: str = "",
) -> None:
    """Draw the share of each `row` and `column` in percent, with the number of `games` below it where known.

    Rows and columns keep their order; a field without a row or share stays empty. If `middle` names the
    column `fair`, fields above it are orange and fields below it blue, stronger with distance; else the share
    (or a column `shade` from 0 to 1, null for white) is a strength of blue. `note` replaces the games;
    `across` and `down` name the columns and the rows.
    """
    sides = {f"more than {middle}": "above", f"less than {middle}": "below"} if middle else {}
    heading(ax, title, {name: patch(hue(ground), 0.8, **EDGE) for name, ground in sides.items()})
    grid = _grid(ax, table, list(columns), across, down, 34.0)
    fields = [field for field in table.iter_rows(named=True) if field["share"] is not None]
    numbers = {
        form: [formed(form, 100 * field["share"]) for field in fields] for form in ("{:.1f}", "{:.0f}")
    }
    form = "{:.1f}" if grid.size(numbers["{:.1f}"]) else "{:.0f}"
    size, notes = grid.size(numbers[form]) or SIZES[-1], [_note(field) for field in fields]
    noted = grid.size(notes) >= 0.8 * size
    off = table.select((pl.col("share") - pl.col("fair")).abs().max()).item() if middle else 0.0
    for field, number, note in zip(fields, numbers[form], notes, strict=True):
        grid.field(field, *_ground(field, max(0.1, off) if middle else 0.0), _tip(field, down, across))
        grid.write(field, number, size, 0, 6 if noted and note else 0)
        if noted and note:
            grid.write(field, note, 0.8 * size, 0, -7)


def _ground(field: Field, strongest: float) -> tuple[str, float]:
    """Return the colour of a field and its strength."""
    if strongest:
        off = field["share"] - field["fair"]
        return "above" if off > 0 else "below", round(min(1.0, abs(off) / strongest), 2)
    return "below", round(min(1.0, field.get("shade", field["share"]) or 0.0), 2)


def _note(field: Field) -> str:
    games = field.get("games")
    return str(field.get("note") or ("" if games is None else counted(games, "game")))


def _tip(field: Field, down: str, across: str) -> str:
    sides = (down, field["row"]), (across, field["column"])
    return formats.tooltip(
        field, formats.named(*(f"{axis} {x}" if axis and x[:1].isdigit() else x for axis, x in sides))
    )


@chart
def verdicts(ax: Axes, table: pl.DataFrame, across: str, down: str = "", base: str = "baseline") -> None:
    """Draw the verdict of each `row` and `column` as a sign (F, U, ≈, +) with its fill, and the share.

    Fields whose column `baseline` is true are framed; `base` labels the frame.
    """
    fields = [field | {"word": field["verdict"].split(" (")[0]} for field in table.iter_rows(named=True)]
    plates = {word: plate for word, plate in PLATES.items() if word in {field["word"] for field in fields}}
    key = {f"{sign}: {word}": patch(hue(fill), alpha, **EDGE) for word, (sign, fill, alpha) in plates.items()}
    frame: dict[str, Any] = {"edgecolor": hue("ink"), "linewidth": 2}
    heading(ax, "", key | ({base: patch("none", **frame)} if table["baseline"].any() else {}))
    grid = _grid(ax, table, [], across, down, 21.0)
    size = grid.size(["F  00.0"])
    for field in fields:
        sign, ground, strength = plates[field["word"]]
        tip = f"{_tip(field, down, across)}, {field['verdict'].lower()}"
        grid.field(field, ground, strength, tip, **EDGE)
        grid.write(field, sign, SIZE, -13 if size else 0, 0, fontweight="bold")
        if size:
            grid.write(field, formed("{:.1f}", 100 * field["share"]), size, 5, 0)
    for field in (field for field in fields if field["baseline"]):
        grid.field(field, "paper", 0.0, "", zorder=4, **frame)


class Grid(NamedTuple):
    """Rows and columns of fields, and the width of a field in points."""

    ax: Axes
    rows: list[str]
    columns: list[str]
    wide: float

    def size(self, texts: Sequence[str]) -> float:
        """Return the font size at which texts fit into the fields, or 0."""
        fitting = (size for size in SIZES if all(wide(text, size) <= self.wide - 3 for text in texts))
        return next(fitting, 0.0)

    def corner(self, field: Field) -> tuple[int, int]:
        """Return the place of a field."""
        return self.columns.index(field["column"]), self.rows.index(field["row"])

    def field(self, field: Field, ground: str, strength: float, tip: str, **style: Any) -> None:
        """Draw a field."""
        from matplotlib.patches import Rectangle

        from simkit.reporting.charts.svg import add_tips

        style = {"edgecolor": hue("grid"), "linewidth": 0.8, **style}
        patch = Rectangle(self.corner(field), 1, 1, facecolor=(hue(ground), strength), **style)
        add_tips(self.ax.add_patch(patch), [tip])

    def write(self, field: Field, text: str, size: float, x: float, y: float, **style: Any) -> None:
        """Write a text in a field, off its middle by x and y points."""
        middle = [place + 0.5 for place in self.corner(field)]
        side: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": size, **style}
        self.ax.annotate(text, (middle[0], middle[1]), (x, y), textcoords="offset points", **side)


def _grid(ax: Axes, table: pl.DataFrame, columns: list[str], across: str, down: str, tall: float) -> Grid:
    """Write the names of rows and columns; columns whose names have no room are numbered."""
    rows, columns = (
        names or table[side].unique(maintain_order=True).to_list()
        for side, names in (("row", []), ("column", columns))
    )
    names = [wrapped(row, width_of(ax) * (0.36 if narrow(ax) else 0.32)) for row in rows]
    cell = min(MAX_WIDTH, (width_of(ax) - 8 - max(map(wide, names))) / len(columns))
    heads = [wrapped(name, cell, SMALL) for name in columns]
    if any(wide(head, SMALL) > cell or head.count("\n") > 3 for head in heads):
        heads = [str(place) for place in range(1, len(columns) + 1)]
        names = [
            f"{name}  {columns.index(row) + 1}" if row in columns else name
            for row, name in zip(rows, names, strict=True)
        ]
    texts = [f"across: {across}", f"down: {down}"] if across and down else [across or down]
    words = "\n".join(wrapped(text, 0.9 * width_of(ax)) for text in texts)
    ax.set_title(words, loc="left", fontsize=SIZE, color=hue("faint"))
    ax.xaxis.tick_top()
    ax.set_xticks([place + 0.5 for place in range(len(columns))], heads, fontsize=SMALL, color=hue("ink"))
    ax.set_yticks([place + 0.5 for place in range(len(rows))], names, color=hue("ink"), ma="left")
    ax.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    ax.grid(visible=False)
    ax.spines["bottom"].set_visible(False)
    ax.tick_params(length=0)
    finish(ax, len(rows) * max([tall, *(high(name) + 4 for name in names)]))
    box = ax.get_position()
    cell = min(MAX_WIDTH, box.width * width_of(ax) / len(columns))
    ax.set_position((box.x0, box.y0, cell * len(columns) / width_of(ax), box.height))
    return Grid(ax, rows, columns, cell)
