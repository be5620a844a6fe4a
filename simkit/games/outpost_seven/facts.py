"""Outpost Seven: its sizes, its decisions and actions, and the choices in its rules (O7-1, O7-9, O7-10)."""

from enum import IntEnum

from simkit.engine.actions import Actions

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
REPAIR = Actions(first=PAIR, module=MAX_HAND, scrap=MAX_HAND)

# What is being decided (O7-10); on none the game goes on by itself, or is over.
Decision = IntEnum("Decision", "side mulligan keep draft bonuspop main cell bonus none", start=0)
# Actions of Decision.side, .mulligan and .bonus, where from `bonus` on each is a single bonus.
Side = IntEnum("Side", "first second", start=0)
Redraw = IntEnum("Redraw", "no yes", start=0)
Use = IntEnum("Use", "place remove bonus", start=0)
SINGLE = Actions(first=Use.bonus, cell=MAX_CELLS, space=SPACES)

# What a space carries (O7-1.3), why the game ended (O7-3.6, O7-4.3), and what decided it (O7-8).
Bonus = IntEnum("Bonus", "none place remove pop", start=0)
# What cubes cover, several numbers below 256 in one, so that they are added at once: cubes, PLACEs, REMOVEs,
# and POPs by colour. Two lines of up to 6 cards with up to 6 spaces have 66 spaces.
BYTE, MASK = 8, 255
Covered = IntEnum("Covered", "cubes places removes pops", start=0)
End = IntEnum("End", "unfinished both_stopped one_stopped empty_salvages", start=0)
Decided = IntEnum("Decided", "population tie_break final_tie draw", start=0)

# The choices in the rules; the options say what they mean.
CardSet = IntEnum(
    "CardSet", "v42 v40 v40r no_bonus plain_top late_bonus removal_heavy population_heavy", start=0
)
StartRule = IntEnum("StartRule", "keep_exact keep_at_most keep_count deal_count random_exact draft", start=0)
Infeasible = IntEnum("Infeasible", "closest_below closest redraw", start=0)
StartOrder = IntEnum("StartOrder", "first_then_second second_then_first", start=0)
StartChoice = IntEnum("StartChoice", "fixed player0_chooses", start=0)
Mulligan = IntEnum("Mulligan", "none second both", start=0)
BonusOrigin = IntEnum("BonusOrigin", "played bonus_card", start=0)
RemovalRule = IntEnum("RemovalRule", "lock skip", start=0)
InitialVotes = IntEnum("InitialVotes", "alternate swapped random none", start=0)
Adjacency = IntEnum("Adjacency", "orthogonal king none", start=0)
FirstCell = IntEnum("FirstCell", "any centre", start=0)
TieBreak = IntEnum("TieBreak", "cubes lines modules none", start=0)
FinalTie = IntEnum("FinalTie", "draw first second", start=0)
