"""The fair-value page: the measured curve, the fair value with its interval, the check on fresh deals."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "what would be fair",
    """
    fair_value
    On fresh deals: fair_check
    What was measured: fair_looks
    Players: who luck
    """,
    needs="a search of simkit fair",
    fits=lambda findings: findings.run.kind == "fair",
)
