"""A player of Red Outpost that values moods more the later it is in the round (RO-15.8)."""

import numpy as np

from simkit.engine.compile.jit import rule

from .oneply import one_ply
from .player import player
from .values import Measure, bonus, goods, leads

PARTS = 20  # V is computed in twentieths, so that it stays whole
PROGRESS = np.array([10, 12, 14, 17, 20])  # g: weight of moods from Morning to Evening, in twentieths


@rule
def timed_goods(s, rules, seat, mind, w):
    """Return the goods in twentieths."""
    return PARTS * goods(s, rules, seat, mind, w)


@rule
def timed_share(s, own, rival):
    """Return what a point of a mood counts in this phase, in twentieths."""
    return PROGRESS[s.phase] * leads(s, own, rival)


@rule
def timed_bonus(view, rules, worker, location, mind, w):
    """Return the bonus in twentieths."""
    return PARTS * bonus(view, rules, worker, location, mind, w)


TIMED = Measure(goods=timed_goods, share=timed_share, bonus=timed_bonus)
decides = rule(one_ply(TIMED))


@player(label="timed greedy")
def timed_greedy(view, rules, legal, w, scratch, work):
    """The reference player, but moods count less early in the round (RO-15.8)."""
    return decides(view, rules, legal, w, scratch, work)
