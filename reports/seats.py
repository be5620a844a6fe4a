"""The page of the order of play: gains and losses by seat, for 2 to 10 players."""

from dataclasses import replace

from .balance import recipe as balance
from .sections.next_steps import next_steps
from .sections.seats_by_size import seats_by_size

recipe = replace(balance, title="the order of play", brief=[seats_by_size, next_steps])
