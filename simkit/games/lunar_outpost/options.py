"""Lunar Outpost: the options (LO-14). Ranges, defaults and clauses stand in components.toml, words here."""

from collections.abc import Iterator
from enum import IntEnum

from simkit.engine.options import Option, integer, option_maker
from simkit.games.lunar_outpost.facts import BUILDINGS, DATA

StartChoice = IntEnum("StartChoice", "seat reverse random", start=0)
Unplaceable = IntEnum("Unplaceable", "discard redraw", start=0)
EventPoints = IntEnum("EventPoints", "hand_and_active hand_only all_disclosed none", start=0)
ConflictOrder = IntEnum("ConflictOrder", "choose index", start=0)
Razed = IntEnum("Razed", "removed returned", start=0)
TieBreak = IntEnum("TieBreak", "cubes_and_troops buildings none", start=0)
_CHOICES = {
    "start_choice": StartChoice, "unplaceable": Unplaceable, "event_vp": EventPoints,
    "conflict_order": ConflictOrder, "razed_tokens": Razed, "tie_break": TieBreak,
}  # fmt: skip


_option = option_maker(DATA["options"], _CHOICES)

_PLACES = ("first", "second", "third", "fourth")

START = [
    _option("starting_resources", "Cubes in each starting dome, no more than it has slots", "starting cubes"),
    *(_option(f"seat_bonus_{seat}", f"Extra starting cubes of the {place} seat", treats=(seat,),
              values="{:+} cubes") for seat, place in enumerate(_PLACES)),
    *(_option(f"seat_vp_{seat}", f"Extra victory points of the {place} seat", treats=(seat,),
              values="{:+} VP") for seat, place in enumerate(_PLACES)),
    _option("starting_troops", "Troops on each starting dome", "starting troops"),
    _option("starting_intel", "Event cards in each starting hand", "starting intel"),
    _option("starting_intel_extra", "Event cards dealt in addition, to be discarded again",
            "choice of the starting hand", values="{} more", needs={"starting_intel": (1, 2, 3)}),
    _option("start_choice", "Order in which seats choose a starting tile", "choice of starting tiles",
            values={"seat": "first seat first", "reverse": "last seat first", "random": "drawn order"}),
]  # fmt: skip

MAP = [
    _option("tiles_trim", "Tiles out of the game, unseen", "tiles left out"),
    _option("tile_choice", "Tiles drawn each turn, of which one is placed", "tiles to choose from"),
    _option("deposit_delta", "Cubes more on every deposit, at least one", "cubes of a deposit",
            values="{:+}"),
    _option("unplaceable", "What happens to a tile that fits nowhere", "unplaceable tiles",
            values={"discard": "discarded", "redraw": "drawn again"}),
]  # fmt: skip

WORK = [
    _option("dome_output", "Cubes that a dome generates in a turn", "output of a dome"),
    _option("excavator_output", "Cubes that an excavator takes from each deposit in a turn",
            "output of an excavator"),
    _option("extract_needs_passable", "Excavators reach deposits only over passable edges",
            "mining needs a passable edge"),
    _option("domes_anywhere", "Domes need no connection to own buildings", "domes anywhere"),
    _option("relocation", "Buildings may be relocated"),
]  # fmt: skip

INTEL = [
    _option("intel_cost", "Price of an event card, in cubes", "price of intel"),
    _option("intel_limit", "Most event cards in a hand when one is bought", "limit of intel"),
    _option("events", "Event cards are in the game"),
    _option("event_vp", "Which event cards score at the end", "points of event cards",
            values={"hand_and_active": "hand and active", "hand_only": "hand only",
                    "all_disclosed": "hand and all disclosed"}),
]  # fmt: skip

WAR = [
    _option("troop_cost", "Price of a troop, in cubes", "price of a troop"),
    _option("troop_limit", "Figures of each seat", "troops of a seat"),
    _option("recruit_per_barracks", "Most recruits of a barracks in a turn; 0 = no limit",
            "recruits of a barracks", values={"0": "no limit"}),
    _option("conflict_order", "Who orders several conflicts of a turn", "order of conflicts",
            values={"choose": "chosen", "index": "oldest tile first"}),
    _option("tower_bonus", "Defence that a tower lends to each neighbour", "support of a tower"),
    _option("tower_stack", "Support of several towers adds up", "towers add up"),
    _option("razed_tokens", "What happens to the token of a razed building", "razed buildings",
            values={"removed": "out of the game", "returned": "back to the supply"}),
    _option("siege_spend", "Own cubes beside another's building may be spent", "looting"),
    _option("siege_blocks", "A besieged building does not produce or recruit", "sieges block"),
]  # fmt: skip

FINISH = [
    _option("equal_turns", "The last round is completed", "equal turns"),
    _option("vp_end", "The game ends with so many points from buildings; 0 = off", "points that end it",
            values={"0": "off"}),
    _option("tie_break", "What decides between equal points", "tie-breaker",
            values={"cubes_and_troops": "cubes and troops"}),
]  # fmt: skip


def _numbers() -> Iterator[Option]:
    """Yield an option for every number of the buildings (LO-14)."""
    meanings = {
        "cost": "Price of {}, in cubes",
        "defence": "Defence of {}, troops",
        "vp": "Victory points of {}",
        "tokens": "Tokens of {} for each seat",
        "storage": "Building slots of {}, cubes",
    }
    short = {"cost": "price", "vp": "points", "storage": "slots"}
    for number, meaning in meanings.items():
        limits = DATA["component_options"][number]
        for building, data in zip(BUILDINGS, DATA["buildings"]["list"], strict=True):
            low = limits.get(f"min_{building}", limits["min"])
            noun = f"{'an' if building == 'excavator' else 'a'} {building}"
            yield integer(f"{building}_{number}", data[number], low, limits["max"], limits["clause"],
                          meaning.format(noun), label=f"{short.get(number, number)} of {noun}")  # fmt: skip


OPTIONS = [*START, *MAP, *WORK, *INTEL, *WAR, *FINISH, *_numbers()]
