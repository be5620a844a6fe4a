"""What each upgrade is worth: the balance page with prices and owners in front."""

from reports import balance
from simkit.pages import Recipe

recipe = Recipe("upgrades report", f"\n    Prices and owners: upgrades{balance.recipe.sections}")
