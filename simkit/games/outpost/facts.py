"""Outpost: its words: products, upgrades, things to buy, sites, decisions and their actions (OP-1, OP-9)."""

from __future__ import annotations

import tomllib
from enum import IntEnum
from pathlib import Path
from typing import Any

DATA: dict[str, Any] = tomllib.loads((Path(__file__).parent / "components.toml").read_text(encoding="utf-8"))


class Product(IntEnum):
    """What a production card is of (OP-1.1)."""

    ore, water, titanium, research, microbiotics = range(5)
    new_chemicals, orbital_medicine, ring_ore, moon_ore = range(5, 9)


class Upgrade(IntEnum):
    """The upgrades by printed number, less 1; the last three are special (OP-1.1)."""

    data_library, warehouse, heavy_equipment, nodule, scientists, orbital_lab, robots = range(7)
    laboratory, ecoplants, outpost, space_station, planetary_cruiser, moon_base = range(7, 13)


class Thing(IntEnum):
    """What is bought besides upgrades: factories, then operators (OP-5.15 to OP-5.22)."""

    ore, water, titanium, research, new_chemicals, population, robot = range(7)


class Site(IntEnum):
    """What is operated: factories, then specials (OP-1.1)."""

    ore, water, titanium, research, new_chemicals, space_station, planetary_cruiser, moon_base = range(8)


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
MOST_COPIES = 7  # of an upgrade (OP-1.6)
MOST_AT_ONCE = 64  # pieces of one purchase (OP-5.17)
WIDEST_RAISE = 1023  # a bid is at most so much above the least one (OP-9.4)
JUMP_STEP = 16  # a jump is named as 16 * first part + second part (OP-9.5)
NOBODY = -1


class Decision(IntEnum):
    """What is being decided (OP-9.1); on none the turn goes on by itself."""

    none, main, qty, bid, jump_hi, jump_lo, pay, mega, discard, assign, honor = range(11)
    t_player, t_item, t_card, t_response = range(11, 15)


class Main(IntEnum):
    """Actions of MAIN: open + upgrade and buy + thing are ranges (OP-9.2)."""

    end, open, buy, water_deal, attack = 0, 1, 14, 21, 22


class Bid(IntEnum):
    """Actions of BID (OP-9.4)."""

    drop, least, jump = range(3)


class Honor(IntEnum):
    """Actions of HONOR (OP-9.10)."""

    default, pay = range(2)


class Response(IntEnum):
    """Actions of T_RESPONSE (OP-9.11)."""

    keep_out, join, defend = range(3)


DONE = KINDS  # the action of T_CARD that spends no more (OP-9.11)
ITEM_FACTORY = TYPES  # items of T_ITEM: upgrades, then factories (OP-9.11)
ITEMS = ITEM_FACTORY + FACTORIES


class Purpose(IntEnum):
    """What a payment is for."""

    factory, population, robots, upgrade, penalty = range(5)


class Side(IntEnum):
    """On which side of an attack credits are spent (OP-8.4)."""

    attack, defence = range(2)


class Step(IntEnum):
    """The part of a turn that goes round the table, by its number in the sequence (OP-3.0)."""

    setup, production, early_discard, actions, operators, late_discard = 0, 3, 4, 5, 6, 7


class End(IntEnum):
    """Why the game ended (OP-7)."""

    unfinished, victory, turn_cap, death_spiral = range(4)
