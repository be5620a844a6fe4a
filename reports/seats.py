"""The page of the order of play: gains and losses by seat, for 2 to 10 players."""

from reports import balance
from simkit.reporting.pages import Recipe

folds = balance.recipe.sections.strip().partition("\n")[2].replace(": advantage ", ": cases ")
recipe = Recipe("the order of play", f"seats_by_size next_steps\n{folds}", of_team=balance.recipe.sections)
