"""How strong each strategy is, who beats whom, which ones matter, how much is skill."""

from simkit.pages import Recipe

sections = "who strength ranking ratings matchups landscape ladder mirrors seats"
recipe = Recipe("strategies report", sections, instead="no_strategies who seats")
