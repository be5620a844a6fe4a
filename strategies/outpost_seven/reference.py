"""The reference player: every design question is asked of it first."""

from .oneply import one_ply
from .player import player

gains_most = one_ply()


@player(label="greedy, one action ahead")
def reference_greedy(view, rules, legal, w, rng, scratch):
    """Take what gains most now: votes and margins by population, else cards (O7-11.2)."""
    return gains_most(view, rules, legal, w, rng, scratch)
