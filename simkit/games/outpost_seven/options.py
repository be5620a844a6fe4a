"""Outpost Seven: the options (O7-9). The default is the rulebook's."""

from simkit.engine.options import choice, flag, integer

from . import facts

FIRST, SECOND = 0, 1  # seats, as long as `start_choice` is fixed
TOTALS = {"start_rule": ("keep_exact", "keep_at_most", "random_exact", "draft")}
COUNTS = {"start_rule": ("keep_count", "deal_count")}
EXACT = {"start_rule": ("keep_exact", "random_exact")}
CHOSEN = {"start_rule": ("keep_exact", "keep_at_most", "keep_count")}
REDRAWN = {"start_rule": ("keep_exact", "keep_at_most", "keep_count", "random_exact")}

STARTING_HANDS = [
    integer("start_total_first", 12, 0, 48, "O7-2.9",
            "Total value of the cards that the first player keeps, exactly or as near as the cards allow",
            label="first player's card total", values="keep {}", treats=(FIRST,), needs=TOTALS),
    integer("start_total_second", 16, 0, 48, "O7-2.9",
            "Total value of the cards that the second player keeps, exactly or as near as the cards allow",
            label="second player's card total", values="keep {}", treats=(SECOND,), needs=TOTALS),
    choice("start_rule", facts.StartRule.keep_exact, "O7-2.11", "How starting hands arise",
           label="starting hands",
           values={"keep_exact": "keep an exact total", "keep_at_most": "keep at most a total",
                   "keep_count": "keep a fixed number of cards", "deal_count": "deal a fixed number of cards",
                   "random_exact": "keep an exact total at random", "draft": "draft from the open cards"}),
    integer("start_count_first", 2, 0, 8, "O7-2.11", "Cards of the first player, if that number is fixed",
            label="first player's cards", values="{} cards", treats=(FIRST,), needs=COUNTS),
    integer("start_count_second", 3, 0, 8, "O7-2.11", "Cards of the second player, if that number is fixed",
            label="second player's cards", values="{} cards", treats=(SECOND,), needs=COUNTS),
    choice("start_infeasible", facts.Infeasible.closest_below, "O7-2.10", "Where no subset has the total",
           label="total out of reach", needs=EXACT,
           values={"closest_below": "the nearest total below", "closest": "the nearest total",
                   "redraw": "redraw the cards"}),
    choice("start_order", facts.StartOrder.first_then_second, "O7-2.8", "Who chooses the starting hand first",
           label="first to choose a hand", treats=(FIRST, SECOND), needs=CHOSEN,
           values={"first_then_second": "the first player", "second_then_first": "the second player"}),
    choice("start_choice", facts.StartChoice.fixed, "O7-2.13", "Whether player 0 chooses who starts",
           label="who starts", treats=(FIRST,), values={"fixed": "red", "player0_chooses": "as red chooses"}),
    choice("mulligan", facts.Mulligan.none, "O7-2.12", "Who may redraw the dealt cards once",
           label="mulligan for", treats=(SECOND,), needs=REDRAWN,
           values={"none": "nobody", "second": "the second player", "both": "both players"}),
    integer("mulligan_cost", 0, 0, 6, "O7-2.12", "By how much a redraw lowers the target",
            label="a mulligan costs", values="{} of the total", needs={"mulligan": ("second", "both")}),
    integer("second_bonus_population", 0, 0, 10, "O7-2.14", "Population the second player adds to one line",
            label="second player adds population", values="add {}", treats=(SECOND,)),
    integer("komi_half_points", 0, 0, 60, "O7-8.5",
            "Half points added to the second player's final score (`final_score`; `score` leaves them out)",
            label="komi for the second player", values="{} half points", treats=(SECOND,)),
    integer("first_turn_salvage_limit", 0, 0, 30, "O7-4.7",
            "Salvage limit of the very first turn, 0 = as always, else 6 to 30",
            label="salvage limit of the first turn", treats=(FIRST,), values={"0": "as always"}),
]  # fmt: skip

TURNS = [
    integer("deal_size", 7, 0, 8, "O7-2.5", "Cards dealt to each player", label="cards dealt"),
    integer("initial_discards", 10, 0, 30, "O7-2.6", "Cards discarded before play", label="first discards"),
    integer("faceup", 5, 1, 8, "O7-2.7", "Cards in the offer", label="cards in the offer"),
    integer("salvage_limit", 12, 6, 30, "O7-4.1", "Greatest total value of one salvage", values="salvage {}"),
    integer("hand_limit", 7, 2, 10, "O7-4.2", "Most cards in a hand", values="{} cards"),
    flag("allow_empty_salvage", False, "O7-4.3", "Taking nothing is a legal turn", label="empty salvage",
         values={"false": "forbidden", "true": "allowed"}),
]  # fmt: skip

CARDS_AND_CUBES = [
    choice("card_set", facts.CardSet.v42, "O7-1.4", "Layouts of the module cards",
           values={"v42": "published v42", "v40": "reconstructed v40", "v40r": "v40 with one more REMOVE",
                   "no_bonus": "no bonuses", "plain_top": "plain top spaces",
                   "late_bonus": "bonuses at the bottom", "removal_heavy": "more REMOVE",
                   "population_heavy": "more POP"}),
    choice("bonus_origin", facts.BonusOrigin.played, "O7-6.3", "The cross on which a bonus acts",
           label="bonuses act around", values={"played": "the new module", "bonus_card": "their own card"}),
    choice("removal_rule", facts.RemovalRule.lock, "O7-6.5", "What a cube on a bonus space protects",
           label="a cube on a bonus space", values={"lock": "locks the cubes above", "skip": "is skipped"}),
    flag("allow_neutral_play", True, "O7-5.8", "Repairs that place no cube are legal",
         label="neutral modules", values={"false": "forbidden", "true": "allowed"}),
    flag("place_on_neutral", True, "O7-6.4", "PLACE also reaches neutral cards",
         label="PLACE on neutral modules", values={"false": "no cube", "true": "a cube"}),
    integer("cubes_same_colour", 1, 0, 3, "O7-5.5", "Cubes for a scrap of the module's colour",
            label="cubes for the same colour"),
    integer("cubes_per_overpay", 1, 0, 3, "O7-5.5", "Cubes per point overpaid"),
    integer("cubes_per_play", 0, 0, 3, "O7-5.5", "Cubes of every repair", label="cubes of every repair"),
    integer("population_per_card", 1, 0, 3, "O7-6.6", "Population per card that a POP counts"),
]  # fmt: skip

GRID_AND_END = [
    integer("rows", 5, 3, 6, "O7-2.2", "Rows of the grid", values="{} rows"),
    integer("cols", 5, 3, 6, "O7-2.2", "Columns of the grid", label="columns", values="{} columns"),
    integer("uniform_population", 0, 0, 6, "O7-2.3", "Initial population of every line, 0 = as on its card",
            label="initial population", values={"0": "as on its card"}),
    choice("initial_votes", facts.InitialVotes.alternate, "O7-2.4", "Tokens before the first cube",
           values={"alternate": "alternating, red first", "swapped": "alternating, yellow first",
                   "random": "alternating, shuffled", "none": "nobody's"}),
    flag("border_colours", False, "O7-2.2", "Border cards have a colour that counts for POP",
         values={"false": "none", "true": "count for POP"}),
    choice("adjacency", facts.Adjacency.orthogonal, "O7-5.3", "Where a module may be connected",
           label="a module connects", values={"orthogonal": "by an edge", "king": "by an edge or corner",
                                              "none": "anywhere"}),
    choice("first_cell", facts.FirstCell.any, "O7-5.3", "Where the first module may go", label="first module",
           values={"any": "in any cell", "centre": "in the centre"}),
    integer("cube_supply", 0, 0, 80, "O7-1.7", "Cubes per player, 0 = unlimited", label="cubes of a player",
            values={"0": "unlimited"}),
    flag("play_on_after_stop", True, "O7-3.6", "The other player goes on after one has stopped",
         label="when a player has stopped", values={"false": "the game ends", "true": "the other plays on"}),
    choice("tie_break", facts.TieBreak.cubes, "O7-8.3", "What breaks a tie in population",
           values={"cubes": "cubes on the grid", "lines": "lines won", "modules": "modules owned",
                   "none": "nothing"}),
    choice("final_tie", facts.FinalTie.draw, "O7-8.4", "Who wins if the tie-break is tied, too",
           label="second tie-break", treats=(FIRST, SECOND),
           values={"draw": "is a draw", "first": "goes to the first player",
                   "second": "goes to the second player"}),
]  # fmt: skip

OPTIONS = [*STARTING_HANDS, *TURNS, *CARDS_AND_CUBES, *GRID_AND_END]
