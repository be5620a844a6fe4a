"""How fair the game is along the options varied, which setting is nearest to fair, what else changes."""

from simkit.pages import Recipe

recipe = Recipe(
    "sweep report",
    "answer tally who advantage verdict_map nearest grid tornado what_changes next_steps cures seats",
    instead="no_sweep who seats",
)
