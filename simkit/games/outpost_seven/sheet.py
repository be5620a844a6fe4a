"""Outpost Seven: cards that a page edits, written into the rules record (O7-1.2 to O7-1.5, O7-6.7)."""

from simkit.engine.compile.jit import rule
from simkit.engine.game import Column

from .cardrows import COLOURS, MOST_VALUE
from .facts import BYTE, MAX_CARDS, SPACES, Bonus, BonusOrigin, Covered

COLUMNS = (
    Column("colour", names=(*COLOURS, "population")),
    Column("value", high=MOST_VALUE, fits="at least 1 on a module card"),
    Column("spaces", letters=".ARP", high=SPACES, fits="as many as the value, none on a population card"),
)
COLOUR, VALUE, SPACE = 0, 1, 2  # first number of each column in a row
POPULATION = len(COLOURS)


@rule
def fill(rules, sheet, n):
    """Write n rows, a card each, into the record; see `TableFile`."""
    clear(rules)
    locked = unremoved = True
    for row in range(n):
        people, spaces = sheet[row, COLOUR] == POPULATION, letters(sheet, row)
        wrong = misfit(rules, people, sheet[row, VALUE], spaces)
        if wrong >= 0:
            return 1 + row * 3 + wrong
        if people:
            rules.icons[rules.population_cards] = sheet[row, VALUE]
            rules.population_cards += 1
        else:
            add(rules, sheet, row, spaces)
            locked = locked and sheet[row, SPACE] > 1
            for space in range(spaces):
                unremoved = unremoved and sheet[row, SPACE + space] - 1 != Bonus.remove
    one_cross = rules.bonus_origin == BonusOrigin.played and rules.cube_supply == 0
    rules.settled = 1 if one_cross and (locked or unremoved) else 0
    needed = 2 * rules.deal_size + rules.initial_discards + rules.faceup
    return 0 if needed <= rules.cards and rules.rows + rules.cols <= rules.population_cards else -1


@rule
def clear(rules):
    """Leave no card: without a bonus n cubes cover n spaces."""
    rules.cards = rules.population_cards = 0
    rules.value[:] = 0
    rules.colour[:] = 0
    rules.icons[:] = 0
    rules.bonus[:, :] = 0
    rules.bonus_mask[:] = 0
    for card in range(MAX_CARDS):
        for n in range(SPACES + 1):
            rules.covered[card, n] = n << BYTE * Covered.cubes


@rule
def letters(sheet, row):
    """Return the number of spaces of a row."""
    n = 0
    while n < SPACES and sheet[row, SPACE + n] > 0:
        n += 1
    return n


@rule
def misfit(rules, people, value, spaces):
    """Return the column of a row that does not fit, or -1."""
    if (rules.population_cards if people else rules.cards) == MAX_CARDS:
        return 0
    if people:
        return 2 if spaces > 0 else -1
    if value < 1:
        return 1
    return 2 if spaces != value else -1


@rule
def add(rules, sheet, row, spaces):
    """Add a module card."""
    card, colour = rules.cards, sheet[row, COLOUR]
    rules.value[card], rules.colour[card] = sheet[row, VALUE], colour
    for space in range(spaces):
        bonus = sheet[row, SPACE + space] - 1
        rules.bonus[card, space] = bonus
        if bonus > 0:
            rules.bonus_mask[card] |= 1 << space
    cover(rules, card, colour)
    rules.cards += 1


@rule
def cover(rules, card, colour):
    """Sum up what cubes on the first n spaces cover, see `Covered`."""
    total = 0
    for space in range(SPACES):
        bonus = rules.bonus[card, space]
        total += 1 << BYTE * Covered.cubes
        if bonus == Bonus.place:
            total += 1 << BYTE * Covered.places
        elif bonus == Bonus.remove:
            total += 1 << BYTE * Covered.removes
        elif bonus == Bonus.pop:
            total += 1 << BYTE * (Covered.pops + colour)
        rules.covered[card, space + 1] = total
