"""The two players against which all others are measured: random play, and the reference player."""

from simkit.engine.rng import below

from .oneply import one_ply
from .player import player


@player(label="random")
def random(legal, rng):
    """Any legal action, each as likely as the others (O7-11.1)."""
    return legal[below(rng, legal.size)]


@player(label="greedy, one action ahead")
@one_ply()
def reference_greedy():
    """Take what gains most now: votes and margins by population, else cards (O7-11.2)."""
