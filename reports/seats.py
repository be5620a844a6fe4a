"""The page of the order of play: gains and losses by seat, for 2 to 10 players."""

from .balance import recipe as balance

recipe = balance.with_brief("the order of play", "seats_by_size next_steps", of_team=balance.of_team)
