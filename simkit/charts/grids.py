"""Fields in rows and columns that darken with a share and say its number."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from simkit.charts.drawing import chart
from simkit.charts.look import BLUES, legend_below, wrapped

# Verdict -> letter, ground, ink: told apart by letter and by lightness.
PLATES = {
    "FAIR": ("F", "#CFE6F3", "black"),
    "BORDERLINE": ("≈", "#FFFFFF", "black"),
    "TOO FEW GAMES": ("+", "#FFFFFF", "black"),
    "UNFAIR": ("U", "#7A2E00", "white"),
    "ON TARGET": ("T", "#CFE6F3", "black"),
    "EASY": ("E", "#E8C79A", "black"),
    "HARD": ("H", "#7A2E00", "white"),
}
OF_TEAM, OF_SEATS = {"ON TARGET", "EASY", "HARD"}, {"FAIR", "UNFAIR"}
EDGE = "#777777"
FRAME: dict[str, Any] = {"fill": False, "edgecolor": "#E69F00", "linewidth": 2.4}  # stands out anywhere
DARK = 0.615  # above it white stands out better from the field than black; at it both have 4.5 to 1
LONGEST = 45  # letters that fit below the columns side by side


@chart(lambda table: 1.6 + 0.36 * table["row"].n_unique())
def matrix(ax: Axes, table: pl.DataFrame) -> None:
    """Share of the row against the column; names are ordered as the rows come, along both sides."""
    across = "against (share of the row's strategy, %)"
    heat(ax, table.drop("games", strict=False), across, columns=_names(table, "row"))


@chart(lambda table: 1.15 + 0.42 * table["row"].n_unique())
def heat(ax: Axes, table: pl.DataFrame, across: str, down: str = "", columns: Sequence[str] = ()) -> None:
    """Share of each `row` and `column` in percent, the number of `games` small below it where it is known.

    Rows and columns stand as they come; a field that the table lacks, or without a share, stays empty. A
    column `shade` (0 white to 1 dark) darkens the field in place of the share; `note` stands for the games.
    """
    rows, columns = _names(table, "row"), list(columns or _names(table, "column"))
    size = 9 if max(len(columns), len(rows)) <= 6 else 7.5
    for field in table.iter_rows(named=True):
        if field["share"] is not None:
            _field(ax, columns.index(field["column"]), rows.index(field["row"]), field, size)
    _sides(ax, rows, columns, across, down)


def _field(ax: Axes, x: int, y: int, field: dict[str, Any], size: float) -> None:
    share, games = field["share"], field.get("games")
    note = field.get("note", None if games is None else f"n {games:,}")
    shade = field.get("shade", share)
    how: dict[str, Any] = {"ha": "center", "va": "center", "color": "white" if shade > DARK else "black"}
    _square(ax, x, y, facecolor=BLUES(shade), edgecolor="#BBBBBB", linewidth=0.6)
    ax.text(x, y if note is None else y - 0.15, f"{100 * share:.1f}", fontsize=size, **how)
    if note is not None:
        ax.text(x, y + 0.24, note, fontsize=0.78 * size, **how)


@chart(lambda table: 1.3 + 0.27 * table["row"].n_unique() + _slant(_names(table, "column")))
def verdicts(ax: Axes, table: pl.DataFrame, across: str, down: str = "") -> None:
    """The verdict of each `row` and `column` as a letter (F, U, ≈, +) on its ground, the share beside it.

    A field whose column `baseline` is true is framed.
    """
    rows, columns = _names(table, "row"), _names(table, "column")
    for field in table.iter_rows(named=True):
        x, y = columns.index(field["column"]), rows.index(field["row"])
        _plate(ax, x, y, field)
        if field["baseline"]:
            _square(ax, x, y, zorder=3, clip_on=False, **FRAME)
    _sides(ax, rows, columns, across, down)
    team = bool(OF_TEAM & set(table["verdict"]))
    plates = [(word, its) for word, its in PLATES.items() if word not in (OF_SEATS if team else OF_TEAM)]
    handles = [Patch(fc=ground, ec=EDGE, label=f"{letter}: {word}") for word, (letter, ground, _) in plates]
    framed = [Patch(label="baseline", **FRAME)] if table["baseline"].any() else []
    legend_below(ax, handles + framed, columns=4)


def _plate(ax: Axes, x: int, y: int, field: dict[str, Any]) -> None:
    letter, ground, ink = PLATES[field["verdict"]]
    _square(ax, x, y, facecolor=ground, edgecolor=EDGE, linewidth=0.8)
    how: dict[str, Any] = {"textcoords": "offset points", "va": "center_baseline", "color": ink}
    ax.annotate(letter, (x, y), (-4, 0), ha="right", fontsize=10, fontweight="bold", **how)
    ax.annotate(f"{100 * field['share']:.1f}", (x, y), (0, 0), ha="left", fontsize=8, **how)


def _square(ax: Axes, x: int, y: int, **how: Any) -> None:
    ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, **how))


def _names(table: pl.DataFrame, side: str) -> list[str]:
    return table[side].unique(maintain_order=True).to_list()


def _slant(names: list[str]) -> float:
    """Inches for names that are slanted, since they would run into each other."""
    longest = max(map(len, names))
    return 0.045 * longest if longest * len(names) > LONGEST else 0.0


def _sides(ax: Axes, rows: list[str], columns: list[str], across: str, down: str) -> None:
    slanted: dict[str, Any] = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}
    ax.set_xticks(range(len(columns)), columns, **slanted if _slant(columns) else {})
    ax.set_yticks(range(len(rows)), [wrapped(name) for name in rows])
    ax.set_xlim(-0.5, len(columns) - 0.5)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_xlabel(across)
    ax.set_ylabel(down)
