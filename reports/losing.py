"""The page of a team's defeats: how games are lost, and which rules change that."""

from simkit.reporting.pages import Recipe

from . import compare

recipe = Recipe(
    "how it is lost",
    """
    lost next_steps
    How games end: endings
    Rule by rule: deal_by_deal
    What else changes: changes
    Players and certainty: verdicts luck who
    """,
    needs=compare.recipe.needs,
    fits=compare.recipe.fits,
)
