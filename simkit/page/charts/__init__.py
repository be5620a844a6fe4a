"""Charts: tables drawn by matplotlib, in one style; nothing is computed.

A chart takes a table and, if you like, axes: `forest(table)` or `forest(table, ax, unit="Games won")`;
it returns the axes. Every chart can be read without colour, by marker, line and number. A column `style`
(0, 1, …; greys below 0) determines these, so that a thing has the same style in every drawing; without it
styles go by order. A page has each chart twice, for a desk and, narrower, for a phone, with text as text and
the colours of the page (drawing.py).
"""

from simkit.page.charts.drawing import WIDE, Chart, Picture, picture, style
from simkit.page.charts.frame import Mark
from simkit.page.charts.kinds import curve, forest, heat, histogram
