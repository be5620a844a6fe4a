"""The sweep page: fairness along the options varied, the setting nearest to fair, and how it feels."""

from simkit.reporting.pages import Recipe, axes

recipe = Recipe(
    "sweep report",
    """
    answer next_steps
    All settings: verdict_map grid advantage best_choices cures seats
    Which option matters: tornado
    What else changes: what_changes
    Who played: who skill luck
    How it feels: yardsticks beginners drama length load kingmaking endings scores contributions
    What goes with winning: pieces components crew
    Games worth a look: stories
    How sure: verdicts stopping
    """,
    needs="an option that varies (simkit sweep)",
    fits=lambda findings: bool(axes(findings.run)),
)
