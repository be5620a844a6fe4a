"""The ablation page: the effect of changing each component, and how it goes with winning."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "what its components do",
    """
    ablation_answer
    What each component does: ablation_effects
    Players: who seats length
    """,
    needs="a run of simkit ablate",
    fits=lambda findings: bool(findings.run.words.ablation),
)
