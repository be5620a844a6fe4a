"""What a section of a page is written with: tables and figures by the names of columns, labels."""

from simkit import charts as charts
from simkit.analysis import Axis as Axis
from simkit.analysis import Findings as Findings
from simkit.analysis import axes as axes
from simkit.pages.columns import points as points
from simkit.pages.columns import table as table
from simkit.pages.commands import query as query
from simkit.pages.commands import told as told
from simkit.pages.frame import Recipe as Recipe
from simkit.pages.pictures import figure as figure
from simkit.pages.scope import at_setting as at_setting
from simkit.pages.scope import first_cell as first_cell
from simkit.pages.scope import here as here
from simkit.pages.scope import looked_at as looked_at
from simkit.pages.scope import margin as margin
from simkit.pages.scope import where as where
from simkit.report import Figure as Figure
from simkit.report import Section as Section
from simkit.report import Show as Show
from simkit.report import Story as Story
from simkit.report import Table as Table
from simkit.report import Takeaway as Takeaway
from simkit.words.labels import Labels as Labels
from simkit.words.labels import labels_of as labels_of
from simkit.words.phrases import prose as prose
