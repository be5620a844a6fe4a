"""Outpost: its words: products, upgrades, things to buy, sites, decisions and their actions (OP-1, OP-9)."""

from enum import IntEnum
from pathlib import Path
from typing import Any

from simkit.engine.actions import Actions
from simkit.engine.toml_files import read_toml

DATA: dict[str, Any] = read_toml(Path(__file__).with_name("components.toml"))

# What cards are of; upgrades by printed number, less 1, the last three special; what is operated: factories,
# then specials; what is bought besides upgrades: factories, then operators (OP-1.1, OP-5.15 to OP-5.22).
Product = IntEnum(
    "Product",
    "ore water titanium research microbiotics new_chemicals orbital_medicine ring_ore moon_ore",
    start=0,
)
Upgrade = IntEnum(
    "Upgrade",
    "data_library warehouse heavy_equipment nodule scientists orbital_lab robots laboratory ecoplants outpost"
    " space_station planetary_cruiser moon_base",
    start=0,
)
Site = IntEnum(
    "Site", "ore water titanium research new_chemicals space_station planetary_cruiser moon_base", start=0
)
Thing = IntEnum("Thing", "ore water titanium research new_chemicals population robot", start=0)

PRODUCTS, TYPES, SITES = len(Product), len(Upgrade), len(Site)
ORDINARY = 10  # upgrades before the specials
FACTORIES = 5  # kinds of factory, the first things and sites
SPECIAL = ORDINARY - FACTORIES  # a special site's upgrade is so much higher
PRODUCT_NAMES, UPGRADE_NAMES, SITE_NAMES = ([m.name for m in words] for words in (Product, Upgrade, Site))
FACTORY_NAMES = SITE_NAMES[:FACTORIES]

KINDS, REAL, MEGA, IOU = 69, 57, 57, 60  # kinds of card: 0..56 real, 57..59 mega-cards, 60..68 IOUs (OP-1.3)
MEGAS = IOU - MEGA  # products that have mega-cards (OP-4.4)
MOST = 10  # seats
LIMIT = 250  # factories of a kind, population, robots of a seat; turns (OP-1.5, OP-7.4)
NOBODY = -1

# What is being decided (OP-9.1); on none the turn goes on by itself.
Decision = IntEnum(
    "Decision",
    "none main qty bid jump_hi jump_lo pay mega discard assign honor t_player t_item t_card t_response",
    start=0,
)
# Action ids: of MAIN (open + upgrade and buy + thing are ranges), BID, HONOR, T_RESPONSE (OP-9.2 to OP-9.11).
Main = IntEnum("Main", {"end": 0, "open": 1, "buy": 14, "water_deal": 21, "attack": 22})
Bid = IntEnum("Bid", "drop least jump", start=0)
Honor = IntEnum("Honor", "default pay", start=0)
Response = IntEnum("Response", "keep_out join defend", start=0)
JUMP = Actions(high=64, low=16)  # the two parts by which a jump over the least bid is named (OP-9.5)
DONE = KINDS  # of T_CARD: no more is spent
ITEM_FACTORY = TYPES  # of T_ITEM: upgrades, then factories
ITEMS = ITEM_FACTORY + FACTORIES

# What a payment is for; where the credits of an attack are spent (OP-8.4); the part of the turn that goes
# round the table, by its number in the sequence (OP-3.0); why the game ended (OP-7).
Purpose = IntEnum("Purpose", "factory population robots upgrade penalty", start=0)
Side = IntEnum("Side", "attack defence", start=0)
Step = IntEnum(
    "Step", {"setup": 0, "production": 3, "early_discard": 4, "actions": 5, "operators": 6, "late_discard": 7}
)
End = IntEnum("End", "unfinished victory turn_cap death_spiral", start=0)
