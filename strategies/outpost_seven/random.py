"""The noise that every other player is measured against."""

from simkit.chance import below

from .player import player


@player(label="random")
def random(legal, rng):
    """Any legal action, each as likely as the others (O7-11.1)."""
    return legal[below(rng, legal.size)]
