"""The design page: the settings that meet several wishes, checked on fresh deals."""

from simkit.reporting.pages import Recipe

from .sections.changes import changes
from .sections.design_answer import design_answer
from .sections.seats import seats
from .sections.who import who

recipe = Recipe(
    "rules that meet wishes",
    brief=[design_answer],
    chapters={"The rules checked against the printed ones": [changes], "Who won": [seats], "Players": [who]},
    needs="a search of simkit design",
    fits=lambda findings: findings.run.kind == "design",
)
