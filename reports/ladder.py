"""The page of a ladder: how the answers change as players get better."""

from simkit.reporting.pages import Recipe

from .sections.components import components
from .sections.ladder_answer import ladder_answer
from .sections.length import length
from .sections.luck import luck
from .sections.rungs import rungs
from .sections.seats import seats
from .sections.who import who

recipe = Recipe(
    "how the answers change with skill",
    brief=[ladder_answer],
    chapters={
        "Rung by rung": [rungs],
        "The highest rung": [seats, length, components],
        "Players": [who, luck],
    },
    needs="a run of simkit ladder",
    fits=lambda findings: findings.run.kind == "ladder",
)
