"""Grids of fields, coloured by a share and labelled with its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.formatting import counted, formed
from simkit.reporting.charts import formats
from simkit.reporting.charts.drawing import chart
from simkit.reporting.charts.frame import SIZE, SMALL, finish, heading, high, narrow, wide, width_of, wrapped
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
MIN_SIZE, MAX_WIDTH = 6.5, 110.0  # smallest font size of numbers, greatest width of fields, in points
Field = dict[str, Any]


@chart
def matrix(ax: Axes, table: pl.DataFrame) -> None:
    """Draw the share of each row against each column; both sides have the order of the rows."""
    title, order = "Share of the row's strategy against the column's, %", table["row"].unique(maintain_order=True)
    heat(table.with_columns(fair=pl.lit(0.5)), ax, across="", columns=order.to_list(), title=title, middle="half")


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
    sides = {f"more than {middle}": ("above", 0.8), f"less than {middle}": ("below", 0.8)} if middle else {}
    heading(ax, title, {name: _sample(*fill) for name, fill in sides.items()})
    grid = _Grid(ax, table, columns, across, down, 34.0)
    fields = [field for field in table.iter_rows(named=True) if field["share"] is not None]
    size, form = grid.size_of([field["share"] for field in fields])
    notes = all(wide(_note(field), 0.8 * size) < grid.wide - 3 for field in fields)
    strongest = max(0.1, table.select((pl.col("share") - pl.col("fair")).abs().max()).item() or 0.0) if middle else 0
    for field in fields:
        grid.draw(field, *_ground(field, strongest), hue("grid"), _tip(field, down, across))
        note = _note(field) if notes else ""
        grid.write(field, formed(form, 100 * field["share"]), size, (0, 6 if note else 0))
        if note:
            grid.write(field, note, 0.8 * size, (0, -7))


def _sample(ground: str, strength: float) -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=hue(ground), alpha=strength, edgecolor=hue("edge"), linewidth=0.8)


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
    subject = formats.named(_called(down, field["row"]), _called(across, field["column"]))
    return formats.tooltip(field, subject)


def _called(axis: str, value: str) -> str:
    return f"{axis} {value}" if axis and value[:1].isdigit() else value


@chart
def verdicts(ax: Axes, table: pl.DataFrame, across: str, down: str = "", base: str = "baseline") -> None:
    """Draw the verdict of each `row` and `column` as a sign (F, U, ≈, +) with its fill, and the share.

    Fields whose column `baseline` is true are framed; `base` labels the frame.
    """
    from matplotlib.patches import Patch

    shown = {_plain_verdict(verdict) for verdict in table["verdict"]}
    key = {f"{letter}: {word}": _sample(*fill) for word, (letter, *fill) in PLATES.items() if word in shown}
    if table["baseline"].any():
        key[base] = Patch(facecolor="none", edgecolor=hue("ink"), linewidth=2)
    heading(ax, "", key)
    grid = _Grid(ax, table, (), across, down, 21.0)
    for field in table.iter_rows(named=True):
        letter, ground, strength = PLATES[_plain_verdict(field["verdict"])]
        tip = f"{_tip(field, down, across)}, {field['verdict'].lower()}"
        grid.draw(field, ground, strength, hue("edge"), tip)
        number = formed("{:.1f}", 100 * field["share"])
        size = SMALL if wide(number, SMALL) + 18 < grid.wide else MIN_SIZE
        beside = wide(number, size) + 14 < grid.wide
        half = wide(number, size) / 2
        grid.write(field, letter, SIZE, (-half if beside else 0, 0), "bold")
        if beside:
            grid.write(field, number, size, (6, 0))
    for field in table.filter(pl.col("baseline")).iter_rows(named=True):
        grid.frame(field)


def _plain_verdict(verdict: str) -> str:
    """Return the verdict without the text in brackets."""
    return verdict.split(" (")[0]


class _Grid:
    """Rows and columns of fields with their names; columns whose names have no room are numbered."""

    def __init__(self, ax: Axes, table: pl.DataFrame, columns: Sequence[str], across: str, down: str, tall: float) -> None:
        self.ax = ax
        self.rows = table["row"].unique(maintain_order=True).to_list()
        self.columns = list(columns or table["column"].unique(maintain_order=True))
        names = [wrapped(row, width_of(ax) * (0.36 if narrow(ax) else 0.32)) for row in self.rows]
        left = max(map(wide, [*names, "down"])) + 8
        cell = min(MAX_WIDTH, (width_of(ax) - left) / len(self.columns))
        heads = [wrapped(name, cell - 2, SMALL) for name in self.columns]
        if any(wide(head, SMALL) > cell - 2 or head.count("\n") > 3 for head in heads):
            names, heads = self._numbered(names)
        self.high = max([tall, *(high(name) + 4 for name in names)])
        self._name(names, heads, across, down)
        finish(ax, self.high * len(self.rows))
        self._narrow()

    def _numbered(self, names: list[str]) -> tuple[list[str], list[str]]:
        """Return names with numbers, and the numbers as heads of the columns."""
        numbers = {column: str(place) for place, column in enumerate(self.columns, 1)}
        rows = [f"{name}  {numbers.get(row, '')}".rstrip() for row, name in zip(self.rows, names, strict=True)]
        return rows, list(numbers.values())

    def _name(self, names: list[str], heads: list[str], across: str, down: str) -> None:
        ax, size = self.ax, len(self.columns), 
        ax.set_xlim(0, len(self.columns))
        ax.set_ylim(len(self.rows), 0)
        ax.grid(visible=False)
        ax.spines["bottom"].set_visible(False)
        ax.xaxis.tick_top()
        places = [place + 0.5 for place in range(len(self.columns))]
        ax.set_xticks(places, heads, fontsize=SMALL, color=hue("ink"))
        ax.set_yticks([place + 0.5 for place in range(len(self.rows))], names, color=hue("ink"))
        ax.tick_params(length=0)
        texts = [f"across: {across}" if across and down else across, f"down: {down}" if across and down else down]
        words = "\n".join(wrapped(text, width_of(ax)) for text in texts if text)
        ax.set_title(words, loc="left", fontsize=SIZE, color=hue("faint"), pad=6)

    def _narrow(self) -> None:
        """Keep fields from becoming wider than MAX_WIDTH."""
        box, full = self.ax.get_position(), width_of(self.ax)
        self.wide = min(MAX_WIDTH, box.width * full / len(self.columns))
        self.ax.set_position((box.x0, box.y0, self.wide * len(self.columns) / full, box.height))

    def size_of(self, shares: Sequence[float]) -> tuple[float, str]:
        """Return the font size at which the numbers fit into the fields, and their format."""
        for form in ("{:.1f}", "{:.0f}"):
            for size in (SIZE, SMALL, 7.5, MIN_SIZE):
                if all(wide(formed(form, 100 * share), size) <= self.wide - 3 for share in shares):
                    return size, form
        return MIN_SIZE, "{:.0f}"

    def _corner(self, field: Field) -> tuple[int, int]:
        return self.columns.index(field["column"]), self.rows.index(field["row"])

    def draw(self, field: Field, ground: str, strength: float, edge: str, tip: str) -> None:
        """Draw a field."""
        from matplotlib.colors import to_rgba
        from matplotlib.patches import Rectangle

        from simkit.reporting.charts.svg import add_tips

        colour = to_rgba(hue(ground), strength)
        patch = self.ax.add_patch(Rectangle(self._corner(field), 1, 1, facecolor=colour, edgecolor=edge, linewidth=0.8))
        add_tips([patch], [tip])

    def frame(self, field: Field) -> None:
        """Draw a frame around a field."""
        from matplotlib.patches import Rectangle

        self.ax.add_patch(Rectangle(self._corner(field), 1, 1, fill=False, edgecolor=hue("ink"), linewidth=2, zorder=4))

    def write(self, field: Field, text: str, size: float, offset: tuple[float, float], weight: str = "normal") -> None:
        """Write a text in the middle of a field."""
        column, row = self._corner(field)
        self.ax.annotate(
            text, (column + 0.5, row + 0.5), offset, textcoords="offset points",
            ha="center", va="center", fontsize=size, fontweight=weight,
        )  # fmt: skip
