"""What other rules change: rule sets against the baseline on the same deals."""

from simkit.pages import Recipe

recipe = Recipe(
    "comparison of rules",
    """changes who team_changes seats_change verdicts next_steps score_changes length_changes draw_changes
    column_changes gain seats""",
    instead="no_comparison who seats",
)
