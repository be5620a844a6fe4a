"""How strong each strategy is, who beats whom, which ones matter, how much is skill."""

from simkit.pages import Recipe

sections = "who strength ranking ratings matchups landscape ladder mirrors seats"
of_team = "who strength team_strategies mixed_teams advantage"
recipe = Recipe("strategies report", sections, instead="no_strategies who seats", of_team=of_team)
