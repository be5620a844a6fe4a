"""The sweep page: fairness along the options varied, the setting nearest to fair, and how it feels."""

from simkit.reporting.pages import Recipe, axes

recipe = Recipe(
    "sweep report",
    """
    answer next_steps
    All settings: confirmed verdict_map verdicts best_choices seats cures
    Players: who skill
    What else changes: tornado changes
    Length: length load
    Tension: drama yardsticks endings scores
    Luck: beginners luck kingmaking
    What goes with winning: pieces components
    Games worth a look: stories
    """,
    needs="an option that varies (simkit sweep)",
    fits=lambda findings: bool(axes(findings.run)),
    of_team="""
    answer next_steps
    All settings: confirmed verdict_map verdicts
    Players: who
    What else changes: tornado changes
    Length: length load yardsticks
    How games end: endings scores beginners luck
    Who contributes: contributions
    Members and components: crew pieces components
    Games worth a look: stories
    """,
)
