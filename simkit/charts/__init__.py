"""A table onto an Axes; computes nothing. Every chart reads without colour, by marker, line, hatch, number.

A column `style` (0, 1, …; below 0 a grey) picks all of these, so that a thing looks the same in every
drawing; else they go by order.
"""

from simkit.charts.courses import curve, fan, histogram, lines, trend
from simkit.charts.drawing import Picture, picture
from simkit.charts.grids import heat, matrix, verdicts
from simkit.charts.rows import bars, forest, stacked
from simkit.charts.scores import score_line
