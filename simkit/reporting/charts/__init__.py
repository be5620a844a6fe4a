"""Charts: tables drawn by matplotlib, in one style; nothing is computed.

A chart takes a table and, if you like, axes: `forest(table)` or `forest(table, ax, unit="Games won")`; it
returns the axes. Every chart can be read without colour, by marker, line, hatch and number. A column `style`
(0, 1, …; greys below 0) determines all of these, so that a thing has the same style in every drawing; without
it styles go by order. A page has each chart twice, for a desk and, narrower, for a phone, with text as text
and the colours of the page (svg.py).
"""

from simkit.reporting.charts.curves import curve, fitted, histogram, lines, score_line, skill_curve, trend
from simkit.reporting.charts.drawing import Chart, Picture, picture
from simkit.reporting.charts.grids import heat, matrix, verdicts
from simkit.reporting.charts.panels import small_multiples
from simkit.reporting.charts.rows import bars, dots, forest, ranked, stacked
from simkit.reporting.charts.trials import gains, setting_dots
