"""The sweep page: fairness along the options varied, the setting nearest to fair, and how it feels."""

from simkit.reporting.pages import Recipe, axes

recipe = Recipe(
    "sweep report",
    """
    answer next_steps
    All settings: verdict_map advantage grid best_choices seats cures
    What else changes: changes tornado
    Length: length load
    Tension: drama yardsticks
    Skill and luck: beginners luck kingmaking skill
    How games end: endings scores contributions
    What goes with winning: pieces components crew
    Games worth a look: stories
    Verdicts and players: verdicts stopping who
    """,
    needs="an option that varies (simkit sweep)",
    fits=lambda findings: bool(axes(findings.run)),
)
