"""Decorator of every player of Red Outpost: the weight `cards`, a special-card policy (RO-15)."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.engine.rng import keyed
from simkit.engine.strategy import NamedChoice, Strategy, Weight, any_of, strategy, take_all_arguments
from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import Decision

from .values import GREEDY

Cards = IntEnum("Cards", "listed uniform first", start=0)
CARDS = NamedChoice(Cards.listed, "Which special card is kept: the best of a list, any, the lowest number")
PREFERENCE = np.array(GREEDY["card_preference"])  # best first (RO-12.2)


def player(
    label: str = "", plays_out: bool = False, **weights: Weight | NamedChoice
) -> Callable[[Callable[..., Any]], Strategy]:
    """Make a strategy of this game with its own weights and `cards`, which crosses it with a card policy."""

    def wrap(decide: Callable[..., Any]) -> Strategy:
        own = rule(take_all_arguments(decide, allocates=False))

        def with_cards(view, rules, legal, w, rng, scratch, memo, work):
            if view.decision == Decision.card_keep:
                return keep_card(view, legal, w.cards, rng)
            return own(view, rules, legal, w, rng, scratch, memo, work)

        with_cards.__name__, with_cards.__doc__ = decide.__name__, decide.__doc__
        declare = strategy(game, label=label, allocates=False, plays_out=plays_out, **weights, cards=CARDS)
        return declare(with_cards)

    return wrap


@rule
def keep_card(view, legal, policy, rng):
    """Return the dealt card that the policy keeps."""
    if policy == Cards.uniform:
        return any_of(legal, keyed(rng, view.keep_kind, view.decision))
    if policy == Cards.listed:
        for card in PREFERENCE:
            for i in range(legal.size):
                if legal[i] == card - 1:
                    return legal[i]
    return legal[0]
