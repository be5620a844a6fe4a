"""Grids of fields, coloured by a share and labelled with its number."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from simkit.formatting import counted, formed
from simkit.reporting.charts import tooltips
from simkit.reporting.charts.letters import ASCENT, SIZE, SMALL, broken, high, wide, widest
from simkit.reporting.charts.paper import Box, Paper
from simkit.reporting.charts.plot import key, titled

# Verdict -> letter, fill and strength of the fill: verdicts differ in their letters and in their fills.
PLATES = {
    "FAIR": ("F", "below", 0.35),
    "BORDERLINE": ("≈", "above", 0.3),
    "NOT SETTLED": ("+", "", 0.0),
    "TOO MANY FAILED": ("×", "", 0.0),
    "UNFAIR": ("U", "above", 1.0),
    "ON TARGET": ("T", "below", 0.35),
    "TOO EASY": ("E", "above", 1.0),  # as in `heat`: more wins
    "TOO HARD": ("H", "below", 1.0),
}
MIN_SIZE = 6.5  # smallest font size of numbers, in points


@dataclass
class Grid:
    """Rows and columns of fields: the upper left corner, and the width and height of a field."""

    rows: list[str]
    columns: list[str]
    left: float
    top: float
    wide: float
    high: float

    def box(self, row: str, column: str) -> Box:
        """Return the rectangle of a field."""
        x = self.left + self.columns.index(column) * self.wide
        y = self.top + self.rows.index(row) * self.high
        return x, y, x + self.wide, y + self.high


def matrix(paper: Paper, table: pl.DataFrame) -> None:
    """Draw the share of each row against each column; both sides have the order of the rows."""
    shares = table.with_columns(fair=pl.lit(0.5))
    words = "Share of the row's strategy against the column's, %"
    heat(paper, shares, "", columns=_names(table, "row"), title=words, middle="half")


def heat(
    paper: Paper,
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
    titled(paper, title)
    _sides_of(paper, middle)
    columns = list(columns or _names(table, "column"))
    grid = _grid(paper, _names(table, "row"), columns, across, down, 34.0)
    shares = [field["share"] for field in table.iter_rows(named=True) if field["share"] is not None]
    size, form = _size(grid, shares)
    notes_fit = all(_fits(grid, _note(field), 0.8 * size) for field in table.iter_rows(named=True))
    strongest = _farthest(table) if middle else 0.0
    for field in table.iter_rows(named=True):
        if field["share"] is None:
            continue
        box = grid.box(field["row"], field["column"])
        note = _note(field) if notes_fit and grid.high > 26 else ""
        paper.field(box, *_ground(field, strongest), "grid", tip=_tip(field, down, across))
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        paper.middle(x, y - (5 if note else 0), formed(form, 100 * field["share"]), "middle", size=size)
        if note:
            paper.middle(x, y + 7, note, "middle", size=0.8 * size)


def _sides_of(paper: Paper, middle: str) -> None:
    """Draw the key of the two colours."""
    grounds = {f"more than {middle}": "above", f"less than {middle}": "below"} if middle else {}

    def put(x: float, y: float, name: str) -> None:
        paper.field((x, y - 5, x + 22, y + 5), grounds[name], 0.8, "edge")

    key(paper, list(grounds), put)


def _farthest(table: pl.DataFrame) -> float:
    """Return the distance from fair with the strongest colour: the greatest one, at least 0.1."""
    return max(0.1, table.select((pl.col("share") - pl.col("fair")).abs().max()).item() or 0.0)


def _ground(field: dict[str, Any], strongest: float) -> tuple[str, float]:
    """Return the colour of a field and its strength."""
    if strongest:
        off = field["share"] - field["fair"]
        return "above" if off > 0 else "below", round(min(1.0, abs(off) / strongest), 2)
    return "below", round(min(1.0, field.get("shade", field["share"]) or 0.0), 2)


def _note(field: dict[str, Any]) -> str:
    games = field.get("games")
    return str(field.get("note") or ("" if games is None else counted(games, "game")))


def _tip(field: dict[str, Any], down: str, across: str) -> str:
    subject = tooltips.named(_called(down, field["row"]), _called(across, field["column"]))
    return tooltips.tooltip(field, subject)


def _called(axis: str, value: str) -> str:
    return f"{axis} {value}" if axis and value[:1].isdigit() else value


def _size(grid: Grid, shares: Sequence[float]) -> tuple[float, str]:
    """Return the font size of the numbers, and their format."""
    for form in ("{:.1f}", "{:.0f}"):
        for size in (SIZE, SMALL, 7.5, MIN_SIZE):
            if all(_fits(grid, formed(form, 100 * share), size) for share in shares):
                return size, form
    return MIN_SIZE, "{:.0f}"


def _fits(grid: Grid, text: str, size: float) -> bool:
    return wide(text, size) <= grid.wide - 3


def verdicts(paper: Paper, table: pl.DataFrame, across: str, down: str = "", base: str = "baseline") -> None:
    """Draw the verdict of each `row` and `column` as a sign (F, U, ≈, +) with its fill, and the share.

    Fields whose column `baseline` is true are framed; `base` labels the frame.
    """
    shown = [_plain_verdict(verdict) for verdict in table["verdict"].unique(maintain_order=True)]
    named = {word: f"{PLATES[word][0]}: {word}" for word in PLATES if word in shown}
    framed = [base] if table["baseline"].any() else []
    words = {text: word for word, text in named.items()}
    key(paper, [*named.values(), *framed], lambda x, y, name: _sample(paper, x, y, words.get(name, "")))
    grid = _grid(paper, _names(table, "row"), _names(table, "column"), across, down, 21.0)
    for field in table.iter_rows(named=True):
        _plate(paper, grid, field, down, across)
    for field in table.filter(pl.col("baseline")).iter_rows(named=True):
        paper.field(grid.box(field["row"], field["column"]), stroke="ink", width=2)


def _plain_verdict(verdict: str) -> str:
    """Return the verdict without the text in brackets."""
    return verdict.split(" (")[0]


def _sample(paper: Paper, x: float, y: float, verdict: str) -> None:
    box = x, y - 6, x + 22, y + 6
    if not verdict:
        paper.field(box, stroke="ink", width=2)
        return
    letter, ground, strength = PLATES[verdict]
    paper.field(box, ground, strength, "edge")
    paper.middle(x + 11, y, letter, "middle", size=SMALL, bold=True)


def _plate(paper: Paper, grid: Grid, field: dict[str, Any], down: str, across: str) -> None:
    letter, ground, strength = PLATES[_plain_verdict(field["verdict"])]
    left, top, right, bottom = grid.box(field["row"], field["column"])
    tip = f"{_tip(field, down, across)}, {field['verdict'].lower()}"
    paper.field((left, top, right, bottom), ground, strength, "edge", tip=tip)
    middle, y = (left + right) / 2, (top + bottom) / 2
    number = formed("{:.1f}", 100 * field["share"])
    size = SMALL if wide(number, SMALL) + 16 < grid.wide else MIN_SIZE
    if wide(number, size) + 13 > grid.wide:
        paper.middle(middle, y, letter, "middle", size=SIZE, bold=True)
        return
    start = middle - (12 + wide(number, size)) / 2
    paper.middle(start, y, letter, size=SIZE, bold=True)
    paper.middle(start + 12, y, number, size=size)


def _names(table: pl.DataFrame, side: str) -> list[str]:
    return table[side].unique(maintain_order=True).to_list()


def _grid(paper: Paper, rows: list[str], columns: list[str], across: str, down: str, tall: float) -> Grid:
    """Draw the names of rows and columns; columns whose names have no room are numbered."""
    most = paper.width * (0.4 if paper.narrow else 0.34)
    side = [list(broken(row, most)) for row in rows]
    left = max(widest([line for lines in side for line in lines]), 20.0) + 8
    numbers = {} if _size_of_heads(columns, _cell(paper, left, columns)) else _numbers(paper, rows, columns)
    indent = widest(list(numbers.values())) + 6 if set(columns) <= set(rows) and numbers else 0.0
    cell = _cell(paper, left + indent, columns)
    _corner(paper, across, down)
    grid = Grid(rows, columns, left + indent, 0.0, cell, max([tall, *(high(lines) + 4 for lines in side)]))
    _heads(paper, grid, [numbers.get(column, column) for column in columns])
    grid.top = paper.height
    for place, (row, lines) in enumerate(zip(rows, side, strict=True)):
        middle = grid.top + (place + 0.5) * grid.high
        paper.middle(left - 8, middle, lines, "end")
        paper.middle(left + indent - 6, middle, numbers[row] if indent and row in numbers else "", "end")
    paper.height += grid.high * len(rows) + 2
    return grid


def _cell(paper: Paper, left: float, columns: list[str]) -> float:
    return min((paper.width - left) / len(columns), 110.0)


def _size_of_heads(columns: list[str], cell: float) -> float:
    """Return the font size at which the names of all columns fit, or 0."""
    words = [word for name in columns for word in name.split()]
    for size in (SIZE, SMALL, 7.5):
        lines = max(len(broken(name, cell - 3, size)) for name in columns)
        if widest(words, size) <= cell - 3 and lines <= 3:
            return size
    return 0.0


def _numbers(paper: Paper, rows: list[str], columns: list[str]) -> dict[str, str]:
    """Return numbers for the columns and, unless rows have the same names, draw a list of them."""
    numbers = {column: str(place) for place, column in enumerate(columns, 1)}
    for column, place in ({} if set(columns) <= set(rows) else numbers).items():
        lines = list(broken(f"{place}: {column}", paper.width))
        paper.text(0, paper.height + ASCENT * SIZE, lines)
        paper.height += high(lines)
    return numbers


def _heads(paper: Paper, grid: Grid, names: list[str]) -> None:
    size = _size_of_heads(names, grid.wide) or SMALL
    heads = [list(broken(name, grid.wide - 3, size)) for name in names]
    paper.height += max(high(lines, size) for lines in heads) + 3
    for place, lines in enumerate(heads):
        first = paper.height - 3 - high(lines, size) + ASCENT * size + 1
        paper.text(grid.left + (place + 0.5) * grid.wide, first, lines, "middle", size=size)


def _corner(paper: Paper, across: str, down: str) -> None:
    """Draw the names of columns and rows above the grid."""
    texts = [f"down: {down}" if across else down] if down else []
    texts = ([f"across: {across}" if down else across] if across else []) + texts
    for text in texts:
        lines = list(broken(text, paper.width))
        paper.text(0, paper.height + ASCENT * SIZE, lines, colour="faint")
        paper.height += high(lines)
    paper.height += 3 if texts else 0
