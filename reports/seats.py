"""The page of the order of play: gains and losses by seat, for 2 to 10 players."""

from simkit.reporting.pages import Recipe

from . import balance

chapters = balance.recipe.sections.strip().partition("\n")[2]
recipe = Recipe("the order of play", f"seats_by_size next_steps\n{chapters}", of_team=balance.recipe.of_team)
