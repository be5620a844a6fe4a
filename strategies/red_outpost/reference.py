"""The reference player of Red Outpost (RO-12.2)."""

from simkit.engine.compile.jit import rule

from .oneply import one_ply
from .player import player

decides = rule(one_ply())


@player(label="reference player")
def reference_greedy(view, rules, legal, w, scratch, work):
    """Take what lifts the own projected worth most above the others' now (RO-12.2)."""
    return decides(view, rules, legal, w, scratch, work)
