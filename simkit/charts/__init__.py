"""A table onto an Axes; computes nothing. Every chart reads without colour, by marker, line, hatch, number.

A column `style` (0, 1, …; below 0 a grey) picks all of these, so that a thing looks the same in every
drawing; else they go by order.
"""

from simkit.charts.courses import curve as curve
from simkit.charts.courses import fan as fan
from simkit.charts.courses import histogram as histogram
from simkit.charts.courses import lines as lines
from simkit.charts.courses import trend as trend
from simkit.charts.drawing import Picture as Picture
from simkit.charts.drawing import picture as picture
from simkit.charts.grids import heat as heat
from simkit.charts.grids import matrix as matrix
from simkit.charts.grids import verdicts as verdicts
from simkit.charts.rows import bars as bars
from simkit.charts.rows import forest as forest
from simkit.charts.rows import stacked as stacked
