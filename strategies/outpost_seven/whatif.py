"""Simulated repairs, worth of positions and cards: tools of all players (O7-11, O7-15)."""

from simkit.engine.compile.jit import clone, lowest_bit, rule
from simkit.engine.strategy import workspace
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.bonuses import lowest_pending, use_bonus, use_bonuses
from simkit.games.outpost_seven.facts import MAX_CELLS, MAX_HAND, MAX_LINES, NOBODY, SPACES, Bonus
from simkit.games.outpost_seven.repair import start_repair
from simkit.games.outpost_seven.votes import check_votes

NEVER = -1.0e12  # worth of an action for when nothing else is legal
SIGN, CAP = 10, 4  # E of O7-11.2: worth of a vote, and the lead in cubes that still counts
# Tally of `counting` per line: its lead, token and worth now; by the number of PLACEs or REMOVEs on it their
# effect on its cards, and the rise of the lines across; its rise by the number of cubes gained.
REACHED = int, MAX_LINES, SPACES + 1
TALLY = {"lead": (int, MAX_LINES), "token": (int, MAX_LINES), "now": (int, MAX_LINES)}
TALLY |= {"placed": REACHED, "aside": REACHED, "lost": REACHED, "aside_lost": REACHED, "rise": REACHED}
WORTHS = {"worths": (float, MAX_CELLS)}  # of a repair in each cell
GAINS = {"gains": (float, MAX_HAND, SPACES + 1)}  # of a card in hand (or dealt) as module, by its cubes
LENT = {"scores": (float, game.max_actions), **GAINS, **WORTHS, **TALLY}  # scores of the legal actions
OWN = workspace(**LENT)
COLOURS, COLOUR_BITS, COLOUR_MASK = 3, 8, 255  # numbers of cards by colour, packed in one number


@rule
def try_repair(view, rules, copy, module, n, cell):
    """Carry out a whole repair on `copy`: cubes, bonuses (REMOVE first where free), votes (O7-11.2).

    The hands stay as they are: the board depends only on the module, the number of cubes and the cell.
    """
    clone(copy, view)
    start_repair(copy, rules, module, n, cell)
    while use_bonuses(copy, rules):
        use_bonus(copy, rules, removal_first(copy, rules))
    check_votes(copy, rules)


@rule
def removal_first(s, rules):
    """Return the next bonus of the reference player: the lowest REMOVE, else the lowest PLACE (O7-11.2)."""
    return lowest_pending(s, rules, Bonus.remove if s.pending_n[Bonus.remove] > 0 else Bonus.place)


@rule
def sign_of(s, line):
    """Return +1 if the line's token shows the seat to decide, -1 for the opponent, 0 for nobody."""
    if s.vote[line] == NOBODY:
        return 0
    return 1 if s.vote[line] == s.seat else -1


@rule
def margin_of(s, line):
    """Return own cubes minus opposing cubes in a line."""
    return int(s.cubes[s.seat, line]) - int(s.cubes[1 - s.seat, line])


@rule
def board_value(s, rules, sign, cap):
    """Return E of O7-11.2 for given sign and cap."""
    total = 0
    for line in range(rules.lines):
        total += line_value(int(s.pop[line]), margin_of(s, line), sign_of(s, line), sign, cap)
    return total


@rule
def line_value(pop, lead, token, sign, cap):
    """Return population * (sign * vote + margin within +-cap); without a lead the vote is the token's."""
    vote = token if lead == 0 else (1 if lead > 0 else -1)
    return pop * (sign * vote + min(max(lead, -cap), cap))


@rule
def value_in(rules, cards, mask):
    """Return the sum of the values of the cards in the mask."""
    total = 0
    while mask != 0:
        total += int(rules.value[cards[lowest_bit(mask)]])
        mask &= mask - 1
    return total


@rule
def colours_in(rules, cards, mask):
    """Return the number of cards in the mask by colour, packed in one number; such numbers can be added."""
    counted = 0
    while mask != 0:
        counted += one_of(rules.colour[cards[lowest_bit(mask)]])
        mask &= mask - 1
    return counted


@rule
def one_of(colour):
    """Return one card of this colour, as counted by `colours_in`."""
    return 1 << COLOUR_BITS * int(colour)


@rule
def of_colour(counted, colour):
    """Return the number of cards of one colour in a count of `colours_in`."""
    return counted >> COLOUR_BITS * colour & COLOUR_MASK


@rule
def pairs_of(counted):
    """Return the unordered pairs of one colour in a count of `colours_in`."""
    pairs = 0
    while counted != 0:
        n = counted & COLOUR_MASK
        pairs += n * (n - 1)
        counted >>= COLOUR_BITS
    return pairs // 2


@rule
def held_by(s, rules):
    """Return the colours in the hand of the seat to decide, as counted by `colours_in`."""
    return colours_in(rules, s.hand[s.seat], (1 << int(s.hand_n[s.seat])) - 1)


@rule
def pairs_added(held, taken):
    """Return the same-colour pairs that taken cards add to held ones, both as counted by `colours_in`."""
    added = 0
    for colour in range(COLOURS):  # a loop over all is faster than one that may stop
        more = of_colour(taken, colour)
        added += more * (2 * of_colour(held, colour) + more - 1)
    return added >> 1
