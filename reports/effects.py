"""The effects page: game length and wins along the options varied, above the rest of the sweep page."""

from dataclasses import replace

from .sections.changes import changes
from .sections.deal_by_deal import deal_by_deal
from .sections.effects import effects
from .sections.next_steps import next_steps
from .sections.tornado import tornado
from .sweep import OF_GAMES, OF_SETTINGS
from .sweep import recipe as sweep

recipe = replace(
    sweep,
    title="what the options change",
    brief=[effects, next_steps],
    chapters={
        "What else changes": [changes],
        "Deal by deal": [deal_by_deal],
        **OF_SETTINGS,
        "Which option matters": [tornado],
        **OF_GAMES,
    },
    of_team={},
)
