"""What a thing is worth to whom goes without it: restricted play, and the comparison of rules below."""

from reports import compare
from simkit.reporting.pages import Recipe

below = compare.recipe.sections.strip().partition("\n")[2]
recipe = Recipe(
    "restricted play",
    f"restricted next_steps\n    At every setting: restricted_all\n{below}",
    instead=compare.recipe.instead,
)
