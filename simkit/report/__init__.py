"""What a report is made of, and how it becomes a page, Markdown or JSON; knows no analysis."""

from simkit.report.files import FORMATS as FORMATS
from simkit.report.files import as_text as as_text
from simkit.report.files import format_of as format_of
from simkit.report.files import write as write
from simkit.report.files import write_figures as write_figures
from simkit.report.page import render as render
from simkit.report.parts import Figure as Figure
from simkit.report.parts import Report as Report
from simkit.report.parts import Section as Section
from simkit.report.parts import Story as Story
from simkit.report.parts import Takeaway as Takeaway
from simkit.report.tables import Show as Show
from simkit.report.tables import Table as Table
from simkit.report.tables import table as table
