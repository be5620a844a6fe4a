"""What other rules change: rule sets against the baseline on the same deals."""

from simkit.pages import Recipe

recipe = Recipe(
    "comparison of rules",
    """
    rule_sets next_steps
    All rule sets: rule_table
    Your own cards: cards_changed
    What else changes: changes length_changes score_changes draw_changes column_changes
    Deal by deal: seats_change team_changes
    Who played: who seats
    How sure: verdicts gain
    """,
    instead="""no_comparison
    Who played: who seats""",
)
