# What a page imports: `from simkit.page import Recipe, Section, table`.

from . import charts as charts
from .columns import points as points
from .columns import table as table
from .document.parts import Figure as Figure
from .document.parts import Section as Section
from .document.parts import Step as Step
from .document.parts import Story as Story
from .document.parts import Takeaway as Takeaway
from .document.tables import Show as Show
from .document.tables import Table as Table
from .document.tables import with_extremes as with_extremes
from .pictures import as_takeaways as as_takeaways
from .pictures import at_setting as at_setting
from .pictures import figure as figure
from .pictures import first_cell as first_cell
from .pictures import here as here
from .pictures import looked_at as looked_at
from .pictures import margin as margin
from .pictures import takeaways_of as takeaways_of
from .pictures import where as where
from .recipe import Chapters as Chapters
from .recipe import Recipe as Recipe
from .words.labels import Labels as Labels
from .words.labels import labels_of as labels_of
from .words.numbers import prose as prose
