"""Building blocks of report sections: tables and figures by column names, labels, scope."""

from simkit.analysis import Axis, Findings, axes
from simkit.reporting import charts
from simkit.reporting.document import Figure, Section, Show, Step, Story, Table, Takeaway, with_extremes
from simkit.reporting.pages.columns import points, table
from simkit.reporting.pages.frame import Chapters, Recipe
from simkit.reporting.pages.pictures import figure
from simkit.reporting.pages.scope import at_setting, first_cell, here, looked_at, margin, where
from simkit.reporting.pages.takeaways import as_takeaways, query, takeaways_of
from simkit.reporting.text.labels import Labels, labels_of
from simkit.reporting.text.phrases import prose
