"""Red Outpost: its words: resources, workers, locations, phases, cards, decisions, actions (RO-1, RO-10)."""

from enum import IntEnum
from pathlib import Path
from typing import Any

from simkit.engine.actions import Actions
from simkit.engine.toml_files import read_toml

DATA: dict[str, Any] = read_toml(Path(__file__).with_name("components.toml"))
_IDS = DATA["ids"]

Resource = IntEnum("Resource", "wool wheat fish coal", start=0)
Worker = IntEnum("Worker", "shepherd farmer fisherman miner commissar bureaucrat", start=0)
Phase = IntEnum("Phase", "morning day1 lunch day2 evening", start=0)
Location = IntEnum(
    "Location",
    "pasture palace farm beer_house storehouse administration spaceship mine field_kitchen lake labor_camp"
    " barracks",
    start=0,
)
RESOURCE_NAMES, WORKER_NAMES, LOCATION_NAMES = _IDS["resources"], _IDS["workers"], _IDS["locations"]
RESOURCES, WORKERS, LOCATIONS, PHASES = len(Resource), len(Worker), len(Location), len(Phase)

KITCHEN, BARRACKS = 1 << Location.field_kitchen, 1 << Location.barracks  # sets of locations: bit L
ORDINARY = (1 << LOCATIONS) - 1 - KITCHEN - BARRACKS
EVERYONE = (1 << WORKERS) - 1  # a set of workers: bit w
MOST = 4  # seats
CARDS, LOCATION_CARDS = 18, 12  # special cards, the location cards among them first
MOST_DEALT = 3  # special cards of a kind that a seat is dealt
MOST_SPACES = 17  # of a mood track (RO-1.6)
MOST_EXPORTS = 7  # fixed spaces of an export track (RO-1.8)
LAKE_KINDS, LAKE_CARDS, FISH_CARDS = 3, 6, 3
SHIP_KINDS, MOST_SHIP_CARDS = 11, 16
CHOICE = RESOURCES  # of a spaceship card: the resource is of choice
NOBODY = -1

# Special cards by their printed number (RO-6).
Card = IntEnum(
    "Card",
    "pasture palace farm beer_house storehouse administration spaceship mine field_kitchen lake labor_camp"
    " barracks shepherd farmer fisherman miner commissar bureaucrat",
    start=1,
)

# What is being decided (RO-10.2); on none the game goes on by itself.
Decision = IntEnum(
    "Decision",
    "none card_keep lunch_down move disk alt palace farm_res beer_gain beer_lose store_opt store_gain"
    " store_lose admin_from admin_to ship_res ship_export lake_pre lake_src lake_pick lake_post miner_extra"
    " commissar_donate fish_worker fish_loc barr_from barr_to",
    start=0,
)
# What comes next when nobody decides (RO-3.8, RO-10.5).
Stage = IntEnum(
    "Stage",
    "keep phase lay_down turn disk alt visit lake_draw lake_pick lake_post export extra donate fisher"
    " end_turn end_phase sleepers close_phase",
    start=0,
)
# Action ids (RO-10.2): of MOVE; of ADMIN_FROM, besides NO; of DISK; of STORE_OPT, where the type of the cube
# follows mood, sell and buy.
MOVE = Actions(worker=WORKERS, location=LOCATIONS)
SHIFT = Actions(first=1, seat=MOST, worker=WORKERS)
Disk = IntEnum("Disk", "normal store release forgo", start=0)
Store = IntEnum("Store", {"nothing": 0, "mood": 1, "sell": 5, "buy": 9})
Palace = IntEnum("Palace", {"nothing": 0, "donate": 1, "portrait": 2})  # 2 + worker
NO = 0  # of the decisions whose other actions are counted from 1
End = IntEnum("End", "unfinished rounds_played", start=0)
