"""The page of a team's defeats: how games are lost, and which rules change that."""

from dataclasses import replace

from .compare import recipe as compare
from .sections.changes import changes
from .sections.deal_by_deal import deal_by_deal
from .sections.endings import endings
from .sections.lost import defeats
from .sections.luck import luck
from .sections.next_steps import next_steps
from .sections.verdicts import verdicts
from .sections.who import who

recipe = replace(
    compare,
    title="how it is lost",
    brief=[defeats, next_steps],
    chapters={
        "How games end": [endings],
        "Rule by rule": [deal_by_deal],
        "What else changes": [changes],
        "Players and certainty": [verdicts, luck, who],
    },
    of_team={},
)
