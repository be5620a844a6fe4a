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

from simkit.games.outpost_seven.bonuses import HIGHEST
from simkit.games.outpost_seven.facts import NO_CARD, NOBODY, SPACES, Bonus, RemovalRule
from simkit.jit import lowest_bit, rule

from .whatif import NEVER, TALLIES, margin_of, sign_of, try_repair

COLOURS = 3
# Of a line, by how many PLACEs or REMOVEs reach it: what these do to its cards (see BYTE), the rise of the
# worth of the lines across; at 0 its lead, token and worth now.
Tally = IntEnum("Tally", "placed aside lost aside_lost lead token now", start=0)
# `placed` is several numbers below 256 in one, so that they are added at once: cubes, PLACEs, REMOVEs, and
# POPs by colour. Of lines of up to 6 cards with up to 6 spaces none passes 72.
BYTE, MASK = 8, 255
Placed = IntEnum("Placed", "cubes places removes pops", start=0)


class Weigher(NamedTuple):
    """How repairs are weighed: `prepare` once a decision, `weigh` a module and its cubes in every cell."""

    prepare: Callable[..., Any]
    weigh: Callable[..., Any]


def tried(worth: Callable[..., Any]) -> Weigher:
    """By worth(view, after, rules, mind, w), with the board as it is after the repair."""

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
    """By worth(rise, view, rules, mind, w) of the rise, over all lines, of a whole number for each.

    line_worth(rules, line, pop, lead, token, mind, w): token 1 own, -1 the opponent's, 0 nobody's, which
    counts where nobody leads.
    """

    @rule
    def prepare(view, rules, mind, w, own):
        tally, rise = own.tally, own.rise  # rise of a line's worth by cubes gained there
        clear(rules, tally)
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

    @rule
    def count(view, rules, module, n, cell, tally, mind, w):
        """The rise by a repair with n cubes."""
        row, col = int(rules.row_of[cell]), int(rules.col_of[cell])
        p, cubes, placed = places_of(rules, module, n, tally, row, col)
        colour, r = int(rules.colour[module]), min(number(placed, Placed.removes), SPACES)
        total = tally[row, p, Tally.aside] + tally[col, p, Tally.aside]
        total += tally[row, r, Tally.aside_lost] + tally[col, r, Tally.aside_lost]
        for line in (row, col):
            added = number(placed, Placed.pops + colour)  # the module is a card of its colour, too
            for c in range(COLOURS):
                added += number(placed, Placed.pops + c) * int(view.colours[line, c])
            pop = int(view.pop[line]) + added * int(rules.population_per_card)
            gained = cubes + number(tally[line, p, Tally.placed], Placed.cubes) + tally[line, r, Tally.lost]
            lead, token = tally[line, 0, Tally.lead] + gained, tally[line, 0, Tally.token]
            total += line_worth(rules, line, pop, lead, token, mind, w) - tally[line, 0, Tally.now]
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

    @rule  # a loop of its own: one shared with `tried` makes these players 5 to 12 % slower
    def weigh(view, rules, cells, mind, w, copy, module, n, own):
        best = 2 * NEVER
        while cells != 0:
            cell = lowest_bit(cells)
            cells &= cells - 1
            if n == 0:  # a neutral module changes nothing
                rise = 0
            elif rules.settled:
                rise = count(view, rules, module, n, cell, own.tally, mind, w)
            else:
                rise = rise_tried(view, rules, copy, module, n, cell, own.tally, mind, w)
            own.worths[cell] = worth(rise, view, rules, mind, w)
            best = max(best, own.worths[cell])
        return best

    return Weigher(prepare, weigh)


@rule
def clear(rules, tally):
    for line in range(rules.lines):
        for n in range(SPACES + 1):
            for which in range(TALLIES):
                tally[line, n, which] = 0


@rule
def number(placed, which):
    """One of the numbers in what was `placed`."""
    return placed >> BYTE * which & MASK


@rule
def on_spaces(rules, card, n):
    """What the first n spaces of a card add to what was `placed`."""
    own = n
    own |= int(rules.covered[card, n, Bonus.place]) << BYTE * Placed.places
    own |= int(rules.covered[card, n, Bonus.remove]) << BYTE * Placed.removes
    return own | int(rules.covered[card, n, Bonus.pop]) << BYTE * (Placed.pops + int(rules.colour[card]))


@rule
def places_of(rules, module, n, tally, row, col):
    """PLACEs of a repair with n cubes (at most SPACES count), cubes on its module, and what was placed."""
    p, cubes = 0, n
    while True:
        placed = tally[row, p, Tally.placed] + tally[col, p, Tally.placed] + on_spaces(rules, module, cubes)
        found = min(number(placed, Placed.places), SPACES)
        if found == p:
            return p, cubes, placed
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
    card, mask, placed, cubes = view.grid_card[cell], int(view.grid_mask[cell]), 0, 0
    row, col, colour = int(rules.row_of[cell]), int(rules.col_of[cell]), int(rules.colour[card])
    for p in range(1, SPACES + 1):
        bit = ~mask & (mask + 1)
        if bit >> int(rules.value[card]) == 0:
            mask |= bit
            cubes += 1
            placed += 1 + of_kind(int(rules.bonus[card, lowest_bit(bit)]), colour)
        tally[row, p, Tally.placed] += placed
        tally[col, p, Tally.placed] += placed
        tally[row, p, Tally.aside] += rise[col, cubes]
        tally[col, p, Tally.aside] += rise[row, cubes]


@rule
def of_kind(kind, colour):
    """A bonus of a card of that colour, as it counts in what was `placed`."""
    if kind == Bonus.none:
        return 0
    which = (
        Placed.pops + colour
        if kind == Bonus.pop
        else (Placed.places if kind == Bonus.place else Placed.removes)
    )
    return 1 << BYTE * which


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
        tally[row, r, Tally.lost] += cubes
        tally[col, r, Tally.lost] += cubes
        tally[row, r, Tally.aside_lost] += rise[col, cubes]
        tally[col, r, Tally.aside_lost] += rise[row, cubes]
