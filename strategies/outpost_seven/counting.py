"""Worth of a repair, counted instead of simulated.

If all bonuses apply to one cross (O7-6.3: the played module's) and no card with cubes ever turns neutral, the
order of bonuses does not matter (O7-6.7; `rules.settled` is True then). A repair is then a number of PLACEs
and a number of REMOVEs on the cells of a row and a column:

* p PLACEs lay p cubes, or as many as there is room for, on each own (and neutral) card of the cross; they
  cover the bonuses of the next p spaces. So p is the smallest number that equals the PLACEs among the bonuses
  of the module's own cubes and of all cards of the cross with p more cubes.
* r REMOVEs take up to r cubes from each opposing card, and change nothing else.
* A POP adds population to the row and the column by the colour of its card.

A worth that is a sum over lines of f(population, lead, token) then needs no board: every line that crosses
the row or the column of the cell shares one card with it, so that its gain depends on p or r alone. These
gains are added up per line once a decision (`tallied`); a cell then takes two look-ups.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from simkit.engine.compile.jit import lowest_bit, rule
from simkit.games.outpost_seven.bonuses import HIGHEST
from simkit.games.outpost_seven.facts import BYTE, MASK, NO_CARD, NOBODY, SPACES, Covered, RemovalRule

from .whatif import NEVER, margin_of, sign_of, try_repair

COLOURS = 3


class Weigher(NamedTuple):
    """Weighing of repairs: `prepare` once a decision, `weigh` a module and its cubes in every cell."""

    prepare: Callable[..., Any]
    weigh: Callable[..., Any]


def by_trial(worth: Callable[..., Any]) -> Weigher:
    """Return a weigher by worth(view, after, rules, mind, w), with the board `after` the simulated repair."""

    @rule
    def prepare(view, rules, mind, w, own):
        pass

    @rule
    def weigh(view, rules, cells, mind, w, copy, module, n, own):
        best = 2 * NEVER
        while cells != 0:
            cell = lowest_bit(cells)
            cells &= cells - 1
            try_repair(view, rules, copy, module, n, cell)
            own.worths[cell] = worth(view, copy, rules, mind, w)
            best = max(best, own.worths[cell])
        return best

    return Weigher(prepare, weigh)


def counted(line_worth: Callable[..., Any], worth: Callable[..., Any]) -> Weigher:
    """Return a weigher by worth(rise, view, rules, mind, w) of the rise of a sum over all lines.

    The sum is that of line_worth(rules, line, pop, lead, token, mind, w), whole numbers. The token is 1 if
    own, -1 if the opponent's, 0 if nobody's, and counts where nobody leads.
    """

    @rule
    def prepare(view, rules, mind, w, own):
        for line in range(rules.lines):
            lead, token, pop = margin_of(view, line), sign_of(view, line), int(view.pop[line])
            now = line_worth(rules, line, pop, lead, token, mind, w)
            own.lead[line], own.token[line], own.now[line] = lead, token, now
            for n in range(SPACES + 1):
                own.rise[line, n] = line_worth(rules, line, pop, lead + n, token, mind, w) - now
        if rules.settled:
            tallied(view, rules, own)

    @rule
    def on_line(view, rules, line, colour, p, r, cubes, pops, own, mind, w):
        """Return the rise of the row or column of the cell."""
        pop = int(view.pop[line])
        if pops != 0:
            added = number(pops, colour)  # the module is a card of its colour, too
            for c in range(COLOURS):
                added += number(pops, c) * int(view.colours[line, c])
            pop += added * int(rules.population_per_card)
        lead = own.lead[line] + cubes + number(own.placed[line, p], Covered.cubes) + own.lost[line, r]
        return line_worth(rules, line, pop, lead, own.token[line], mind, w) - own.now[line]

    @rule
    def count(view, rules, module, n, cell, own, mind, w):
        """Return the rise by a repair with n cubes."""
        row, col = int(rules.row_of[cell]), int(rules.col_of[cell])
        p, cubes, placed = places_of(rules, module, n, own, row, col)
        colour, r = int(rules.colour[module]), min(number(placed, Covered.removes), SPACES)
        pops = placed >> BYTE * Covered.pops
        total = own.aside[row, p] + own.aside[col, p] + own.aside_lost[row, r] + own.aside_lost[col, r]
        total += on_line(view, rules, row, colour, p, r, cubes, pops, own, mind, w)
        return total + on_line(view, rules, col, colour, p, r, cubes, pops, own, mind, w)

    @rule
    def rise_tried(view, rules, copy, module, n, cell, own, mind, w):
        """Return the same rise by simulation."""
        try_repair(view, rules, copy, module, n, cell)
        total = 0
        for line in range(rules.lines):
            lead, token, pop = margin_of(copy, line), sign_of(copy, line), int(copy.pop[line])
            total += line_worth(rules, line, pop, lead, token, mind, w) - own.now[line]
        return total

    @rule  # a separate loop: sharing one with `by_trial` makes these players 5 to 12 % slower
    def weigh(view, rules, cells, mind, w, copy, module, n, own):
        best = 2 * NEVER
        while cells != 0:
            cell = lowest_bit(cells)
            cells &= cells - 1
            if n == 0:  # a neutral module changes nothing
                rise = 0
            elif rules.settled:
                rise = count(view, rules, module, n, cell, own, mind, w)
            else:
                rise = rise_tried(view, rules, copy, module, n, cell, own, mind, w)
            own.worths[cell] = worth(rise, view, rules, mind, w)
            best = max(best, own.worths[cell])
        return best

    return Weigher(prepare, weigh)


@rule
def number(covered, which):
    """Return one of the counts in what is `covered`."""
    return covered >> BYTE * which & MASK


@rule
def places_of(rules, module, n, own, row, col):
    """Return PLACEs of a repair with n cubes (at most SPACES), cubes on the module, and what is covered."""
    p, cubes, placed = 0, n, int(rules.covered[module, n])
    while True:
        places = min(number(placed, Covered.places), SPACES)
        if places == p:
            return p, cubes, placed
        p, cubes = places, min(n + places, int(rules.value[module]))
        placed = own.placed[row, p] + own.placed[col, p] + int(rules.covered[module, cubes])


@rule
def tallied(view, rules, own):
    """Add up what PLACEs and REMOVEs on each line would do to the cards on it."""
    for line in range(rules.lines):
        for n in range(SPACES + 1):
            own.placed[line, n] = own.aside[line, n] = own.lost[line, n] = own.aside_lost[line, n] = 0
    for cell in range(rules.cells):
        card = view.grid_card[cell]
        if card == NO_CARD:
            continue
        owner = view.grid_owner[cell]
        if owner == 1 - view.seat:
            emptied(view, rules, cell, own)
        elif owner != NOBODY or rules.place_on_neutral:
            filled(view, rules, cell, own)


@rule
def filled(view, rules, cell, own):
    """Add up cubes on the highest free spaces of an own or neutral card (O7-6.4)."""
    card, mask, placed, cubes = view.grid_card[cell], int(view.grid_mask[cell]), 0, 0
    row, col = int(rules.row_of[cell]), int(rules.col_of[cell])
    for p in range(1, SPACES + 1):
        bit = ~mask & (mask + 1)
        if bit >> int(rules.value[card]) == 0:
            space = lowest_bit(bit)
            mask |= bit
            cubes += 1
            placed += int(rules.covered[card, space + 1]) - int(rules.covered[card, space])
        own.placed[row, p] += placed
        own.placed[col, p] += placed
        own.aside[row, p] += own.rise[col, cubes]
        own.aside[col, p] += own.rise[row, cubes]


@rule
def emptied(view, rules, cell, own):
    """Add up the loss of the lowest cubes of an opposing card, as the removal rule allows (O7-6.5)."""
    mask, locked = int(view.grid_mask[cell]), int(rules.bonus_mask[view.grid_card[cell]])
    row, col, cubes = int(rules.row_of[cell]), int(rules.col_of[cell]), 0
    for r in range(1, SPACES + 1):
        bit = int(HIGHEST[mask & ~locked])
        if bit != 0 and (rules.removal_rule == RemovalRule.skip or bit == HIGHEST[mask]):
            mask &= ~bit
            cubes += 1
        own.lost[row, r] += cubes
        own.lost[col, r] += cubes
        own.aside_lost[row, r] += own.rise[col, cubes]
        own.aside_lost[col, r] += own.rise[row, cubes]
