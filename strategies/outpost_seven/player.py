"""What every strategy of Outpost Seven has: the weight `hand`, a policy for the starting hand (O7-15)."""

from collections.abc import Callable
from typing import Any

from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.facts import Decision
from simkit.jit import rule
from simkit.strategy import NamedChoice, Strategy, Weight, strategy, takes_all

from .openings import Hand, choose_hand

HAND = NamedChoice(
    Hand.own, "How the starting hand is chosen; own = the strategy's own choice", label="starting hand"
)


def player(label: str = "", **weights: Weight | NamedChoice) -> Callable[[Callable[..., Any]], Strategy]:
    """A strategy of this game: its own weights, and `hand`, which crosses it with a starting-hand policy."""

    def wrap(decide: Callable[..., Any]) -> Strategy:
        own = rule(takes_all(decide), allocates=True)

        def with_hand(view, rules, legal, w, rng, scratch, memo):
            if view.decision == Decision.keep and w.hand != Hand.own:
                return choose_hand(view, rules, legal, w.hand, rng, scratch[0])
            return own(view, rules, legal, w, rng, scratch, memo)

        with_hand.__name__, with_hand.__doc__ = decide.__name__, decide.__doc__
        return strategy(game, label=label, **weights, hand=HAND)(with_hand)

    return wrap
