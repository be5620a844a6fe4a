"""Outpost Seven: what a repair would do, and what a position or a set of cards is worth: tools for strategies (O7-11, O7-15)."""

import numpy as np

from simkit.games.outpost_seven.bonuses import choose_bonus, use_bonuses
from simkit.games.outpost_seven.facts import BONUS_AT, BONUS_REMOVE, NOBODY, REMOVE, BonusOrigin
from simkit.games.outpost_seven.play import start_repair
from simkit.games.outpost_seven.repair import cubes_paid
from simkit.games.outpost_seven.scoring import check_votes
from simkit.jit import clone, lowest_bit, rule


@rule
def try_repair(view, rules, copy, module, n, cell):
    """Carry out a whole repair on `copy`: cubes, bonuses (REMOVE first where the order is free), votes (O7-11.2).

    The hands stay as they are: the effect on the board depends only on the module, the number of cubes and the cell.
    """
    clone(copy, view)
    seat = np.int64(view.seat)  # int64 everywhere: int() keeps the width, and every width is compiled anew
    start_repair(copy, rules, seat, np.int64(module), np.int64(n), np.int64(cell))
    while use_bonuses(copy, rules, seat):
        choose_bonus(copy, rules, removal_first(copy, rules))
    check_votes(copy, rules)


@rule
def removal_first(s, rules):
    """The reference answer to BONUS: REMOVE; of individual bonuses the lowest REMOVE, else the lowest (O7-11.2)."""
    if rules.bonus_origin == BonusOrigin.played:
        return BONUS_REMOVE
    lowest = -1
    left = int(s.pending_cells)
    while left != 0:
        cell = lowest_bit(left)
        left &= left - 1
        for space in range(6):
            if int(s.pending[cell]) >> space & 1:
                if rules.bonus[s.grid_card[cell], space] == REMOVE:
                    return BONUS_AT + 6 * cell + space
                if lowest < 0:
                    lowest = BONUS_AT + 6 * cell + space
    return lowest


@rule
def sign_of(s, seat, line):
    """+1 if the line's token shows the seat, -1 if the opponent, 0 if nobody."""
    if s.vote[line] == NOBODY:
        return 0
    return 1 if s.vote[line] == seat else -1


@rule
def margin_of(s, seat, line):
    """Own cubes minus opposing cubes in a line."""
    return int(s.cubes[seat, line]) - int(s.cubes[1 - seat, line])


@rule
def board_value(s, rules, seat, sign, cap):
    """E of O7-11.2 with its two numbers free: sum of population times (sign * vote + margin within +-cap)."""
    total = 0
    for line in range(rules.lines):
        margin = min(max(margin_of(s, seat, line), -cap), cap)
        total += int(s.pop[line]) * (sign * sign_of(s, seat, line) + margin)
    return total


@rule
def value_in(rules, cards, n, mask):
    """Total value of the first n cards that are in the mask."""
    total = 0
    for slot in range(n):
        total += (mask >> slot & 1) * int(rules.value[cards[slot]])
    return total


@rule
def colours_in(rules, cards, n, mask):
    """How many of the first n cards that are in the mask are blue, green, purple."""
    blue, green, purple = 0, 0, 0
    for slot in range(n):
        if mask >> slot & 1:
            colour = rules.colour[cards[slot]]
            blue += colour == 0
            green += colour == 1
            purple += colour == 2
    return blue, green, purple


@rule
def pairs_of(blue, green, purple):
    """Unordered pairs of one colour among so many cards of each."""
    return (blue * (blue - 1) + green * (green - 1) + purple * (purple - 1)) // 2


@rule
def pairs_in(rules, cards, n, mask):
    """Pairs of one colour among the first n cards that are in the mask."""
    blue, green, purple = colours_in(rules, cards, n, mask)
    return pairs_of(blue, green, purple)


@rule
def pairs_gained(view, rules, hand, n, mask):
    """Pairs of one colour that a salvage adds to a hand of n cards (O7-11.2)."""
    blue, green, purple = colours_in(rules, hand, n, (np.int64(1) << n) - 1)
    more_blue, more_green, more_purple = colours_in(rules, view.offer, np.int64(view.offer_n), mask)
    return pairs_of(blue + more_blue, green + more_green, purple + more_purple) - pairs_of(
        blue, green, purple
    )


@rule
def pair_cubes(view, rules, module_slot, scrap_slot):
    """Cubes that a pair of hand slots pays for."""
    hand = view.hand[view.seat]
    return np.int64(cubes_paid(rules, np.int64(hand[module_slot]), np.int64(hand[scrap_slot])))
