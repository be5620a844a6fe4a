"""A strategy for the rope bridge, whose chances are known exactly."""

from simkit.games.known.rope_bridge import RUN, game
from simkit.strategy import strategy


@strategy(game)
def runner(view):
    """Run in every turn: two planks or none as a fair coin says."""
    return RUN
