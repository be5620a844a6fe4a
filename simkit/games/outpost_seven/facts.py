"""Outpost Seven: its sizes, its decisions and actions, and the choices in its rules (O7-1, O7-9, O7-10)."""

from enum import IntEnum

MAX_CARDS = 96
MAX_CELLS = 36
MAX_LINES = 12
MAX_CROSS = 11
MAX_HAND = 10
MAX_DEALT = 8
MAX_OFFER = 8
SPACES = 6  # of the widest card
NOBODY = -1
NO_CARD = -1
NONE = -1  # of anything else

PAIR = 256  # of Decision.main: below are masks over the offer, from here on pairs of hand slots (O7-10)


class Decision(IntEnum):
    """What is being decided (O7-10)."""

    side = 0
    mulligan = 1
    keep = 2
    draft = 3
    bonuspop = 4
    main = 5
    cell = 6
    bonus = 7
    none = 8  # nothing: the game goes on by itself, or is over


class Side(IntEnum):
    """Actions of Decision.side."""

    first = 0
    second = 1


class Redraw(IntEnum):
    """Actions of Decision.mulligan."""

    no = 0
    yes = 1


class Use(IntEnum):
    """Actions of Decision.bonus: a kind, or `one` + SPACES * cell + space."""

    place = 0
    remove = 1
    one = 2


class Bonus(IntEnum):
    """What a space carries (O7-1.3)."""

    none = 0
    place = 1
    remove = 2
    pop = 3


class End(IntEnum):
    """Why the game ended (O7-3.6, O7-4.3)."""

    unfinished = 0
    both_stopped = 1
    one_stopped = 2
    empty_salvages = 3


class Decided(IntEnum):
    """What decided the game (O7-8)."""

    population = 0
    tie_break = 1
    final_tie = 2
    draw = 3


class CardSet(IntEnum):
    """Published, reconstructed and variant card sets (O7-1.4)."""

    v42 = 0
    v40 = 1
    v40r = 2
    no_bonus = 3
    plain_top = 4
    late_bonus = 5
    removal_heavy = 6
    population_heavy = 7


class StartRule(IntEnum):
    """How starting hands arise (O7-2.9, O7-2.11)."""

    keep_exact = 0
    keep_at_most = 1
    keep_count = 2
    deal_count = 3
    random_exact = 4
    draft = 5


class Infeasible(IntEnum):
    """What happens when no subset has the exact total (O7-2.10)."""

    closest_below = 0
    closest = 1
    redraw = 2


class StartOrder(IntEnum):
    """Who chooses the starting hand first (O7-2.8)."""

    first_then_second = 0
    second_then_first = 1


class StartChoice(IntEnum):
    """Who starts (O7-2.13)."""

    fixed = 0
    player0_chooses = 1


class Mulligan(IntEnum):
    """Who may redraw the dealt cards once (O7-2.12)."""

    none = 0
    second = 1
    both = 2


class BonusOrigin(IntEnum):
    """The cross on which a bonus acts (O7-6.3)."""

    played = 0
    bonus_card = 1


class RemovalRule(IntEnum):
    """What a cube on a bonus space protects (O7-6.5)."""

    lock = 0
    skip = 1


class InitialVotes(IntEnum):
    """Tokens before the first cube (O7-2.4)."""

    alternate = 0
    swapped = 1
    random = 2
    none = 3


class Adjacency(IntEnum):
    """Where a module may be connected (O7-5.3)."""

    orthogonal = 0
    king = 1
    none = 2


class FirstCell(IntEnum):
    """Where the first module may go (O7-5.3)."""

    any = 0
    centre = 1


class TieBreak(IntEnum):
    """What breaks a tie in population (O7-8.3)."""

    cubes = 0
    lines = 1
    modules = 2
    none = 3


class FinalTie(IntEnum):
    """Who wins when the tie-break is tied too (O7-8.4)."""

    draw = 0
    first = 1
    second = 2
