"""The page of a ladder: how the answers change as players get better."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "how the answers change with skill",
    """
    ladder_answer
    Rung by rung: rungs
    The highest rung: seats length components
    Players: who luck
    """,
    needs="a run of simkit ladder",
    fits=lambda findings: findings.run.kind == "ladder",
)
