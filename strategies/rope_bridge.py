"""A strategy for the rope bridge, whose probabilities are known exactly."""

from simkit.engine.strategy import strategy
from simkit.games.reference.rope_bridge import RUN, game


@strategy(game)
def runner(view):
    """Run in every turn: two planks or none as a fair coin says."""
    return RUN
