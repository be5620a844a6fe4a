"""The upgrades page: prices and owners of upgrades, above the rest of the balance page."""

from reports import balance
from simkit.reporting.pages import Recipe

folds = balance.recipe.sections.strip().partition("\n")[2]
recipe = Recipe("upgrades report", f"\n    Prices and owners: upgrades\n    worth next_steps\n{folds}")
