"""What a section of a page is written with: tables and figures of findings by the names of their columns."""

from simkit.pages.columns import table as table
from simkit.pages.commands import query as query
from simkit.pages.frame import Recipe as Recipe
from simkit.pages.pictures import figure as figure
from simkit.report import Section as Section
