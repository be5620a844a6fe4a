"""Strategies for Kuhn poker."""

from simkit.chance import uniform
from simkit.games.known.kuhn_poker import BET, JACK, KING, NOBODY, PASS, QUEEN, game
from simkit.jit import rule
from simkit.strategy import Weight, strategy


@strategy(game, alpha=Weight(0.2, 0.0, 1 / 3, "How often the first seat bluffs with the jack"))
def nash(view, rules, legal, w, rng, scratch, memo):
    """The equilibrium: seat 0 bets the jack with chance alpha, the king three times as often; seat 1 bluffs one jack in three."""
    card = view.card[view.seat]
    chance = (
        chance_to_bet(card, view.seat, w.alpha)
        if view.bettor == NOBODY
        else chance_to_call(card, view.seat, w.alpha)
    )
    return BET if uniform(rng) < chance else PASS


@rule
def chance_to_bet(card, seat, alpha):
    """How often to bet: a bluff or a king, never the queen."""
    bluff = alpha if seat == 0 else 1 / 3
    if card == JACK:
        return bluff
    return 3 * bluff if card == KING else 0.0


@rule
def chance_to_call(card, seat, alpha):
    """How often to call: always the king, never the jack, the queen often enough that a bluff does not pay."""
    if card == QUEEN:
        return alpha + 1 / 3 if seat == 0 else 1 / 3
    return 1.0 if card == KING else 0.0
