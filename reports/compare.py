"""What other rules change: rule sets against the baseline on the same deals."""

from simkit.pages import Recipe

recipe = Recipe(
    "comparison of rules",
    """
    changes next_steps
    What changes: team_changes seats_change score_changes length_changes draw_changes column_changes
    Who played: who seats
    How sure: verdicts gain
    """,
    instead="""no_comparison
    Who played: who seats""",
)
