"""The tune page: whether tuned weights win more on fresh deals."""

from simkit.reporting.pages import Recipe

from .sections.seats import seats
from .sections.tune_answer import tune_answer
from .sections.who import who

recipe = Recipe(
    "tuned weights",
    brief=[tune_answer],
    chapters={"Players": [who, seats]},
    needs="a search of simkit tune",
    fits=lambda findings: findings.run.kind == "tune",
)
