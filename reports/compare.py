"""The comparison page: rule sets against the baseline on the same deals."""

from simkit.reporting.pages import Recipe

RULE_FOLDS = """
    rule_sets next_steps
    All rule sets: rule_table
    Your own cards: cards_changed
    What else changes: changes length_changes score_changes draw_changes column_changes
    Deal by deal: seats_change team_changes
    """
OTHER_FOLDS = """
    Who beats whom: matchups
    Who played: who luck seats
    How sure: confirmed verdicts gain
    """
recipe = Recipe(
    "comparison of rules",
    RULE_FOLDS + OTHER_FOLDS,
    of_team=f"{RULE_FOLDS}How it ends: endings{OTHER_FOLDS}",
    instead="""no_comparison
    Who played: who luck seats""",
)
