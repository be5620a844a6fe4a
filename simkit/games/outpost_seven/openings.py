"""Outpost Seven: ways to choose the starting hand, to be crossed with any strategy (O7-15)."""

from enum import IntEnum

import numpy as np

from simkit.chance import below
from simkit.games.outpost_seven.cardmath import COUNT
from simkit.games.outpost_seven.facts import MAX_DEALT
from simkit.games.outpost_seven.oneply import CUBES, best_of
from simkit.games.outpost_seven.repair import cubes_paid, may_pay
from simkit.games.outpost_seven.turns import salvage_limit
from simkit.games.outpost_seven.whatif import (
    board_value,
    colours_in,
    pairs_in,
    pairs_of,
    try_repair,
    value_in,
)
from simkit.jit import lowest_bit, rule


class Hand(IntEnum):
    """Starting-hand policies (O7-15)."""

    own = 0
    most_cards = 1
    fewest_cards = 2
    most_pairs = 3
    best_opening = 4
    with_offer = 5
    uniform = 6


@rule(allocates=True)
def choose_hand(view, rules, legal, policy, rng, copy):
    """The starting hand that the policy likes best, ties at random."""
    if policy == Hand.uniform:
        return legal[below(rng, legal.size)]
    gains = np.empty((MAX_DEALT, CUBES))
    if policy == Hand.best_opening:
        weigh_openings(view, rules, copy, gains)
    scores = np.empty(legal.size)
    for i in range(legal.size):
        if policy == Hand.most_cards:
            scores[i] = COUNT[legal[i]]
        elif policy == Hand.fewest_cards:
            scores[i] = -COUNT[legal[i]]
        elif policy == Hand.most_pairs:
            scores[i] = pairs_in(rules, view.dealt[view.seat], np.int64(view.dealt_n[view.seat]), legal[i])
        elif policy == Hand.best_opening:
            scores[i] = opening_gain(view, rules, legal[i], gains)
        else:
            scores[i] = pairs_with_offer(view, rules, legal[i])
    return best_of(legal, scores, rng)


@rule
def weigh_openings(view, rules, copy, gains):
    """What each dealt card gains at best as the first module, by the cubes on it: gains[slot, cubes]."""
    seat = np.int64(view.seat)
    before = board_value(view, rules, seat, 10, 4)
    for slot in range(np.int64(view.dealt_n[seat])):
        card = np.int64(view.dealt[seat, slot])
        for n in range(np.int64(rules.value[card]) + 1):
            best = -1_000_000
            left = np.int64(rules.first_cells)
            while left != 0:
                try_repair(view, rules, copy, card, n, lowest_bit(left))
                left &= left - 1
                best = max(best, board_value(copy, rules, seat, 10, 4) - before)
            gains[slot, n] = best


@rule
def opening_gain(view, rules, mask, gains):
    """Gain in E of the best first repair from the kept cards alone; 0 without a repair."""
    dealt, size = view.dealt[view.seat], np.int64(view.dealt_n[view.seat])
    best, found = 0.0, False
    for module in range(size):
        for scrap in range(size):
            if module == scrap or not (
                mask >> module & 1 and mask >> scrap & 1 and may_pay(rules, dealt[module], dealt[scrap])
            ):
                continue
            gain = gains[module, cubes_paid(rules, dealt[module], dealt[scrap])]
            best = max(best, gain) if found else gain
            found = True
    return best


@rule
def pairs_with_offer(view, rules, mask):
    """Most pairs of one colour in the kept cards and one salvage of the present offer."""
    seat = np.int64(view.seat)
    blue, green, purple = colours_in(rules, view.dealt[seat], np.int64(view.dealt_n[seat]), mask)
    limit = salvage_limit(view, rules) if seat == view.first else np.int64(rules.salvage_limit)
    best = pairs_of(blue, green, purple)
    for taken in range(1, 1 << np.int64(view.offer_n)):
        if (
            COUNT[mask] + COUNT[taken] > rules.hand_limit
            or value_in(rules, view.offer, np.int64(view.offer_n), taken) > limit
        ):
            continue
        more_blue, more_green, more_purple = colours_in(rules, view.offer, np.int64(view.offer_n), taken)
        best = max(best, pairs_of(blue + more_blue, green + more_green, purple + more_purple))
    return best
