"""A table onto an Axes; computes nothing. Every chart reads without colour: markers, line styles, hatches and numbers tell the same.

Each chart takes an Axes and a table whose columns it names; `picture` makes the drawing of it. Where a table has a column `style` (0, 1, …;
below 0 a grey), it picks colour, marker, line and hatch, so that a thing looks the same in every drawing; else the looks go by order.
"""

from simkit.charts.courses import curve, fan, histogram, lines, trend
from simkit.charts.drawing import Picture, picture
from simkit.charts.grids import heat, matrix, verdicts
from simkit.charts.rows import bars, forest, stacked

__all__ = [
    "Picture",
    "bars",
    "curve",
    "fan",
    "forest",
    "heat",
    "histogram",
    "lines",
    "matrix",
    "picture",
    "stacked",
    "trend",
    "verdicts",
]
