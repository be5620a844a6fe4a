"""The page of restricted play: the worth of a thing to a player without it, above the comparison page."""

from .compare import recipe as compare

recipe = compare.with_brief("restricted play", "restricted next_steps")
