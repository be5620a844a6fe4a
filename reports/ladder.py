"""The page of a ladder: how the answers change as players get better."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "how the answers change with skill",
    """
    ladder_answer
    Rung by rung: rungs rung_answers
    The highest rung: seats length feel components
    Who played: who luck
    """,
    instead="""no_ladder
    Who played: who seats""",
)
