"""Contents of a report and its output as a page, Markdown or JSON; independent of the analysis."""

from .files import FORMATS, as_text, format_of, write, write_figures
from .page import render
from .parts import Chapter, Figure, Report, Section, Stamp, Step, Story, Takeaway, Tile, TileLine
from .tables import Show, Table, table, with_extremes
