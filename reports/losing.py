"""The page of a team's defeats: how games are lost, and which rules change that."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "how it is lost",
    """
    lost feel next_steps
    How games end: endings
    Rule by rule: team_changes rule_table
    What else changes: changes length_changes score_changes draw_changes column_changes
    Who played: who luck
    How sure: verdicts gain
    """,
    instead="""no_comparison
    Who played: who luck seats""",
)
