"""How fair the game is along the options varied, which setting is nearest to fair, what else changes."""

from simkit.pages import Recipe

recipe = Recipe(
    "sweep report",
    """
    answer feel next_steps playtest
    All settings: verdict_map grid advantage nearest cures
    Which option matters: tornado
    What else changes: what_changes
    Who played: who seats
    """,
    instead="""no_sweep
    Who played: who seats""",
)
