"""The fair-value page: the measured curve, the fair value with its interval, the check on fresh deals."""

from simkit.reporting.pages import Recipe

from .sections.fair_check import fair_check
from .sections.fair_looks import fair_looks
from .sections.fair_value import fair_value
from .sections.luck import luck
from .sections.who import who

recipe = Recipe(
    "what would be fair",
    brief=[fair_value],
    chapters={"On fresh deals": [fair_check], "What was measured": [fair_looks], "Players": [who, luck]},
    needs="a search of simkit fair",
    fits=lambda findings: findings.run.kind == "fair",
)
