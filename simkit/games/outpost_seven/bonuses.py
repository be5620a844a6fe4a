"""Outpost Seven: cubes and bonuses (O7-5.7, O7-6)."""

import numpy as np

from simkit.games.outpost_seven.cardmath import HIGHEST
from simkit.games.outpost_seven.facts import (
    BONUS_AT,
    BONUS_PLACE,
    BONUS_REMOVE,
    NO_CARD,
    NOBODY,
    PLACE,
    POP,
    REMOVE,
    BonusOrigin,
    RemovalRule,
)
from simkit.jit import lowest_bit, rule

# np.int64 where an argument would else be a small integer or a literal: each width and each literal is compiled anew.


@rule
def lay_cube(s, rules, seat, cell):
    """Put a cube on the highest free space of a card, if there is one and the supply lasts (O7-1.7, O7-5.7, O7-6.1)."""
    card, mask = s.grid_card[cell], int(s.grid_mask[cell])
    bit = ~mask & (mask + 1)
    if bit >> int(rules.value[card]) or (rules.cube_supply > 0 and s.on_grid[seat] >= rules.cube_supply):
        return False
    s.grid_mask[cell] = mask | bit
    s.grid_owner[cell] = seat
    count_cube(s, rules, seat, cell, np.int64(1))
    log = s.log.seat[seat]
    log.cubes_max = max(log.cubes_max, s.on_grid[seat])
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
def use_bonuses(s, rules, seat):
    """Use pending bonuses until none is left or an order must be chosen; returns whether it must (O7-6.2, O7-6.7)."""
    while s.pending_cells != 0:
        if s.pending_n[POP] > 0:
            use_lowest(s, rules, seat, np.int64(POP))
        elif order_matters(s, rules, seat):
            return True
        elif s.pending_n[REMOVE] > 0:
            use_lowest(s, rules, seat, np.int64(REMOVE))
        else:
            use_lowest(s, rules, seat, np.int64(PLACE))
    return False


@rule
def order_matters(s, rules, seat):
    """Whether the order of the pending PLACE and REMOVE is a decision (O7-6.7)."""
    if rules.bonus_origin == BonusOrigin.played:
        if s.pending_n[PLACE] == 0 or s.pending_n[REMOVE] == 0:
            return False
        for i in range(rules.cross_size):
            if can_turn_neutral(s, rules, seat, np.int64(rules.cross[s.played_cell, i])):
                return True
        return False
    if s.pending_n[PLACE] + s.pending_n[REMOVE] < 2:
        return False
    for cell in range(rules.cells):
        if can_turn_neutral(s, rules, seat, cell):
            return True
    return False


@rule
def can_turn_neutral(s, rules, seat, cell):
    """An opposing card with cubes, none of them on a bonus space."""
    return (
        s.grid_owner[cell] == 1 - seat
        and int(s.grid_mask[cell]) & int(rules.bonus_mask[s.grid_card[cell]]) == 0
    )


@rule
def use_lowest(s, rules, seat, kind):
    """Use the pending bonus of this kind on the lowest (cell, space)."""
    left = int(s.pending_cells)
    while left != 0:
        cell = lowest_bit(left)
        left &= left - 1
        bits = int(s.pending[cell])
        while bits != 0:
            space = lowest_bit(bits)
            bits &= bits - 1
            if rules.bonus[s.grid_card[cell], space] == kind:
                use_bonus(s, rules, seat, cell, space)
                return


@rule
def use_bonus(s, rules, seat, cell, space):
    """Use one bonus, on the cross of the played module or of its own card (O7-6.3)."""
    kind = np.int64(rules.bonus[s.grid_card[cell], space])
    s.pending[cell] &= ~(1 << space)
    if s.pending[cell] == 0:
        s.pending_cells &= ~(1 << cell)
    s.pending_n[kind] -= 1
    count_bonus(s, seat, kind, cell)
    origin = cell if rules.bonus_origin == BonusOrigin.bonus_card else np.int64(s.played_cell)
    if kind == PLACE:
        place(s, rules, seat, origin)
    elif kind == REMOVE:
        remove(s, rules, seat, origin)
    else:
        add_population(s, rules, seat, origin, rules.colour[s.grid_card[cell]])


@rule
def count_bonus(s, seat, kind, cell):
    log = s.log.game
    s.chain += 1
    s.log.seat[seat].bonuses += 1
    log.bonus_A += kind == PLACE
    log.bonus_R += kind == REMOVE
    log.bonus_P += kind == POP
    log.bonus_cascade += cell != s.played_cell


@rule
def place(s, rules, seat, origin):
    """One cube on each own and each neutral card in the cross (O7-6.4)."""
    placed, captured = 0, 0
    for i in range(rules.cross_size):
        cell = np.int64(rules.cross[origin, i])
        if s.grid_card[cell] == NO_CARD:
            continue
        owner = s.grid_owner[cell]
        if owner == seat or (owner == NOBODY and rules.place_on_neutral):
            done = lay_cube(s, rules, seat, cell)
            placed += done
            captured += done and owner == NOBODY
    s.moved += placed
    s.log.game.cubes_by_place += placed
    s.log.game.neutral_captured += captured
    s.log.seat[seat].cubes_by_place += placed
    s.log.seat[seat].captures += captured


@rule
def remove(s, rules, seat, origin):
    """The lowest cube of each opposing card in the cross, unless it is on a bonus space (O7-6.5)."""
    removed, blocked = 0, 0
    for i in range(rules.cross_size):
        cell = np.int64(rules.cross[origin, i])
        if s.grid_owner[cell] == 1 - seat:
            taken = take_cube(s, rules, seat, cell)
            removed += taken
            blocked += not taken
    s.moved += removed
    s.log.game.cubes_removed += removed
    s.log.game.removal_blocked += blocked
    s.log.seat[seat].cubes_removed += removed


@rule
def take_cube(s, rules, seat, cell):
    """Remove the cube that the removal rule allows; an emptied card becomes neutral (O7-6.5, O7-5.9)."""
    mask, locked = int(s.grid_mask[cell]), int(rules.bonus_mask[s.grid_card[cell]])
    removable = mask & ~locked
    bit = int(HIGHEST[removable])
    if bit == 0 or (rules.removal_rule == RemovalRule.lock and bit != HIGHEST[mask]):
        return False
    s.grid_mask[cell] = mask & ~bit
    count_cube(s, rules, 1 - seat, cell, np.int64(-1))
    if mask == bit:
        s.grid_owner[cell] = NOBODY
        s.log.game.neutralised += 1
    return True


@rule
def add_population(s, rules, seat, origin, colour):
    """Population for the cards of the bonus's colour in the row and in the column (O7-6.6)."""
    for line in (int(rules.row_of[origin]), int(rules.col_of[origin])):
        added = int(s.colours[line, colour]) * int(rules.population_per_card)
        s.pop[line] += added
        log = s.log.game
        log.population_added += added
        s.log.seat[seat].population_added += added
        if s.vote[line] == seat:
            log.population_added_own += added
        elif s.vote[line] == 1 - seat:
            log.population_added_opposing += added


@rule
def legal_orders(s, rules, out):
    """Which bonus next: a kind, or with `bonus_card` one (cell, space) (O7-6.7, O7-10)."""
    if rules.bonus_origin == BonusOrigin.played:
        out[0], out[1] = BONUS_PLACE, BONUS_REMOVE
        return 2
    n = 0
    left = int(s.pending_cells)
    while left != 0:
        cell = lowest_bit(left)
        left &= left - 1
        for space in range(6):
            if int(s.pending[cell]) >> space & 1:
                out[n] = BONUS_AT + 6 * cell + space
                n += 1
    return n


@rule
def choose_bonus(s, rules, action):
    """Use the chosen bonus (O7-6.7)."""
    if action == BONUS_PLACE:
        use_lowest(s, rules, np.int64(s.seat), np.int64(PLACE))
    elif action == BONUS_REMOVE:
        use_lowest(s, rules, np.int64(s.seat), np.int64(REMOVE))
    else:
        use_bonus(s, rules, np.int64(s.seat), (action - BONUS_AT) // 6, (action - BONUS_AT) % 6)


@rule
def note_chain(s):
    """The repair with the most bonuses."""
    log = s.log.game
    if s.chain > log.chain_max:
        log.chain_max = s.chain
        log.chain_cubes = s.moved
