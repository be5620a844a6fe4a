"""The upgrades page: prices and owners of upgrades, above the rest of the balance page."""

from simkit.reporting.pages import Recipe

from . import balance

chapters = balance.recipe.sections.strip().partition("\n")[2]
recipe = Recipe("upgrades report", f"worth next_steps\n    Prices and owners: upgrades\n{chapters}")
