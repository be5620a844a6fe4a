"""A table onto a paper, and from there into SVG or, by matplotlib, PNG; computes nothing.

Every chart reads without colour, by marker, line, hatch, number. A column `style` (0, 1, …; below 0 a grey)
picks all of these, so that a thing looks the same in every drawing; else they go by order. A chart draws for
a desk and, narrower, for a phone: text as text, colours as the page has them. Written as SVG by matplotlib
the 18 drawings of the flagship's page took 0.86 s and 637 kB, this way 0.05 s and 179 kB.
"""

from simkit.reporting.charts.dot_strip import strips
from simkit.reporting.charts.drawing import Chart, Picture, picture
from simkit.reporting.charts.fitted import fitted
from simkit.reporting.charts.grids import heat, matrix, verdicts
from simkit.reporting.charts.line_charts import curve, lines, trend
from simkit.reporting.charts.panels import small_multiples
from simkit.reporting.charts.ranks import ranked
from simkit.reporting.charts.rows import bars, dots, forest, stacked
from simkit.reporting.charts.scores import score_line
from simkit.reporting.charts.skill import skill_curve
from simkit.reporting.charts.spreads import fan, histogram
from simkit.reporting.charts.tried_settings import tried
