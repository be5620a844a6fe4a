"""The screening page: the options that matter, alone, averaged over the others and together."""

from simkit.reporting.pages import Recipe

from .sections.changes import changes
from .sections.screen_answer import screen_answer
from .sections.screen_dials import screen_dials
from .sections.tornado import tornado
from .sections.who import who

recipe = Recipe(
    "which options matter",
    brief=[screen_answer],
    chapters={
        "Option by option": [screen_dials],
        "One step from the rulebook, on fresh deals": [tornado, changes],
        "Players": [who],
    },
    needs="a run of simkit screen",
    fits=lambda findings: findings.run.kind == "screen",
)
