"""Rows with labels at the side, or above them on phones, over a common axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from simkit.reporting.charts.drawing import HALO
from simkit.reporting.charts.formats import Form
from simkit.reporting.charts.frame import SIZE, SMALL, Span, high, narrow, numbers, width_of, wrapped
from simkit.reporting.charts.palette import hue

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 17.0  # height of a row, in points


@dataclass
class Label:
    """Label of some rows, with its meaning in grey below."""

    text: str
    rows: int = 1
    note: str = ""
    bold: bool = False

    def blocks(self, room: float) -> list[tuple[str, float, str]]:
        """Return text, font size and colour of the label and of its note, as broken lines."""
        parts = (self.text, SIZE, "ink"), (self.note, SMALL, "faint")
        bolder = 1.1 if self.bold else 1.0
        return [(wrapped(text, room / bolder, size), size, colour) for text, size, colour in parts if text]

    def high(self, room: float) -> float:
        """Return the height in points."""
        return sum(high(text, size) for text, size, _ in self.blocks(room))


class Rows(NamedTuple):
    """Middle of each row, and the height of all, in points from the top."""

    middles: list[float]
    tall: float


def labels_of(names: Sequence[str]) -> list[Label]:
    """Return each label with the number of consecutive rows it has."""
    labels: list[Label] = []
    for name in names:
        if labels and name in (labels[-1].text, ""):
            labels[-1].rows += 1
        else:
            labels.append(Label(name))
    return labels


def rows_of(
    ax: Axes, labels: Sequence[Label], span: Span, say: Form, least: float = 0.0, tall: float = ROW
) -> Rows:
    """Write labels, and the numbers below; y is in points from the top."""
    room = width_of(ax) * (0.36 if narrow(ax) else 0.4)
    aside = not narrow(ax) or all(label.high(room) <= 2 * high("", SIZE) and not label.note for label in labels)
    room = room if aside else width_of(ax)
    middles, top = list[float](), 0.0
    for label in labels:
        words = label.high(room)
        block = max(tall * label.rows, words + 4) if aside else tall * label.rows
        _write(ax, label, room, top + (block - words) / 2 if aside else top, aside)
        top += 0 if aside else words + 1
        middles += [top + block * (place + 0.5) / label.rows for place in range(label.rows)]
        top += block + 3
    ax.set_ylim(top, 0)
    ax.set_yticks([])
    numbers(ax.xaxis, span, 4 if narrow(ax) else 6, say, least)
    return Rows(middles, top)


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
            va="top",
            color=hue(colour),
            fontsize=size,
            fontweight="bold" if label.bold and colour == "ink" else "normal",
            gid=None if aside else HALO,
            annotation_clip=False,
        )
        y += high(text, size)
