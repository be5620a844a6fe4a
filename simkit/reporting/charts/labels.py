"""Labels of rows, at the side or, where they are long, above the rows on phones."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from simkit.reporting.charts.drawing import HALO
from simkit.reporting.charts.formats import Form
from simkit.reporting.charts.frame import SIZE, SMALL, Span, high, narrow, numbers, width_of, wrapped
from simkit.reporting.charts.palette import hue

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 17.0  # height of a row, in points


class Label(NamedTuple):
    """Label of some rows, with its meaning in grey below."""

    text: str
    rows: int
    note: str
    bold: bool

    def blocks(self, room: float) -> list[tuple[str, float, str]]:
        """Return text, font size and colour of the label and of its note, as broken lines."""
        parts = (self.text, SIZE, "ink"), (self.note, SMALL, "faint")
        return [
            (wrapped(text, room / (1.1 if self.bold else 1), size), size, hue(ink))
            for text, size, ink in parts
            if text
        ]

    def high(self, room: float) -> float:
        """Return the height in points."""
        return sum(high(text, size) for text, size, _ in self.blocks(room))


def _labels_of(table: pl.DataFrame) -> list[Label]:
    """Return the labels of consecutive rows, which may leave a repeated label empty; with notes, if any."""
    if "note" not in table.columns:
        table = table.with_columns(note=pl.lit(""), baseline=pl.lit(False))
    filled = table.with_columns(pl.col("label").replace("", None).forward_fill().fill_null(""))
    runs = [list(rows) for _, rows in groupby(filled.iter_rows(named=True), key=lambda row: row["label"])]
    return [Label(rows[0]["label"], len(rows), rows[0]["note"] or "", rows[0]["baseline"]) for rows in runs]


def rows_of(
    ax: Axes, table: pl.DataFrame, span: Span, say: Form, least: float = 0.0, tall: float = ROW
) -> list[float]:
    """Write labels, and the numbers below; return the middle of each row and the height of all, in points.

    They count from the top, as y does. A column `note` stands below the label; then a `baseline` is bold.
    """
    labels, room = _labels_of(table), width_of(ax) * (0.36 if narrow(ax) else 0.4)
    aside = not narrow(ax) or all(
        label.high(room) <= 2 * high("", SIZE) and not label.note for label in labels
    )
    room, ys, top = room if aside else width_of(ax), list[float](), 0.0
    for label in labels:
        words = label.high(room)
        block = max(tall * label.rows, words + 4) if aside else tall * label.rows
        _write(ax, label, room, top + (block - words) / 2 if aside else top, aside)
        top += 0 if aside else words + 1
        ys += [top + block * (place + 0.5) / label.rows for place in range(label.rows)]
        top += block + 3
    ax.set_ylim(top, 0)
    ax.set_yticks([])
    numbers(ax, "x", span, 4 if narrow(ax) else 6, say, least)
    return [*ys, top]


def _write(ax: Axes, label: Label, room: float, y: float, aside: bool) -> None:
    """Write a label beside its rows, or above them from the left end of the figure."""
    for text, size, colour in label.blocks(room):
        ax.annotate(
            text,
            (0, y),
            (-8 if aside else 1, 0),
            xycoords=("axes fraction" if aside else "figure fraction", "data"),
            textcoords="offset points",
            ha="right" if aside else "left",
            ma="left",
            va="top",
            color=colour,
            fontsize=size,
            fontweight="bold" if label.bold and size == SIZE else "normal",
            gid=None if aside else HALO,
        )
        y += high(text, size)
