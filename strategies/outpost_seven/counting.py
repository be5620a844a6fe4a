"""What a repair is worth, counted instead of tried out.

On one cross (O7-6.3: the played module's) and where no card with cubes ever turns neutral, the order of
bonuses decides nothing (O7-6.7; `rules.settled` says where this holds). A repair is then so many PLACEs and
so many REMOVEs on the cells of a row and a column:

* p PLACEs lay p cubes, or as many as there is room for, on each own (and neutral) card of the cross; the
  bonuses they cover are the next p spaces' own. So p is the smallest number that the bonuses of the module's
  own cubes and of all cards of the cross, p cubes fuller, add up to.
* r REMOVEs take up to r cubes from each opposing card, and change nothing else.
* A POP adds population to the row and the column by the colour of its card.

A worth that is a sum over lines of f(population, lead, token) then needs no board: every line that crosses
the row or the column of the cell is met by one card only, so that what it gains is known by p or r alone.
Per line these are added up once a decision (`tallied`); a cell then takes a look at two lines.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from simkit.games.outpost_seven.bonuses import HIGHEST
from simkit.games.outpost_seven.facts import MAX_LINES, NO_CARD, NOBODY, SPACES, Bonus, RemovalRule
from simkit.jit import lowest_bit, rule

from .whatif import NEVER, margin_of, sign_of, try_repair

COLOURS = 3
# Of a line, by how many PLACEs (or REMOVEs: lost, aside_lost) reach it: cubes that the seat gains on it, its
# bonuses that are covered, POPs by colour from `pops` on, the rise of the worth of the lines across. At 0:
# its lead, token and worth now.
Tally = IntEnum("Tally", "gained places removes aside lost aside_lost lead token now pops", start=0)
WIDTH = Tally.pops + COLOURS


class Weigher(NamedTuple):
    """How repairs are weighed: `prepare` once a decision, `weigh` a module and its cubes in every cell."""

    prepare: Callable[..., Any]
    weigh: Callable[..., Any]


def tried(worth: Callable[..., Any]) -> Weigher:
    """By worth(view, after, rules, mind, w), with the board as it is after the repair."""

    @rule
    def prepare(view, rules, mind, w):
        return 0

    @rule
    def weigh(view, rules, cells, mind, w, copy, module, n, prepared, worths):
        best = 2 * NEVER
        while cells != 0:
            cell = lowest_bit(cells)
            cells &= cells - 1
            try_repair(view, rules, copy, module, n, cell)
            worths[cell] = worth(view, copy, rules, mind, w)
            best = max(best, worths[cell])
        return best

    return Weigher(prepare, weigh)


def counted(line_worth: Callable[..., Any], worth: Callable[..., Any]) -> Weigher:
    """By worth(rise, view, rules, mind, w) of the rise, over all lines, of a whole number for each.

    line_worth(rules, line, pop, lead, token, mind, w): token 1 own, -1 the opponent's, 0 nobody's, which
    counts where nobody leads.
    """

    @rule(allocates=True)
    def prepare(view, rules, mind, w):
        tally = np.zeros((MAX_LINES, SPACES + 1, WIDTH), np.int64)
        rise = np.empty((MAX_LINES, SPACES + 1), np.int64)  # of a line's worth by cubes gained there
        for line in range(rules.lines):
            lead, token, pop = margin_of(view, line), sign_of(view, line), int(view.pop[line])
            now = line_worth(rules, line, pop, lead, token, mind, w)
            tally[line, 0, Tally.lead], tally[line, 0, Tally.token], tally[line, 0, Tally.now] = (
                lead,
                token,
                now,
            )
            for n in range(SPACES + 1):
                rise[line, n] = line_worth(rules, line, pop, lead + n, token, mind, w) - now
        if rules.settled:
            tallied(view, rules, tally, rise)
        return tally

    @rule
    def count(view, rules, module, n, cell, tally, mind, w):
        """The rise by a repair with n cubes."""
        row, col = int(rules.row_of[cell]), int(rules.col_of[cell])
        p, cubes = places_of(rules, module, n, tally, row, col)
        colour = int(rules.colour[module])
        r = (
            int(rules.covered[module, cubes, Bonus.remove])
            + tally[row, p, Tally.removes]
            + tally[col, p, Tally.removes]
        )
        r = min(r, SPACES)
        total = 0
        for line in (row, col):
            added = 0
            for c in range(COLOURS):
                pops = tally[row, p, Tally.pops + c] + tally[col, p, Tally.pops + c]
                there = int(view.colours[line, c])
                if c == colour:
                    pops += int(rules.covered[module, cubes, Bonus.pop])
                    there += 1
                added += pops * there
            pop = int(view.pop[line]) + added * int(rules.population_per_card)
            lead = (
                tally[line, 0, Tally.lead] + cubes + tally[line, p, Tally.gained] + tally[line, r, Tally.lost]
            )
            token = tally[line, 0, Tally.token]
            total += line_worth(rules, line, pop, lead, token, mind, w) - tally[line, 0, Tally.now]
            total += tally[line, p, Tally.aside] + tally[line, r, Tally.aside_lost]
        return total

    @rule
    def rise_tried(view, rules, copy, module, n, cell, tally, mind, w):
        """The same by trying it out."""
        try_repair(view, rules, copy, module, n, cell)
        total = 0
        for line in range(rules.lines):
            lead, token = margin_of(copy, line), sign_of(copy, line)
            total += (
                line_worth(rules, line, int(copy.pop[line]), lead, token, mind, w) - tally[line, 0, Tally.now]
            )
        return total

    @rule
    def weigh(view, rules, cells, mind, w, copy, module, n, tally, worths):
        best = 2 * NEVER
        while cells != 0:
            cell = lowest_bit(cells)
            cells &= cells - 1
            if rules.settled:
                rise = count(view, rules, module, n, cell, tally, mind, w)
            else:
                rise = rise_tried(view, rules, copy, module, n, cell, tally, mind, w)
            worths[cell] = worth(rise, view, rules, mind, w)
            best = max(best, worths[cell])
        return best

    return Weigher(prepare, weigh)


@rule
def places_of(rules, module, n, tally, row, col):
    """How many PLACEs a repair with n cubes uses (SPACES at most tell), and the cubes then on its module."""
    p, cubes = 0, n
    while True:
        found = (
            int(rules.covered[module, cubes, Bonus.place])
            + tally[row, p, Tally.places]
            + tally[col, p, Tally.places]
        )
        found = min(found, SPACES)
        if found == p:
            return p, cubes
        p, cubes = found, min(n + found, int(rules.value[module]))


@rule
def tallied(view, rules, tally, rise):
    """What PLACEs and REMOVEs on a line would do to the cards on it."""
    for cell in range(rules.cells):
        card = view.grid_card[cell]
        if card == NO_CARD:
            continue
        owner = view.grid_owner[cell]
        if owner == 1 - view.seat:
            emptied(view, rules, cell, tally, rise)
        elif owner != NOBODY or rules.place_on_neutral:
            filled(view, rules, cell, tally, rise)


@rule
def filled(view, rules, cell, tally, rise):
    """An own or neutral card gets cubes on its highest free spaces (O7-6.4)."""
    card, mask, cubes = view.grid_card[cell], int(view.grid_mask[cell]), 0
    row, col, colour = int(rules.row_of[cell]), int(rules.col_of[cell]), int(rules.colour[card])
    places, removes, pops = 0, 0, 0
    for p in range(1, SPACES + 1):
        bit = ~mask & (mask + 1)
        if bit >> int(rules.value[card]) == 0:
            mask |= bit
            cubes += 1
            kind = rules.bonus[card, lowest_bit(bit)]
            places += kind == Bonus.place
            removes += kind == Bonus.remove
            pops += kind == Bonus.pop
        for line, across in ((row, col), (col, row)):
            tally[line, p, Tally.gained] += cubes
            tally[line, p, Tally.places] += places
            tally[line, p, Tally.removes] += removes
            tally[line, p, Tally.pops + colour] += pops
            tally[line, p, Tally.aside] += rise[across, cubes]


@rule
def emptied(view, rules, cell, tally, rise):
    """An opposing card loses its lowest cubes, as far as the removal rule lets it (O7-6.5)."""
    mask, locked = int(view.grid_mask[cell]), int(rules.bonus_mask[view.grid_card[cell]])
    row, col, cubes = int(rules.row_of[cell]), int(rules.col_of[cell]), 0
    for r in range(1, SPACES + 1):
        bit = int(HIGHEST[mask & ~locked])
        if bit != 0 and (rules.removal_rule == RemovalRule.skip or bit == HIGHEST[mask]):
            mask &= ~bit
            cubes += 1
        for line, across in ((row, col), (col, row)):
            tally[line, r, Tally.lost] += cubes
            tally[line, r, Tally.aside_lost] += rise[across, cubes]
