"""The effects page: game length and wins along the options varied, above the rest of the sweep page."""

from reports import sweep
from simkit.reporting.pages import Recipe

first_screen = """effects feel next_steps playtest
    What else changes: what_changes
    Deal by deal: team_changes
"""
folds = sweep.recipe.sections.strip().partition("\n")[2]
recipe = Recipe(
    "what the options change",
    first_screen + folds.replace("    What else changes: what_changes\n", ""),
    instead=sweep.recipe.instead,
)
