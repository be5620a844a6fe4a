"""The page of restricted play: the worth of a thing to a player without it, above the comparison page."""

from dataclasses import replace

from .compare import recipe as compare
from .sections.next_steps import next_steps
from .sections.restricted import restricted_play

recipe = replace(compare, title="restricted play", brief=[restricted_play, next_steps], of_team={})
