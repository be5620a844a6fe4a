"""The page of restricted play: the worth of a thing to a player without it, above the comparison page."""

from simkit.reporting.pages import Recipe

from . import compare

chapters = compare.recipe.sections.strip().partition("\n")[2]
recipe = Recipe(
    "restricted play",
    f"restricted next_steps\n{chapters}",
    needs=compare.recipe.needs,
    fits=compare.recipe.fits,
)
