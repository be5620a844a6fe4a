"""Fields in rows and columns that darken with a share and say its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from simkit.charts.look import BLUES, wrapped

PLATES: dict[
    str, tuple[str, str, str]
] = {  # verdict -> letter, ground, ink: told apart by letter and by lightness
    "FAIR": ("F", "#CFE6F3", "black"),
    "UNDECIDED": ("?", "#FFFFFF", "black"),
    "UNFAIR": ("U", "#7A2E00", "white"),
}
FRAME = "#E69F00"  # stands out from every ground
DARK = 0.615  # above it white stands out better from the field than black; there both have a contrast of 4.5 to 1


def matrix(ax: Axes, table: pl.DataFrame) -> None:
    """Share of the row against the column; names are ordered as the rows come, along both sides."""
    names = table["row"].unique(maintain_order=True).to_list()
    heat(ax, table.drop("games", strict=False), "against (share of the row's strategy, %)", columns=names)


def heat(
    ax: Axes, table: pl.DataFrame, across: str, down: str = "", columns: Sequence[str] | None = None
) -> None:
    """Share of each `row` and `column` as a number in percent, the number of `games` small below it where it is known.

    Rows and columns stand as they come; a field that the table lacks, or without a share, stays empty. Where there is a column `shade`
    (0 white to 1 dark), it darkens the field in place of the share; where there is a column `note`, it stands in place of the games.
    """
    rows = table["row"].unique(maintain_order=True).to_list()
    columns = list(columns or table["column"].unique(maintain_order=True))
    size = 9 if max(len(columns), len(rows)) <= 6 else 7.5
    for field in table.iter_rows(named=True):
        if field["share"] is not None:
            _field(ax, columns.index(field["column"]), rows.index(field["row"]), field, size)
    _sides(ax, rows, columns, across, down)


def verdicts(ax: Axes, table: pl.DataFrame, across: str, down: str = "") -> None:
    """The verdict of each `row` and `column` as a letter (F, U, ?) on its ground, the share beside it; rows and columns as they come.

    A field whose column `baseline` is true is framed.
    """
    rows, columns = (table[side].unique(maintain_order=True).to_list() for side in ("row", "column"))
    for field in table.iter_rows(named=True):
        letter, ground, ink = PLATES[field["verdict"]]
        x, y = columns.index(field["column"]), rows.index(field["row"])
        ax.add_patch(
            Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=ground, edgecolor="#777777", linewidth=0.8)
        )
        place: dict[str, Any] = {
            "xy": (x, y),
            "textcoords": "offset points",
            "va": "center_baseline",
            "color": ink,
        }
        ax.annotate(letter, xytext=(-4, 0), ha="right", fontsize=10, fontweight="bold", **place)
        ax.annotate(f"{100 * field['share']:.1f}", xytext=(0, 0), ha="left", fontsize=8, **place)
    _sides(ax, rows, columns, across, down)
    handles = [
        Patch(facecolor=ground, edgecolor="#777777", label=f"{letter}: {word}")
        for word, (letter, ground, _) in PLATES.items()
    ]
    for field in table.filter(pl.col("baseline")).iter_rows(named=True):
        x, y = columns.index(field["column"]), rows.index(field["row"])
        ax.add_patch(
            Rectangle(
                (x - 0.5, y - 0.5), 1, 1, fill=False, edgecolor=FRAME, linewidth=2.4, zorder=3, clip_on=False
            )
        )
    if table["baseline"].any():
        handles.append(Patch(fill=False, edgecolor=FRAME, linewidth=2.4, label="baseline"))
    figure = ax.get_figure()
    assert figure is not None
    figure.legend(handles=handles, loc="outside lower left", ncols=4)


def _sides(ax: Axes, rows: list[str], columns: list[str], across: str, down: str) -> None:
    """The names along both sides of the fields."""
    _slanted(ax, columns)
    ax.set_yticks(range(len(rows)), [wrapped(name) for name in rows])
    ax.set_xlim(-0.5, len(columns) - 0.5)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel(across)
    ax.set_ylabel(down)


def _field(ax: Axes, x: int, y: int, field: dict[str, Any], size: float) -> None:
    share, games = field["share"], field.get("games")
    note = field.get("note", None if games is None else f"n {games:,}")
    shade = field.get("shade", share)
    ink = "white" if shade > DARK else "black"
    ax.add_patch(
        Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=BLUES(shade), edgecolor="#BBBBBB", linewidth=0.6)
    )
    ax.text(
        x,
        y if note is None else y - 0.15,
        f"{100 * share:.1f}",
        ha="center",
        va="center",
        fontsize=size,
        color=ink,
    )
    if note is not None:
        ax.text(x, y + 0.24, note, ha="center", va="center", fontsize=0.78 * size, color=ink)


def _slanted(ax: Axes, names: list[str]) -> None:
    """The names below the columns, slanted where they would run into each other."""
    if max(map(len, names)) * len(names) <= 45:
        ax.set_xticks(range(len(names)), names)
    else:
        ax.set_xticks(range(len(names)), names, rotation=35, ha="right", rotation_mode="anchor")
