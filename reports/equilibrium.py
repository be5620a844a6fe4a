"""The equilibrium page: the first player's wins under best choices, the best mixes and every pairing."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "best choices report",
    """
    equilibrium
    Who is chosen: equilibrium_mixes
    Every pairing: equilibrium_matrix
    What the seats are worth: mirrors
    Players: who
    """,
    needs="a run of simkit equilibrium",
    fits=lambda findings: findings.equilibrium.width > 0,
)
