"""The screening page: the options that matter, alone, averaged over the others and together."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "which options matter",
    """
    screen_answer
    Dial by dial: screen_dials
    The strongest together, on fresh deals: screen_together screen_indices
    What was tried: screen_levels
    One step from the rulebook, on fresh deals: tornado changes
    Players: who
    """,
    needs="a run of simkit screen",
    fits=lambda findings: findings.run.kind == "screen",
)
