"""A player of Red Outpost that harms the strongest opponent (RO-15.6)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight
from simkit.games.red_outpost.facts import NOBODY, Decision

from .answers import shift_gaining, shifting
from .oneply import one_ply
from .player import player
from .timed import TIMED
from .values import Measure, valuing
from .whatif import LEAST

PERCENT = 100  # spite is counted in percent, so that M stays whole
plain_value = valuing(Measure())


@rule
def quarry(view, rules, w):
    """Return the opponent of the highest V, the lowest seat among equals, and the spite in percent."""
    rival, most = NOBODY, LEAST
    for seat in range(view.seats):
        if seat != view.seat:
            worth = plain_value(view, rules, seat, 0, w)
            if worth > most:
                rival, most = seat, worth
    return rival, int(PERCENT * w.spite + 0.5)


@rule
def own_and_rivals(s, seat, mind, w):
    """Return the weight of V of a seat: the own one for it, the rival's against it."""
    if seat == s.seat:
        return PERCENT - mind[1]
    return -mind[1] if seat == mind[0] else 0


@rule
def rivals_loss(s, seat, mind, w):
    """Return the weight of V of a seat when only the rival's loss counts."""
    return -1 if seat == mind[0] else 0


SABOTAGE = TIMED._replace(outlook=quarry, counts=own_and_rivals)
decides = rule(one_ply(SABOTAGE))
gain, harm = shift_gaining(SABOTAGE), shift_gaining(SABOTAGE._replace(counts=rivals_loss))


@rule
def harmful_gain(s, rules, seat, source, target, mind, w):
    """Return the gain of moving a disk of the rival, if it lowers the rival's V."""
    if seat != mind[0] or harm(s, rules, seat, source, target, mind, w) <= 0:
        return LEAST
    return gain(s, rules, seat, source, target, mind, w)


shifts, shift_target = shifting(harmful_gain, LEAST)


@player(
    spite=Weight(0.6, 0.0, 1.0, "Share of the rival's loss in what it strives for, the rest is its own gain")
)
def saboteur(view, rules, legal, w, scratch, work):
    """Strive for the loss of the strongest opponent as much as for its own gain (RO-15.6)."""
    if view.decision == Decision.admin_from:
        return shifts(view, rules, legal, quarry(view, rules, w), w, scratch[0])
    if view.decision == Decision.admin_to:
        return shift_target(view, rules, legal, quarry(view, rules, w), w, scratch[0])
    return decides(view, rules, legal, w, scratch, work)
