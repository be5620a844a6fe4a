"""What a report is made of, and how it becomes a page, Markdown or JSON; knows no analysis. Every text is escaped."""

from simkit.report.files import FORMATS, as_text, format_of, write, write_figures
from simkit.report.page import render
from simkit.report.parts import Drawing, Figure, Report, Section, Story, Takeaway
from simkit.report.tables import Column, Show, Table, table

__all__ = [
    "FORMATS",
    "Column",
    "Drawing",
    "Figure",
    "Report",
    "Section",
    "Show",
    "Story",
    "Table",
    "Takeaway",
    "as_text",
    "format_of",
    "render",
    "table",
    "write",
    "write_figures",
]
