"""Contents of a report and its output as a page, Markdown or JSON; independent of the analysis."""

from simkit.reporting.document.files import FORMATS, as_text, format_of, write, write_figures
from simkit.reporting.document.page import render
from simkit.reporting.document.parts import (
    Chapter,
    Figure,
    Line,
    Report,
    Section,
    Stamp,
    Step,
    Story,
    Takeaway,
    Tile,
)
from simkit.reporting.document.tables import Show, Table, table, with_extremes
