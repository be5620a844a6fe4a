"""The tune page: whether tuned weights win more on fresh deals."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "tuned weights",
    """
    tune_answer
    Players: who seats""",
    needs="a search of simkit tune",
    fits=lambda findings: findings.run.kind == "tune",
)
