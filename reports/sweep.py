"""How fair the game is along the options varied, which setting is nearest to fair, what else changes."""

from simkit.pages import Recipe

sections = "answer tally who advantage verdict_map nearest grid tornado what_changes next_steps cures seats"
recipe = Recipe("sweep report", sections, instead="no_sweep who seats")
