"""The upgrades page: prices and owners of upgrades, above the rest of the balance page."""

from dataclasses import replace

from .balance import recipe as balance
from .sections.next_steps import next_steps
from .sections.upgrades import upgrades
from .sections.worth import worth

recipe = replace(
    balance,
    title="upgrades report",
    brief=[worth, next_steps],
    chapters={"Prices and owners": [upgrades], **balance.chapters},
    of_team={},
)
