"""Lunar Outpost: the component tables: tiles, buildings, modifiers, events (LO-1, LO-13)."""

from functools import cache
from typing import Any

import numpy as np

from simkit.engine.components import Cells, KeyedTable, keyed_table, option_table
from simkit.engine.fields import Field, scalar
from simkit.engine.game import Column
from simkit.games.lunar_outpost import facts
from simkit.games.lunar_outpost.facts import (
    BUILDINGS,
    DATA,
    DIRECTIONS,
    EVENTS,
    EVERY_EDGE,
    MODS,
    MOST,
    TILES,
    Kind,
    Mod,
)
from simkit.games.lunar_outpost.options import OPTIONS

NUMBERS = {
    "cost": "Price, in cubes", "defence": "Own defence, troops", "vp": "Victory points",
    "tokens": "Tokens of a seat", "storage": "Building slots, cubes",
}  # fmt: skip
TABLES = [
    Field("tile_kind", "i1", (TILES,), "Kind of a tile [tile]"),
    Field("tile_cubes", "i1", (TILES,), "Cubes of its deposit when it is placed, 0 without one [tile]"),
    Field("tile_slots", "i1", (TILES,), "Terrain slots of a tile [tile]"),
    Field("tile_defence", "i1", (TILES,), "Terrain bonus of a tile [tile]"),
    Field("tile_edges", "i1", (TILES, DIRECTIONS), "Passable edges, bit d = direction d [tile, rotation]"),
    Field("tile_turns", "i1", (TILES,), "Rotations that look different, bit rho = rotation rho [tile]"),
    Field("tile_fits", "i8", (TILES, EVERY_EDGE + 1),
          "Into which cells it fits, bit p = passable edges p [tile, edges that face a tile]"),
    *(Field(number, "i1", (len(BUILDINGS),), f"{meaning} [building]") for number, meaning in NUMBERS.items()),
    Field("mod_base", "i1", (MODS,), "Value without events [modifier]"),
    Field("mod_least", "i1", (MODS,), "Lowest value [modifier]"),
    Field("mod_most", "i1", (MODS,), "Highest value [modifier]"),
    Field("event_category", "i1", (EVENTS,), "Category [event]"),
    Field("event_points", "i1", (EVENTS,), "Printed victory points [event]"),
    Field("event_delta", "i1", (EVENTS, MODS), "What an active event adds [event, modifier]"),
    Field("layout", "i1", (MOST + 1, 2 * MOST, 4), "Tile, q, r, rotation [number of seats, board index, of]"),
    Field("seat_cubes", "i2", (MOST,), "Cubes of a starting dome, if it has the slots [seat]"),
    Field("seat_vp", "i2", (MOST,), "Extra victory points [seat]"),
    scalar("hand_dealt", "i2", "Event cards dealt to each seat"),
]  # fmt: skip


def printed_events(options: dict[str, Any]) -> Cells:
    """Return points and effects of the event cards."""
    usual = dict.fromkeys(("vp", *Mod.__members__), 0)
    return {card["name"]: usual | {"vp": card["vp"]} | card["effects"] for card in DATA["events"]["list"]}


_REPLACED = {"dome_rate": "dome_output", "excavator_rate": "excavator_output", "tower_support": "tower_bonus"}
_EVENT = [Column("vp", high=9), *(Column(mod, low=-3, high=3) for mod in Mod.__members__)]
_PATTERNS = {number: f"{{}}_{number}" for number in NUMBERS}  # dome_cost
FILES = {
    "buildings": option_table("building", BUILDINGS, _PATTERNS, OPTIONS),
    "events": keyed_table("event", dict.fromkeys(facts.EVENT_NAMES, _EVENT), printed_events),
}


def build(options: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    """Return the tables that follow from the data file and the options in force."""
    mods = DATA["modifiers"]["list"]
    starting = options["starting_intel"] if options["events"] else 0
    return tiles() | events(files.get("events") or KeyedTable(printed_events(options))) | {
        number: [options[f"{building}_{number}"] for building in BUILDINGS] for number in NUMBERS
    } | {
        "mod_base": [options.get(_REPLACED.get(its["name"], ""), its["base"]) for its in mods],
        "mod_least": [its["min"] for its in mods],
        "mod_most": [its["max"] for its in mods],
        "layout": layouts(),
        "seat_cubes": [options["starting_resources"] + options[f"seat_bonus_{seat}"] for seat in range(MOST)],
        "seat_vp": [options[f"seat_vp_{seat}"] for seat in range(MOST)],
        "hand_dealt": starting + options["starting_intel_extra"] if starting else 0,
    }  # fmt: skip


def turned(edges: str, rotation: int) -> int:
    """Return the passable edges of a tile as placed, bit d = direction d (LO-1.4)."""
    return sum(1 << d for d in range(DIRECTIONS) if edges[(d - rotation) % DIRECTIONS] == "P")


def fitting(shown: list[int], there: int) -> int:
    """Return what a tile may show to the tiles around a cell, as 64 bits, the highest the sign (LO-8.3)."""
    fits = sum(1 << passes for passes in {edges & there for edges in shown})
    return fits - (fits >> EVERY_EDGE << EVERY_EDGE + 1)


@cache
def tiles() -> dict[str, Any]:
    """Return the tiles; of rotations that look alike only the smallest counts (LO-8.6)."""
    its = DATA["tiles"]["list"]
    edges = [[turned(tile["edges"], rotation) for rotation in range(DIRECTIONS)] for tile in its]
    return {
        "tile_kind": [Kind[tile["kind"]] for tile in its],
        "tile_cubes": [tile["cubes"] for tile in its],
        "tile_slots": [tile["slots"] for tile in its],
        "tile_defence": [tile["defence"] for tile in its],
        "tile_edges": edges,
        "tile_turns": [sum(1 << row.index(shown) for shown in set(row)) for row in edges],
        "tile_fits": [[fitting(row, there) for there in range(EVERY_EDGE + 1)] for row in edges],
    }


def events(table: KeyedTable) -> dict[str, Any]:
    """Return the tables of the event cards."""
    return {
        "event_category": [card["category"] for card in DATA["events"]["list"]],
        "event_points": [row["vp"] for row in table.cells.values()],
        "event_delta": [[row[mod] for mod in Mod.__members__] for row in table.cells.values()],
    }


@cache
def layouts() -> np.ndarray:
    """Return the starting tiles and deposits by number of seats (LO-2.2)."""
    result = np.full((MOST + 1, 2 * MOST, 4), facts.NOBODY)
    for seats in range(2, MOST + 1):
        rows = [[its["tile"], its["q"], its["r"], its["rot"]] for its in DATA["setup"][f"p{seats}"]]
        result[seats, : len(rows)] = rows
    return result
