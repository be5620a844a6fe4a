"""Outpost Seven: its words, options, state and log (O7-1, O7-9, O7-13, O7-17)."""

from __future__ import annotations

from enum import IntEnum

from simkit.fields import Field, scalar
from simkit.options import choice, flag, integer

MAX_CARDS = 96
MAX_CELLS = 36
MAX_LINES = 12
MAX_CROSS = 11
MAX_HAND = 10
MAX_DEALT = 8
MAX_OFFER = 8
NOBODY = -1
NO_CARD = -1

PAIR = 256  # action ids of MAIN: salvage masks below, repair pairs PAIR + 10 * module slot + scrap slot from here (O7-10)
BONUS_PLACE, BONUS_REMOVE, BONUS_AT = (
    0,
    1,
    2,
)  # action ids of BONUS; BONUS_AT + 6 * cell + space with bonus_origin = bonus_card
KEEP_HAND, REDRAW = 0, 1  # action ids of MULLIGAN
GO_FIRST, GO_SECOND = 0, 1  # action ids of SIDE

PLACE, REMOVE, POP = 1, 2, 3  # kinds of bonus on a space; 0 = plain (O7-1.3)


class Phase(IntEnum):
    """What is being decided (O7-10)."""

    side = 0
    mulligan = 1
    keep = 2
    draft = 3
    bonuspop = 4
    main = 5
    cell = 6
    bonus = 7
    over = 8


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


OPTIONS = [
    integer(
        "start_total_first",
        12,
        0,
        48,
        "O7-2.9",
        "Total value of the cards that the first player keeps, exactly or as near as the dealt cards allow",
    ),
    integer(
        "start_total_second",
        16,
        0,
        48,
        "O7-2.9",
        "Total value of the cards that the second player keeps, exactly or as near as the dealt cards allow",
    ),
    choice("start_rule", StartRule.keep_exact, "O7-2.11", "How starting hands arise"),
    integer("start_count_first", 2, 0, 8, "O7-2.11", "Cards of the first player with keep_count, deal_count"),
    integer(
        "start_count_second", 3, 0, 8, "O7-2.11", "Cards of the second player with keep_count, deal_count"
    ),
    choice("start_infeasible", Infeasible.closest_below, "O7-2.10", "When no subset has the exact total"),
    choice("start_order", StartOrder.first_then_second, "O7-2.8", "Who chooses the starting hand first"),
    choice("start_choice", StartChoice.fixed, "O7-2.13", "Whether player 0 chooses who starts"),
    choice("mulligan", Mulligan.none, "O7-2.12", "Who may redraw the dealt cards once"),
    integer("mulligan_cost", 0, 0, 6, "O7-2.12", "By how much a redraw lowers the target"),
    integer("second_bonus_population", 0, 0, 10, "O7-2.14", "Population the second player adds to one line"),
    integer("komi_half_points", 0, 0, 60, "O7-8.5", "Half points added to the second player's final score"),
    integer(
        "first_turn_salvage_limit",
        0,
        0,
        30,
        "O7-4.7",
        "Salvage limit of the very first turn, 0 = as always, else 6 to 30",
    ),
    integer("deal_size", 7, 0, 8, "O7-2.5", "Cards dealt to each player"),
    integer("initial_discards", 10, 0, 30, "O7-2.6", "Cards discarded before play"),
    integer("faceup", 5, 1, 8, "O7-2.7", "Cards in the offer"),
    integer("salvage_limit", 12, 6, 30, "O7-4.1", "Greatest total value of one salvage"),
    integer("hand_limit", 7, 2, 10, "O7-4.2", "Most cards in a hand"),
    flag("allow_empty_salvage", False, "O7-4.3", "Taking nothing is a legal turn"),
    choice("card_set", CardSet.v42, "O7-1.4", "Layouts of the module cards"),
    choice("bonus_origin", BonusOrigin.played, "O7-6.3", "The cross on which a bonus acts"),
    choice("removal_rule", RemovalRule.lock, "O7-6.5", "What a cube on a bonus space protects"),
    flag("allow_neutral_play", True, "O7-5.8", "Repairs that place no cube are legal"),
    flag("place_on_neutral", True, "O7-6.4", "PLACE also reaches neutral cards"),
    integer("cubes_same_colour", 1, 0, 3, "O7-5.5", "Cubes for a scrap of the module's colour"),
    integer("cubes_per_overpay", 1, 0, 3, "O7-5.5", "Cubes per point overpaid"),
    integer("cubes_per_play", 0, 0, 3, "O7-5.5", "Cubes of every repair"),
    integer("population_per_card", 1, 0, 3, "O7-6.6", "Population per card that a POP counts"),
    integer("rows", 5, 3, 6, "O7-2.2", "Rows of the grid"),
    integer("cols", 5, 3, 6, "O7-2.2", "Columns of the grid"),
    integer("uniform_population", 0, 0, 6, "O7-2.3", "Initial population of every line, 0 = as on its card"),
    choice("initial_votes", InitialVotes.alternate, "O7-2.4", "Tokens before the first cube"),
    flag("border_colours", False, "O7-2.2", "Border cards have a colour that counts for POP"),
    choice("adjacency", Adjacency.orthogonal, "O7-5.3", "Where a module may be connected"),
    choice("first_cell", FirstCell.any, "O7-5.3", "Where the first module may go"),
    integer("cube_supply", 0, 0, 80, "O7-1.7", "Cubes per player, 0 = unlimited"),
    flag("play_on_after_stop", True, "O7-3.6", "The other player goes on after one has stopped"),
    choice("tie_break", TieBreak.cubes, "O7-8.3", "What breaks a tie in population"),
    choice("final_tie", FinalTie.draw, "O7-8.4", "Who wins when the tie-break is tied too"),
]

TABLES = [
    scalar("cards", "i1", "Module cards"),
    Field("value", "i1", (MAX_CARDS,), "Value of a card = its spaces [card]"),
    Field("colour", "i1", (MAX_CARDS,), "Colour of a card, 0 blue 1 green 2 purple [card]"),
    Field("bonus", "i1", (MAX_CARDS, 6), "Bonus on a space, 0 plain 1 PLACE 2 REMOVE 3 POP [card, space]"),
    Field("bonus_mask", "i1", (MAX_CARDS,), "Bit s set = space s has a bonus [card]"),
    scalar("population_cards", "i1", "Population cards"),
    Field("icons", "i1", (MAX_CARDS,), "Icons of a population card [card]"),
    scalar("cells", "i1", "Cells of the grid"),
    scalar("lines", "i1", "Rows and columns together"),
    Field("row_of", "i1", (MAX_CELLS,), "Line index of the cell's row [cell]"),
    Field("col_of", "i1", (MAX_CELLS,), "Line index of the cell's column [cell]"),
    Field(
        "cross",
        "i1",
        (MAX_CELLS, MAX_CROSS),
        "Cells of the row left to right, then of the column top to bottom [cell, i]",
    ),
    scalar("cross_size", "i1", "Cells in a cross"),
    Field("neighbours", "i8", (MAX_CELLS,), "Bit c set = cell c is adjacent [cell]"),
    scalar("first_cells", "i8", "Bit c set = the first module may go to cell c"),
]

STATE = [
    scalar("phase", Phase, "What is being decided"),
    scalar("passes", "i1", "Empty salvages in direct succession"),
    scalar("hands_chosen", "i1", "Players who have chosen their starting hand"),
    scalar("keep_total", "i1", "Total to keep exactly in KEEP, -1 outside it"),
    Field("mulliganed", "i1", (2,), "1 redrew, 0 kept, -1 not asked [seat]"),
    Field("stopped", "i1", (2,), "1 = has stopped for good [seat]"),
    scalar("turn", "i2", "Turns completed"),
    Field("hand", "i1", (2, MAX_HAND), "Cards in hand, -1 none or unseen [seat, slot]"),
    Field("hand_n", "i1", (2,), "Hand size [seat]"),
    Field("dealt", "i1", (2, MAX_DEALT), "Dealt cards before the choice, -1 none or unseen [seat, slot]"),
    Field("dealt_n", "i1", (2,), "Dealt cards [seat]"),
    Field("pool", "i1", (2 * MAX_DEALT,), "Open pool of the draft [slot]"),
    scalar("pool_n", "i1", "Cards in the draft pool"),
    Field("offer", "i1", (MAX_OFFER,), "Face-up cards [slot]"),
    scalar("offer_n", "i1", "Face-up cards"),
    Field("discard", "i1", (MAX_CARDS,), "Discard pile, oldest first [i]"),
    scalar("discard_n", "i1", "Cards in the discard pile"),
    Field("known", "i1", (MAX_CARDS,), "1 = the place of the card is public [card]"),
    scalar("deck_pos", "i1", "Position of the next card of the deck"),
    scalar("deck_n", "i1", "End of the deck"),
    Field("grid_card", "i1", (MAX_CELLS,), "Module in a cell, -1 empty [cell]"),
    Field("grid_mask", "i1", (MAX_CELLS,), "Bit s set = cube on space s [cell]"),
    Field("grid_owner", "i1", (MAX_CELLS,), "Owner of the cubes, -1 nobody [cell]"),
    Field("pending", "i1", (MAX_CELLS,), "Bit s set = bonus on space s not used yet [cell]"),
    Field("pending_n", "i1", (4,), "Pending bonuses by kind [kind]"),
    scalar("pending_cells", "i8", "Bit c set = a bonus is pending in cell c"),
    scalar("occupied", "i8", "Bit c set = a module lies in cell c"),
    scalar("frontier", "i8", "Bit c set = a module may be connected in cell c"),
    scalar("played_cell", "i1", "Cell of this turn's repair, -1 none"),
    scalar("sel_module", "i1", "Hand slot of the chosen module, -1 none"),
    scalar("sel_scrap", "i1", "Hand slot of the chosen scrap, -1 none"),
    scalar("sel_cubes", "i1", "Cubes that the chosen pair pays for"),
    scalar("chain", "i2", "Bonuses used in this repair"),
    scalar("moved", "i2", "Cubes placed or removed by bonuses in this repair"),
    Field("pop", "i2", (MAX_LINES,), "Population [line]"),
    Field("pop_initial", "i1", (MAX_LINES,), "Population at the start [line]"),
    Field("vote", "i1", (MAX_LINES,), "Player whom the token shows, -1 nobody [line]"),
    Field("border_colour", "i1", (MAX_LINES,), "Colour of the border card, -1 none [line]"),
    Field("cubes", "i2", (2, MAX_LINES), "Cubes in a line [seat, line]"),
    Field("colours", "i1", (MAX_LINES, 3), "Modules (and border card) of a colour in a line [line, colour]"),
    Field("on_grid", "i2", (2,), "Cubes on the grid [seat]"),
    scalar("contested", "i2", "Bit i set = both players had cubes in line i at the end of some repair"),
    scalar("leader", "i1", "Player with the higher score after the last turn, -1 none yet"),
    # From here on nothing is seen by a strategy: `observe` copies what stands before the deck.
    Field("deck", "i1", (MAX_CARDS,), "Shuffled cards, the next one at deck_pos, -1 unseen [i]"),
    Field("lead_turn", "i2", (MAX_CELLS + 1,), "Turn after which the lead was noted [repair]"),
    Field("lead", "i2", (MAX_CELLS + 1,), "Score of seat 0 minus score of seat 1 after that turn [repair]"),
]

GAME_LOG = [
    scalar("decided_by", Decided, "What decided the game"),
    scalar("margin", "i2", "Difference of the scores"),
    scalar("repairs", "i2", "Repairs"),
    scalar("salvages", "i2", "Salvages, empty ones not counted"),
    scalar("empty_salvages", "i2", "Empty salvages"),
    scalar("salvaged_cards", "i2", "Cards salvaged"),
    scalar("salvaged_value", "i2", "Value of the cards salvaged"),
    scalar("bonus_A", "i2", "PLACE bonuses used"),
    scalar("bonus_R", "i2", "REMOVE bonuses used"),
    scalar("bonus_P", "i2", "POP bonuses used"),
    scalar("bonus_cascade", "i2", "Bonuses used from another card than the one just played"),
    scalar("chain_max", "i2", "Most bonuses used in one repair"),
    scalar("chain_cubes", "i2", "Cubes placed or removed by bonuses in the repair with the most bonuses"),
    scalar("cubes_by_payment", "i2", "Cubes placed as payment"),
    scalar("cubes_by_place", "i2", "Cubes placed by PLACE"),
    scalar("cubes_removed", "i2", "Cubes removed"),
    scalar("removal_blocked", "i2", "Opposing cards in the cross of a REMOVE that lost nothing"),
    scalar("overpay_points", "i2", "Points overpaid, before the cap"),
    scalar("scrap_same_colour", "i2", "Repairs paid with the module's colour"),
    scalar("neutral_plays", "i2", "Repairs without a cube"),
    scalar("neutral_captured", "i2", "Neutral cards that received a cube from a PLACE"),
    scalar("neutralised", "i2", "Cards that lost their last cube"),
    scalar("vote_flips", "i2", "Tokens changed after a repair"),
    scalar("population_added", "i2", "Population added by POP"),
    scalar("population_added_own", "i2", "Population added by POP to lines voting for the player"),
    scalar("population_added_opposing", "i2", "Population added by POP to lines voting for the opponent"),
    scalar("population_total", "i2", "Population on all lines at the end"),
    scalar("population_uncontested", "i2", "Population at the end on lines never contested"),
    scalar("lines_uncontested", "i1", "Lines in which never both players had cubes"),
    scalar("modules_on_grid", "i1", "Modules on the grid at the end"),
    scalar("lines_without_module", "i1", "Lines without a module at the end"),
    scalar("hand_cards_left", "i1", "Cards left in both hands"),
    scalar("lead_changes", "i2", "Changes of the leader"),
    scalar("last_lead_change", "i2", "Turn of the last change of the leader, 0 = none"),
    scalar("lead_quarter_1", "i2", "Score lead of seat 0 after a quarter of the turns"),
    scalar("lead_quarter_2", "i2", "Score lead of seat 0 after half of the turns"),
    scalar("lead_quarter_3", "i2", "Score lead of seat 0 after three quarters of the turns"),
    scalar("comeback", "i1", "1 = the winner was behind after half of the turns"),
    scalar("largest_swing", "i2", "Largest change of the score lead in one turn"),
    scalar("deck_empty_turn", "i2", "Turn in which the deck ran out, 0 = before play, -1 = never"),
    scalar("solo_turns", "i2", "Turns taken after the other player had stopped"),
    scalar("first_module_cell", "i1", "Cell of the first module, -1 = none"),
    scalar("cubes_max", "i2", "Most cubes that one player ever had on the grid"),
    scalar("cubes_over_40", "i1", "1 = a player had more than 40 cubes on the grid"),
    scalar("population_over_100", "i1", "1 = the population exceeded 100"),
]

TRACE_LOG = [
    scalar("hand", "i1", "Cards in hand"),
    scalar("cubes", "i2", "Cubes on the grid"),
    scalar("modules", "i1", "Modules owned"),
    scalar("lines", "i1", "Lines voting for the player"),
]

SEAT_LOG = [
    scalar("turns", "i2", "Turns taken"),
    scalar("repairs", "i2", "Repairs"),
    scalar("salvages", "i2", "Salvages, empty ones not counted"),
    scalar("salvaged_cards", "i2", "Cards salvaged"),
    scalar("salvaged_value", "i2", "Value of the cards salvaged"),
    scalar("dealt_total", "i1", "Value of the cards dealt (after redraws)"),
    scalar("kept_cards", "i1", "Cards kept at the start"),
    scalar("kept_total", "i1", "Value of the cards kept at the start"),
    scalar("kept_pairs", "i1", "Pairs of one colour among the cards kept"),
    scalar("infeasible", "i1", "1 = no subset had the exact total"),
    scalar("redraws", "i1", "Hands redrawn because no subset had the exact total"),
    scalar("mulligan", "i1", "1 = used the mulligan"),
    scalar("initial_population", "i2", "Population voting for the player at the start"),
    scalar("first_repair_turn", "i2", "Turn of the first repair, 0 = none"),
    scalar("stop_turn", "i2", "Turns completed when the player stopped, -1 = never"),
    scalar("turns_at_hand_limit", "i2", "Turns begun with a full hand"),
    scalar("hand_left", "i1", "Cards left in hand"),
    scalar("cubes_by_payment", "i2", "Cubes placed as payment"),
    scalar("cubes_by_place", "i2", "Cubes placed by PLACE"),
    scalar("cubes_removed", "i2", "Opposing cubes removed"),
    scalar("cubes_on_grid", "i2", "Cubes on the grid at the end"),
    scalar("cubes_max", "i2", "Most cubes ever on the grid"),
    scalar("modules_owned", "i1", "Modules owned at the end"),
    scalar("bonuses", "i2", "Bonuses used"),
    scalar("neutral_plays", "i2", "Repairs without a cube"),
    scalar("captures", "i2", "Neutral cards captured by PLACE"),
    scalar("population_added", "i2", "Population added by POP"),
    scalar("lines_won", "i1", "Lines voting for the player at the end"),
]
