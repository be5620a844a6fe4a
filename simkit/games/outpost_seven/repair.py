"""Outpost Seven: repairs: the pair, the cell, the cubes paid (O7-5)."""

import numpy as np

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import offer_set

from .bonuses import lay_cube
from .cards import discard, remove_at
from .facts import NONE, PAIR, REPAIR, Decision


@rule
def cubes_paid(rules, module, scrap):
    """Return the cubes for a module and its scrap, capped by the module's spaces (O7-5.5, O7-5.6)."""
    overpaid = int(rules.value[scrap]) - int(rules.value[module])
    n = int(rules.cubes_per_play) + int(rules.cubes_per_overpay) * overpaid
    if rules.colour[scrap] == rules.colour[module]:
        n += int(rules.cubes_same_colour)
    return min(n, int(rules.value[module]))


@rule
def may_pay(rules, module, scrap):
    """Return whether the scrap is worth the module (O7-5.1) and pays a cube where it must (O7-5.8)."""
    if rules.value[scrap] < rules.value[module]:
        return False
    return rules.allow_neutral_play or cubes_paid(rules, module, scrap) > 0


@rule
def has_pair(s, rules, seat):
    """Return whether the seat has a legal repair (O7-5.1 to O7-5.3, O7-5.8)."""
    if s.frontier == 0:
        return False
    hand, n = s.hand[seat], int(s.hand_n[seat])
    if rules.allow_neutral_play:
        return n >= 2
    for module in range(n):
        for scrap in range(n):
            if module != scrap and may_pay(rules, hand[module], hand[scrap]):
                return True
    return False


@rule
def legal_pairs(s, rules, out, n):
    """Write the repair pairs behind the n ids already there, ascending (O7-5.1)."""
    if s.frontier == 0:
        return n
    size = int(s.hand_n[s.seat])
    values = 0  # four bits a slot: without branches and look-ups random play is 8 % faster
    for slot in range(size):
        values |= int(rules.value[s.hand[s.seat, slot]]) << 4 * slot
    for module in range(size):
        least = values >> 4 * module & 15
        for scrap in range(size):
            out[n] = REPAIR.pack(module, scrap)
            n += np.int64(module != scrap) & np.int64(values >> 4 * scrap & 15 >= least)
    return n if rules.allow_neutral_play else without_neutral(s, rules, out, n)


@rule
def without_neutral(s, rules, out, n):
    """Drop the ids of pairs that pay no cube (O7-5.8)."""
    left = 0
    for i in range(n):
        if out[i] < PAIR or pair_cubes(s, rules, out[i]) > 0:
            out[left] = out[i]
            left += 1
    return left


@rule
def pair_cubes(s, rules, action):
    """Return the cubes that a pair of the seat to decide pays for."""
    hand = s.hand[s.seat]
    return cubes_paid(rules, hand[REPAIR.module(action)], hand[REPAIR.scrap(action)])


@rule
def choose_pair(s, rules, action):
    """Note module and scrap; the cards stay in the hand until the cell is chosen (O7-10)."""
    s.sel_module, s.sel_scrap = REPAIR.module(action), REPAIR.scrap(action)
    s.sel_cubes = pair_cubes(s, rules, action)
    s.decision = Decision.cell


@rule
def legal_cells(s, out):
    """Write the empty cells adjacent to the station, or the first cells (O7-5.2, O7-5.3)."""
    return offer_set(out, s.frontier)


@rule
def lay_module(s, rules, module, cell):
    """Put a module into an empty cell (O7-5.2)."""
    s.grid_card[cell] = module
    s.occupied |= 1 << cell
    if s.occupied & (s.occupied - 1) == 0:
        s.frontier = 0
    s.frontier = (s.frontier | rules.neighbours[cell]) & ~s.occupied
    colour = rules.colour[module]
    s.colours[rules.row_of[cell], colour] += 1
    s.colours[rules.col_of[cell], colour] += 1
    s.played_cell = cell


@rule
def start_repair(s, rules, module, n, cell):
    """Lay module and n cubes before the first bonus; also on a copy (O7-5.7, O7-5.10)."""
    s.chain = s.moved = 0
    lay_module(s, rules, module, cell)
    placed = 0
    for _ in range(n):
        placed += lay_cube(s, rules, cell)
    s.log.game.cubes_by_payment += placed
    s.log.seat[s.seat].cubes_by_payment += placed


@rule
def repair(s, rules, cell):
    """Connect the chosen module, pay, place the cubes; the bonuses come after (O7-5)."""
    hand, n = s.hand[s.seat], int(s.hand_n[s.seat])
    module, scrap = hand[s.sel_module], hand[s.sel_scrap]
    count_repair(s, rules, module, scrap)
    if s.log.game.repairs == 1:
        s.log.game.first_module_cell = cell
    remove_at(hand, n, max(s.sel_module, s.sel_scrap))
    remove_at(hand, n - 1, min(s.sel_module, s.sel_scrap))
    s.hand_n[s.seat] = n - 2
    discard(s, scrap)
    s.revealed[module] = 1
    start_repair(s, rules, module, s.sel_cubes, cell)
    s.sel_module = s.sel_scrap = NONE
    s.sel_cubes = 0


@rule
def count_repair(s, rules, module, scrap):
    log, own = s.log.game, s.log.seat[s.seat]
    neutral = s.sel_cubes == 0
    log.repairs += 1
    own.repairs += 1
    log.overpay_points += rules.value[scrap] - rules.value[module]
    log.scrap_same_colour += rules.colour[scrap] == rules.colour[module]
    log.neutral_plays += neutral
    own.neutral_plays += neutral
    if own.repairs == 1:
        own.first_repair_turn = s.turn + 1
