"""Contents of a report and its output as a page, Markdown or JSON; independent of the analysis."""

from simkit.page.document.files import FORMATS, as_text, format_of, render, write, write_figures
from simkit.page.document.parts import (
    Chapter,
    Figure,
    Report,
    Section,
    Stamp,
    Step,
    Story,
    Takeaway,
    Tile,
    TileLine,
)
from simkit.page.document.tables import Show, Table, table, with_extremes
