"""What components do: each was changed by a coin of its own. What goes with winning stands below it."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "what its components do",
    """
    ablation_answer
    What each component does: ablation_effects
    What goes with winning: ablation_owners
    Who played: who seats length
    """,
    instead="""no_ablation
    Who played: who seats""",
)
