"""Decorator of every player of Outpost Seven: the weight `hand`, a starting-hand policy (O7-15)."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import (
    NamedChoice,
    Strategy,
    Weight,
    any_of,
    best_of,
    strategy,
    take_all_arguments,
)
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.cards import COUNT
from simkit.games.outpost_seven.facts import Decision
from simkit.games.outpost_seven.repair import cubes_paid, may_pay
from simkit.games.outpost_seven.salvage import salvage_limit

from .oneply import BY_E, key_of
from .whatif import OWN, colours_in, held_by, pairs_added, pairs_of, value_in

prepare, weigh = BY_E
Hand = IntEnum("Hand", "own most_cards fewest_cards most_pairs best_opening with_offer uniform", start=0)
HAND = NamedChoice(Hand.own, "How the hand is chosen; own = the strategy's own choice", label="starting hand")


def player(
    label: str = "", allocates: bool = False, **weights: Weight | NamedChoice
) -> Callable[[Callable[..., Any]], Strategy]:
    """Make a strategy of this game with its own weights and `hand`, which crosses it with a hand policy."""

    def wrap(decide: Callable[..., Any]) -> Strategy:
        own = rule(take_all_arguments(decide, allocates=allocates), allocates=allocates)

        def with_hand(view, rules, legal, w, rng, scratch, memo, work):
            if view.decision == Decision.keep and w.hand != Hand.own:
                return choose_hand(view, rules, legal, w.hand, rng, scratch[0], OWN(work))
            return own(view, rules, legal, w, rng, scratch, memo, work)

        with_hand.__name__, with_hand.__doc__ = decide.__name__, decide.__doc__
        own_hand = ("hand", decide)
        decorate = strategy(game, label=label, allocates=allocates, at_default=own_hand, **weights, hand=HAND)
        return decorate(with_hand)

    return wrap


@rule
def choose_hand(view, rules, legal, policy, rng, copy, own):
    """Return the starting hand that the policy rates highest, ties at random."""
    if policy == Hand.uniform:
        return any_of(legal, key_of(view, rng))
    if policy == Hand.best_opening:
        weigh_openings(view, rules, copy, own)
    scores = own.scores
    for i in range(legal.size):
        if policy == Hand.most_cards:
            scores[i] = COUNT[legal[i]]
        elif policy == Hand.fewest_cards:
            scores[i] = -COUNT[legal[i]]
        elif policy == Hand.most_pairs:
            taken = colours_in(rules, view.dealt[view.seat], legal[i])
            scores[i] = pairs_added(held_by(view, rules), taken)
        elif policy == Hand.best_opening:
            scores[i] = opening_gain(view, rules, legal[i], own.gains)
        else:
            scores[i] = pairs_with_offer(view, rules, legal[i])
    return best_of(legal, scores, key_of(view, rng))


@rule
def weigh_openings(view, rules, copy, own):
    """Fill in the best gain of each dealt card as the first module, by its cubes: gains[slot, cubes]."""
    prepare(view, rules, 0, 0, own)
    for slot in range(view.dealt_n[view.seat]):
        card = view.dealt[view.seat, slot]
        for n in range(int(rules.value[card]) + 1):
            own.gains[slot, n] = weigh(view, rules, rules.first_cells, 0, 0, copy, card, n, own)


@rule
def opening_gain(view, rules, mask, gains):
    """Return the gain in E of the best first repair from the kept cards alone, 0 without a repair."""
    dealt = view.dealt[view.seat]
    best, has_repair = 0.0, False
    for module in range(view.dealt_n[view.seat]):
        for scrap in range(view.dealt_n[view.seat]):
            both_kept = mask >> module & mask >> scrap & 1
            if module == scrap or not both_kept or not may_pay(rules, dealt[module], dealt[scrap]):
                continue
            gain = gains[module, cubes_paid(rules, dealt[module], dealt[scrap])]
            best = max(best, gain) if has_repair else gain
            has_repair = True
    return best


@rule
def pairs_with_offer(view, rules, mask):
    """Return the most pairs of one colour in the kept cards and one salvage of the present offer."""
    kept_colours = colours_in(rules, view.dealt[view.seat], mask)
    limit = salvage_limit(view, rules) if view.seat == view.first else int(rules.salvage_limit)
    best = pairs_of(kept_colours)
    for taken in range(1, 1 << int(view.offer_n)):
        fits = COUNT[mask] + COUNT[taken] <= rules.hand_limit
        if fits and value_in(rules, view.offer[:], taken) <= limit:
            best = max(best, pairs_of(kept_colours + colours_in(rules, view.offer[:], taken)))
    return best
