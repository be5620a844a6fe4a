"""Strategies for Kuhn poker."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import keyed, uniform_of
from simkit.engine.strategy import Weight, strategy
from simkit.games.reference.kuhn_poker import BET, JACK, KING, NOBODY, PASS, QUEEN, game

ALPHA = Weight(0.2, 0.0, 1 / 3, "How often the first seat bluffs with the jack")


@strategy(game, label="equilibrium", alpha=ALPHA)
def nash(view, w, rng):
    """The equilibrium: the first seat bluffs with chance alpha and bets the king three times as often."""
    card, open_ = view.card[view.seat], view.bettor == NOBODY
    bets, calls = chance_to_bet(card, view.seat, w.alpha), chance_to_call(card, view.seat, w.alpha)
    return BET if uniform_of(keyed(rng, 0, open_), BET) < (bets if open_ else calls) else PASS


BLUFF = Weight(0.0, 0.0, 1.0, "How often the jack bets")
CALL = Weight(1.0, 0.0, 1.0, "How often the queen calls")
VALUE = Weight(1.0, 0.0, 1.0, "How often the first seat bets the king rather than wait for a bet to call")


@strategy(game, label="by chances", bluff=BLUFF, call=CALL, king=VALUE)
def chances(view, w, rng):
    """Any sensible way to play, by three chances; where each is 0 or 1 one of the ways that mixes are of."""
    card, open_ = view.card[view.seat], view.bettor == NOBODY
    drawn = uniform_of(keyed(rng, 0, open_), BET)
    if card == JACK:
        return BET if open_ and drawn < w.bluff else PASS
    if card == QUEEN:
        return BET if not open_ and drawn < w.call else PASS
    waits = open_ and view.seat == 0 and drawn >= w.king
    return PASS if waits else BET


@rule
def chance_to_bet(card, seat, alpha):
    """Return the probability of a bet: for a bluff or a king, never for the queen."""
    bluff = alpha if seat == 0 else 1 / 3
    if card == JACK:
        return bluff
    return 3 * bluff if card == KING else 0.0


@rule
def chance_to_call(card, seat, alpha):
    """Return the probability of a call: king always, jack never, queen enough that no bluff pays."""
    if card == QUEEN:
        return alpha + 1 / 3 if seat == 0 else 1 / 3
    return 1.0 if card == KING else 0.0
