"""The effects page: game length and wins along the options varied, above the rest of the sweep page."""

from simkit.reporting.pages import Recipe

from . import sweep

brief = """effects next_steps
    What else changes: changes
    Deal by deal: deal_by_deal
"""
chapters = sweep.recipe.sections.strip().partition("\n")[2]
recipe = Recipe(
    "what the options change",
    brief + chapters.replace("What else changes: tornado changes", "Which option matters: tornado"),
    needs=sweep.recipe.needs,
    fits=sweep.recipe.fits,
)
