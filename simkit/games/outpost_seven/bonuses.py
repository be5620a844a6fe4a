"""Outpost Seven: cubes and bonuses, all of the seat to decide (O7-5.7, O7-6)."""

import numpy as np

from simkit.engine.compile.jit import lowest_bit, rule
from simkit.engine.rule_helpers import add, offer

from .facts import NO_CARD, NOBODY, NONE, SINGLE, SPACES, Bonus, BonusOrigin, RemovalRule, Use

HIGHEST = np.array([1 << mask.bit_length() >> 1 for mask in range(1 << SPACES)], np.int64)  # bit of a mask


@rule
def lay_cube(s, rules, cell):
    """Put a cube on a card's highest free space, if the supply lasts (O7-1.7, O7-5.7, O7-6.1)."""
    card, mask = s.grid_card[cell], int(s.grid_mask[cell])
    bit = ~mask & (mask + 1)
    if bit >> int(rules.value[card]) or (rules.cube_supply > 0 and s.on_grid[s.seat] >= rules.cube_supply):
        return False
    s.grid_mask[cell] = mask | bit
    s.grid_owner[cell] = s.seat
    count_cube(s, rules, s.seat, cell, 1)
    log = s.log.seat[s.seat]
    log.cubes_max = max(log.cubes_max, s.on_grid[s.seat])
    if int(rules.bonus_mask[card]) & bit:
        s.pending[cell] |= bit
        s.pending_cells |= 1 << cell
        s.pending_n[rules.bonus[card, lowest_bit(bit)]] += 1
    return True


@rule
def count_cube(s, rules, seat, cell, n):
    s.on_grid[seat] += n
    s.cubes[seat, rules.row_of[cell]] += n
    s.cubes[seat, rules.col_of[cell]] += n


@rule
def use_bonuses(s, rules):
    """Use bonuses until none is left or an order must be chosen; return whether it must (O7-6.2, O7-6.7)."""
    while s.pending_cells != 0:
        kind = Bonus.pop
        if s.pending_n[Bonus.pop] == 0:
            if order_matters(s, rules):
                return True
            kind = Bonus.remove if s.pending_n[Bonus.remove] > 0 else Bonus.place
        use_bonus(s, rules, lowest_pending(s, rules, kind))
    return False


@rule
def order_matters(s, rules):
    """Return whether the order matters: a bonus reaches an opposing card that can turn neutral (O7-6.7)."""
    anywhere = rules.bonus_origin == BonusOrigin.bonus_card
    places, removes = s.pending_n[Bonus.place], s.pending_n[Bonus.remove]
    if places + removes < 2 or (not anywhere and (places == 0 or removes == 0)):
        return False
    row, col = rules.row_of[s.played_cell], rules.col_of[s.played_cell]
    for cell in range(rules.cells):
        reached = anywhere or rules.row_of[cell] == row or rules.col_of[cell] == col
        if not reached or s.grid_owner[cell] != 1 - s.seat:
            continue
        if int(s.grid_mask[cell]) & int(rules.bonus_mask[s.grid_card[cell]]) == 0:
            return True
    return False


@rule
def lowest_pending(s, rules, kind):
    """Return the action that uses the lowest pending bonus of this kind."""
    left = s.pending_cells
    while left != 0:
        cell = lowest_bit(left)
        left &= left - 1
        for space in range(SPACES):
            if int(s.pending[cell]) >> space & 1 and rules.bonus[s.grid_card[cell], space] == kind:
                return SINGLE.pack(cell, space)
    return NONE


@rule
def use_bonus(s, rules, action):
    """Use one bonus, on the cross of the played module or of its own card (O7-6.3)."""
    cell, space = SINGLE.cell(action), SINGLE.space(action)
    kind = rules.bonus[s.grid_card[cell], space]
    s.pending[cell] &= ~(1 << space)
    if s.pending[cell] == 0:
        s.pending_cells &= ~(1 << cell)
    s.pending_n[kind] -= 1
    s.chain += 1
    s.log.seat[s.seat].bonuses += 1
    s.log.game.bonus_cascade += cell != s.played_cell
    origin = cell if rules.bonus_origin == BonusOrigin.bonus_card else s.played_cell
    if kind == Bonus.place:
        place(s, rules, origin)
    elif kind == Bonus.remove:
        remove(s, rules, origin)
    else:
        add_population(s, rules, origin, rules.colour[s.grid_card[cell]])


@rule
def place(s, rules, origin):
    """Place one cube on each own and each neutral card in the cross (O7-6.4)."""
    s.log.game.bonus_A += 1
    placed, captured = 0, 0
    for i in range(rules.cross_size):
        cell = int(rules.cross[origin, i])
        if s.grid_card[cell] == NO_CARD:
            continue
        owner = s.grid_owner[cell]
        if owner == s.seat or (owner == NOBODY and rules.place_on_neutral):
            done = lay_cube(s, rules, cell)
            placed += done
            captured += done and owner == NOBODY
    s.moved += placed
    s.log.game.cubes_by_place += placed
    s.log.game.neutral_captured += captured
    s.log.seat[s.seat].cubes_by_place += placed
    s.log.seat[s.seat].captures += captured


@rule
def remove(s, rules, origin):
    """Remove the lowest cube of each opposing card in the cross, unless it is on a bonus space (O7-6.5)."""
    s.log.game.bonus_R += 1
    removed, blocked = 0, 0
    for i in range(rules.cross_size):
        cell = int(rules.cross[origin, i])
        if s.grid_owner[cell] == 1 - s.seat:
            taken = take_cube(s, rules, cell)
            removed += taken
            blocked += not taken
    s.moved += removed
    s.log.game.cubes_removed += removed
    s.log.game.removal_blocked += blocked
    s.log.seat[s.seat].cubes_removed += removed


@rule
def take_cube(s, rules, cell):
    """Remove the cube that the removal rule allows; an emptied card becomes neutral (O7-6.5, O7-5.9)."""
    mask, locked = int(s.grid_mask[cell]), int(rules.bonus_mask[s.grid_card[cell]])
    bit = int(HIGHEST[mask & ~locked])
    if bit == 0 or (rules.removal_rule == RemovalRule.lock and bit != HIGHEST[mask]):
        return False
    s.grid_mask[cell] = mask & ~bit
    count_cube(s, rules, 1 - s.seat, cell, -1)
    if mask == bit:
        s.grid_owner[cell] = NOBODY
        s.log.game.neutralised += 1
    return True


@rule
def add_population(s, rules, origin, colour):
    """Add population for the cards of the bonus's colour in the row and in the column (O7-6.6)."""
    log = s.log.game
    log.bonus_P += 1
    for line in (rules.row_of[origin], rules.col_of[origin]):
        added = int(s.colours[line, colour]) * int(rules.population_per_card)
        s.pop[line] += added
        log.population_added += added
        s.log.seat[s.seat].population_added += added
        if s.vote[line] == s.seat:
            log.population_added_own += added
        elif s.vote[line] == 1 - s.seat:
            log.population_added_opposing += added


@rule
def legal_orders(s, rules, out):
    """Write the next bonus: a kind, or with `bonus_card` a (cell, space) (O7-6.7, O7-10)."""
    if rules.bonus_origin == BonusOrigin.played:
        return offer(out, Use.place, Use.remove)
    n = 0
    for cell in range(rules.cells):
        for space in range(SPACES):
            if int(s.pending[cell]) >> space & 1:
                n = add(out, n, SINGLE.pack(cell, space))
    return n


@rule
def choose_bonus(s, rules, action):
    """Use the chosen bonus (O7-6.7)."""
    if not SINGLE.has(action):
        action = lowest_pending(s, rules, Bonus.place if action == Use.place else Bonus.remove)
    use_bonus(s, rules, action)
