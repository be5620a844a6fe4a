"""Strategies for Outpost Seven (O7-11, O7-15).

Most are one-ply players: score every legal action, take the best, break ties at random. They differ in what a repair,
a salvage and a starting hand are worth to them. Every strategy has the weight `hand`: a policy for the starting hand.
"""

from collections.abc import Callable
from typing import Any

from simkit.chance import below
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.cardmath import COUNT
from simkit.games.outpost_seven.facts import NO_CARD, NOBODY, PAIR, REMOVE, PLACE, POP, Phase
from simkit.games.outpost_seven.lookahead import look_ahead
from simkit.games.outpost_seven.oneply import NEVER, best_of, one_ply, plain_answer
from simkit.games.outpost_seven.openings import Hand, choose_hand
from simkit.games.outpost_seven.whatif import board_value, margin_of, pair_cubes, pairs_gained, pairs_in, sign_of
from simkit.jit import lowest_bit, rule
from simkit.strategy import NamedChoice, Strategy, Weight, strategy

import numpy as np

HAND = NamedChoice(Hand.own, "How the starting hand is chosen; own = the strategy's own choice")
CARD = Weight(60, 0, 1000, "Worth of a card taken, in points of E")
PAIR_WEIGHT = Weight(2, 0, 1000, "Worth of a same-colour pair, in points of E")


def player(**weights: Weight | NamedChoice) -> Callable[[Callable[..., Any]], Strategy]:
    """A strategy of this game: its own weights, and `hand`, which crosses it with a starting-hand policy."""

    def wrap(decide: Callable[..., Any]) -> Strategy:
        own = rule(decide)

        def with_hand(view, rules, legal, w, rng, scratch, memo):
            if view.phase == Phase.keep and w.hand != Hand.own:
                return choose_hand(view, rules, legal, w.hand, rng, scratch[0])
            return own(view, rules, legal, w, rng, scratch, memo)

        with_hand.__name__, with_hand.__doc__ = decide.__name__, decide.__doc__
        return strategy(game, **weights, hand=HAND)(with_hand)

    return wrap


# What several players share: E before the repair as all they have in mind, and cards and pairs as the greedy player counts them.


@rule
def pairs_taken(view, rules, mask):
    """Same-colour pairs that a salvage adds to the own hand."""
    return pairs_gained(view, rules, view.hand[view.seat], int(view.hand_n[view.seat]), mask)


@rule
def pairs_kept(view, rules, mask):
    """Same-colour pairs among the dealt cards of the mask."""
    return pairs_in(rules, view.dealt[view.seat], int(view.dealt_n[view.seat]), mask)


@rule
def e_now(view, rules, w):
    return board_value(view, rules, np.int64(view.seat), 10, 4)


@rule
def e_gain(view, after, rules, mind, w):
    """E after the repair minus E before (O7-11.2)."""
    return board_value(after, rules, np.int64(view.seat), 10, 4) - mind


@rule
def cards_and_pairs(view, rules, mask, mind, w):
    """60 for a card taken, 2 for a same-colour pair gained (O7-11.2)."""
    return 60 * COUNT[mask] + 2 * pairs_taken(view, rules, mask)


@rule
def kept_cards_and_pairs(view, rules, mask, mind, w):
    """60 for a card kept, 2 for a same-colour pair (O7-11.2)."""
    return 60 * COUNT[mask] + 2 * pairs_kept(view, rules, mask)


@player()
def random(view, rules, legal, w, rng, scratch, memo):
    """Uniform over the legal actions (O7-11.1)."""
    return legal[below(rng, legal.size)]


reference = one_ply(e_now, e_gain, cards_and_pairs, kept_cards_and_pairs)


@player()
def reference_greedy(view, rules, legal, w, rng, scratch, memo):
    """Take what gains most now: votes and margins by population, else cards (O7-11.2)."""
    return reference(view, rules, legal, w, rng, scratch)


# greedy


@rule
def cautious_value(s, rules, w):
    """E with named numbers; lines held by a lead of at most one cube count less by `caution`."""
    seat = np.int64(s.seat)
    total = 0.0
    for line in range(rules.lines):
        lead, sign = margin_of(s, seat, line), sign_of(s, seat, line)
        held = w.sign * sign * (1.0 - w.caution if sign > 0 and lead <= 1 else 1.0)
        total += int(s.pop[line]) * (held + min(max(lead, -w.margin_cap), w.margin_cap))
    return total


@rule
def cautious_gain(view, after, rules, mind, w):
    return cautious_value(after, rules, w) - mind


@rule
def weighted_take(view, rules, mask, mind, w):
    return w.card * COUNT[mask] + w.pair * pairs_taken(view, rules, mask)


@rule
def weighted_keep(view, rules, mask, mind, w):
    return w.card * COUNT[mask] + w.pair * pairs_kept(view, rules, mask)


weighted_greedy = one_ply(cautious_value, cautious_gain, weighted_take, weighted_keep)
