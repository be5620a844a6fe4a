"""Charts: a table is drawn on a paper, which becomes SVG or, by matplotlib, PNG; nothing is computed.

Every chart can be read without colour, by marker, line, hatch and number. A column `style` (0, 1, …; greys
below 0) determines all of these, so that a thing has the same style in every drawing; without it styles go by
order. A chart is drawn for a desk and, narrower, for a phone, with text as text and the colours of the page.
Written as SVG by matplotlib, the 18 drawings of one page took 0.86 s and 637 kB; this way they take
0.05 s and 179 kB.
"""

from simkit.reporting.charts.dot_strip import strips
from simkit.reporting.charts.drawing import Chart, Picture, picture
from simkit.reporting.charts.fitted import fitted
from simkit.reporting.charts.gains import gains
from simkit.reporting.charts.grids import heat, matrix, verdicts
from simkit.reporting.charts.line_charts import curve, lines, trend
from simkit.reporting.charts.panels import small_multiples
from simkit.reporting.charts.ranks import ranked
from simkit.reporting.charts.rows import bars, dots, forest, stacked
from simkit.reporting.charts.scores import score_line
from simkit.reporting.charts.skill import skill_curve
from simkit.reporting.charts.spreads import fan, histogram
from simkit.reporting.charts.tried_settings import setting_dots
