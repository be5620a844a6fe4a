"""The screening page: the options that matter, alone, averaged over the others and together."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "which options matter",
    """
    screen_answer
    Option by option: screen_dials
    One step from the rulebook, on fresh deals: tornado changes
    Players: who
    """,
    needs="a run of simkit screen",
    fits=lambda findings: findings.run.kind == "screen",
)
