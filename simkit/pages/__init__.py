"""What a section of a page is written with: tables and figures by the names of columns, labels."""

from simkit import charts
from simkit.analysis import Axis, Findings, axes
from simkit.pages.columns import points, table, with_extremes
from simkit.pages.commands import query, told
from simkit.pages.frame import Recipe
from simkit.pages.pictures import figure
from simkit.pages.scope import at_setting, first_cell, here, looked_at, margin, where
from simkit.report import Figure, Section, Show, Story, Table, Takeaway
from simkit.words.labels import Labels, labels_of
from simkit.words.phrases import prose
