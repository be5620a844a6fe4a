"""What a report is made of, and how it becomes a page, Markdown or JSON; knows no analysis."""

from simkit.report.files import FORMATS, as_text, format_of, write, write_figures
from simkit.report.page import render
from simkit.report.parts import Figure, Fold, Report, Section, Step, Story, Takeaway
from simkit.report.tables import Show, Table, table
