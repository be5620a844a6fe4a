"""How strong each strategy is, who beats whom, which ones matter, how much is skill."""

from simkit.pages import Recipe

recipe = Recipe(
    "strategies report",
    "who strength ranking ratings matchups landscape ladder mirrors seats",
    instead="no_strategies who seats",
)
