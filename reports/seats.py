"""Who gains by the order of play, for each number of players: seats from 2 to 10."""

from reports import balance
from simkit.reporting.pages import Recipe

below = balance.recipe.sections.strip().partition("\n")[2].replace(": advantage ", ": cases ")
recipe = Recipe(
    "the order of play", f"seats_by_size feel next_steps playtest\n{below}", of_team=balance.recipe.sections
)
