"""The design page: the settings that meet several wishes, checked on fresh deals."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "rules that meet wishes",
    """
    design_answer
    The rules checked against the printed ones: changes
    Who won: seats
    Players: who
    """,
    needs="a search of simkit design",
    fits=lambda findings: findings.run.kind == "design",
)
