"""Lunar Outpost: its words: hexes, buildings, events, phases, purchases, action ids (LO-1, LO-15)."""

from enum import IntEnum
from pathlib import Path
from typing import Any

from simkit.engine.actions import Actions
from simkit.engine.toml_files import read_toml

DATA: dict[str, Any] = read_toml(Path(__file__).with_name("components.toml"))

MOST = 4  # seats
TILES = len(DATA["tiles"]["list"])
MOST_CELLS = 2 * (TILES - 1) + 4  # empty cells next to the map (LO-8.7)
CUBES = DATA["box"]["resource_tokens"]
EVENTS, CATEGORIES = DATA["box"]["events"], DATA["box"]["category_cards"]
CATEGORY_NAMES = DATA["categories"]["names"]
MOST_HAND = 5  # event cards (LO-2.8)
MOST_OFFER = 3  # tiles to choose from (LO-8.8)
MOST_TURNS = 64
NOBODY = -1  # also: no tile, no building, no card

# Directions (LO-1.2): axial steps, and the place of a tile seen from its neighbour.
DIRECTIONS = 6
STEP_Q, STEP_R = (1, 1, 0, -1, -1, 0), (0, -1, -1, 0, 1, 1)
HERE = DIRECTIONS  # no step at all
_STEPS = [*zip(STEP_Q, STEP_R, strict=True), (0, 0)]
DIRECTION_OF = tuple(  # of the step (q, r) in place 3 q + r + 4
    _STEPS.index((q, r)) if (q, r) in _STEPS else NOBODY for q in (-1, 0, 1) for r in (-1, 0, 1)
)
EVERY_EDGE = (1 << DIRECTIONS) - 1

Kind = IntEnum("Kind", "start deposit barren location", start=0)
Building = IntEnum("Building", "dome excavator silo barracks tower barricade", start=0)
BUILDINGS = [building.name for building in Building]
Mod = IntEnum(  # the modifiers of LO-13.1
    "Mod",
    "dome_rate excavator_rate transport_rough transport_self_only cost_all cost_dome cost_excavator cost_silo"
    " cost_barracks cost_tower cost_barricade cost_relocate build_adjacent dome_connected defence_all"
    " tower_support cost_troop move_rough no_move deposit_bonus cost_intel vp_dome vp_excavator vp_silo"
    " vp_barracks vp_tower vp_barricade",
    start=0,
)
TYPES, MODS = len(Building), len(Mod)
EVENT_NAMES = [its["name"] for its in DATA["events"]["list"]]

# Who is asked what (LO-15); `none`: the turn goes on by itself.
Phase = IntEnum(
    "Phase",
    "none setup_dome intel conflict remove extract store generate place_cell place_rot spend target reloc_src"
    " pay move discard_intel tile",
    start=-1,
)
Buy = IntEnum("Buy", "construct recruit intel relocate", start=0)  # purchases

# Action ids (LO-15): of INTEL, of SPEND; of EXTRACT, PLACE_CELL and MOVE; what ends EXTRACT and MOVE, and
# what GENERATE; of STORE, whose last direction is the own tile, and of PAY.
PREVENT, HANDLED = 5, 10
DONE, CONSTRUCT, RECRUIT, BUY_INTEL, RELOCATE = 0, 1, 7, 8, 9
EDGE = Actions(tile=TILES, direction=DIRECTIONS)
ENOUGH, ENOUGH_CUBES = EDGE.stop, TILES
BUILDING_SLOT, TERRAIN_SLOT, OWN_TILE = 0, 1, DIRECTIONS
STORE, PAY = Actions(direction=DIRECTIONS + 1, kind=2), Actions(tile=TILES, kind=2)

# Where an event card is (LO-16); in the hand of seat s and discarded unseen by seat s: these plus s.
IN_DECK, IN_HAND, ACTIVE, FACE_UP, FACE_DOWN, HIDDEN = 0, 1, 5, 6, 7, -1

End = IntEnum("End", "unfinished last_tile elimination points", start=0)
