"""The fair-value page: the measured curve, the fair value with its interval, the check on fresh deals."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "what would be fair",
    """
    fair_value fair_next
    On fresh deals: fair_check fair_seats
    What was measured: fair_curves fair_looks
    Players: who luck
    """,
    needs="a search of simkit fair",
    fits=lambda findings: findings.run.kind == "fair",
)
