"""The sweep page: fairness along the options varied, the setting nearest to fair, and how it feels."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "sweep report",
    """
    answer feel next_steps playtest
    All settings: verdict_map grid advantage best_choices cures seats
    Which option matters: tornado
    What else changes: what_changes
    Who played: who skill luck
    How it feels: yardsticks beginners drama length load kingmaking endings scores contributions
    What goes with winning: pieces components crew
    Games worth a look: stories
    How sure: confirmed verdicts stopping
    """,
    instead="""no_sweep
    Who played: who luck seats""",
)
