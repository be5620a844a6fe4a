"""Exoplanet Colony: the options (EX-10). Ranges, defaults, clauses: components.toml; words here."""

from enum import IntEnum

from simkit.engine.options import option_maker
from simkit.games.exoplanet_colony.facts import CHARACTER_NAMES, DATA, LEVELS, MOST, Character

Ruleset = IntEnum("Ruleset", "rulebook introductory patient endurance", start=0)
Per = IntEnum("Per", "turn round", start=0)
Characters = IntEnum("Characters", "random none", start=0)
Cast = IntEnum(  # any, or a Character
    "Cast",
    "any none medic engineer architect pilot scientist comms_officer biochemist quartermaster",
    start=-1,
)
Transfer = IntEnum("Transfer", "both give take none", start=0)
Range = IntEnum("Range", "any module", start=0)
_CHOICES = {
    "ruleset": Ruleset, "update_per": Per, "event_per": Per, "characters": Characters, "transfer": Transfer,
    "medic_range": Range,
} | {f"character_{seat}": Cast for seat in range(MOST)}  # fmt: skip

_option = option_maker(DATA["options"], _CHOICES)

_PLACES = ("first", "second", "third", "fourth", "fifth")
_PER = {"turn": "in every turn", "round": "once a round"}
_CAST = {"any": "drawn"} | {member.name: CHARACTER_NAMES[member] for member in Character}

TASK = [
    _option("ruleset", "Ready-made rules: sets other options, unless they are given", "rule set"),
    _option("scenario", "1 is the easiest", "scenario"),
    _option("production_offset", "To each of the four productions", "production added at the start",
            values="{:+}"),
    _option("supply_offset", "To each of the four supplies", "supply added at the start",
            values="{:+}"),
    _option("win_production", "Least production of every resource that wins", "production that wins"),
    *(_option(f"track_{level}", f"Actions on space {level} of the emergency track; 0 = the skull",
              f"actions at level {level}") for level in range(LEVELS)),
]  # fmt: skip

CLOCK = [
    _option("piles", "Piles of which the event deck is stacked", "piles of events"),
    _option("normals_per_pile", "Normal events in each pile"),
    _option("criticals_per_pile", "Critical events in each pile"),
    _option("grace_turns", "Turns without an event at the start", "turns of grace"),
    _option("update_per", "When supplies change", "supplies change", values=_PER),
    _option("event_per", "When an event is revealed", "events", values=_PER),
]  # fmt: skip

HANDS = [
    _option("initial_hand", "Cards in each starting hand, which never begins above the hand limit",
            "starting hand", values="{} cards"),
    _option("hand_by_seats", "Fewer than four seats start with more cards: three with 1, two with 2",
            "more cards for fewer seats"),
    _option("late_seat_cards", "Starting cards more for each place later in the order of turns",
            "cards for late seats", values="{} each", treats=tuple(range(MOST))),
    _option("initial_choice", "Starting cards dealt in addition, to be discarded again",
            "choice of the starting hand", values="{} more"),
    _option("hand_limit", "Most cards in a hand", "hand limit"),
    _option("remove_modules", "Modules that leave the game, drawn", "modules left out"),
    _option("n_items", "Items in the deck", "items"),
    _option("n_plans", "Plans in the deck", "plans"),
]  # fmt: skip

CREW = [
    _option("start_player", "Seat that starts, counted round; -1 = drawn", "start player",
            values={"-1": "drawn", "{}": "seat {}"}, treats=tuple(range(MOST))),
    _option("characters", "Characters of the seats for which none is named",
            values={"random": "drawn", "none": "none"}),
    *(_option(f"character_{seat}", f"Character of the {place} seat", treats=(seat,), values=_CAST)
      for seat, place in enumerate(_PLACES)),
]  # fmt: skip

ACTIONS = [
    _option("draw_cards", "Cards of a Draw action", "cards of a Draw"),
    _option("transfer", "Which Transfers are allowed", "Transfers",
            values={"both": "give and take", "give": "give only", "take": "take only", "none": "none"}),
    _option("deploy_anywhere", "Modules are deployed anywhere next to the base", "deploy anywhere"),
    _option("generate_amount", "Supply of a Generate action"),
    _option("recover_cards", "Cards that a Recover action costs", "cards of a Recover"),
    _option("medic_range", "Whom the Medic reaches", "reach of the Medic",
            values={"any": "anybody", "module": "the own module"},),
    _option("item_cost", "Actions that an item costs", "price of an item"),
    _option("item_supply_amount", "Supply of a Supply Capsule"),
    _option("offturn_plans", "Plans are played in turns of others too", "plans in turns of others"),
]  # fmt: skip

TOKENS = [
    _option("loss_tokens", "Loss tokens of each resource"),
    _option("emergency_tokens", "Emergency tokens"),
    _option("shutdown_tokens", "Shutdown tokens"),
    _option("health", "Health issues make ill", "health issues"),
]  # fmt: skip

OPTIONS = [*TASK, *CLOCK, *HANDS, *CREW, *ACTIONS, *TOKENS]
PRESETS = {"ruleset": DATA["presets"]["ruleset"]}
