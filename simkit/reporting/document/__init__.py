"""What a report is made of, and how it becomes a page, Markdown or JSON; knows no analysis."""

from simkit.reporting.document.files import FORMATS, as_text, format_of, write, write_figures
from simkit.reporting.document.page import render
from simkit.reporting.document.parts import Figure, Fold, Report, Section, Step, Story, Takeaway
from simkit.reporting.document.tables import Show, Table, table
