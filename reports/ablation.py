"""The ablation page: the effect of changing each component, and how it goes with winning."""

from simkit.reporting.pages import Recipe

from .sections.ablation_answer import ablation_answer
from .sections.ablation_effects import ablation_effects
from .sections.length import length
from .sections.seats import seats
from .sections.who import who

recipe = Recipe(
    "what its components do",
    brief=[ablation_answer],
    chapters={"What each component does": [ablation_effects], "Players": [who, seats, length]},
    needs="a run of simkit ablate",
    fits=lambda findings: bool(findings.run.words.ablation),
)
