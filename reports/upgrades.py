"""What each upgrade is worth: prices and owners in front, the rest of the balance page below."""

from reports import balance
from simkit.reporting.pages import Recipe

below = balance.recipe.sections.strip().partition("\n")[2]
recipe = Recipe(
    "upgrades report", f"\n    Prices and owners: upgrades\n    worth feel next_steps playtest\n{below}"
)
