"""Exoplanet Colony: the component tables, from the data file and the options in force (EX-1, EX-13)."""

from typing import Any

import numpy as np

from simkit.engine.components import Cells, keyed_table
from simkit.engine.fields import Field, scalar
from simkit.engine.game import Column
from simkit.errors import UsageError
from simkit.games.exoplanet_colony.facts import (
    COLOUR_NAMES,
    DATA,
    EVENT_DATA,
    LEAST_PRODUCTION,
    LEVELS,
    MODULE_DATA,
    MODULES,
    MOST,
    MOST_OPS,
    MOST_PRODUCTION,
    MOST_SUPPLY,
    OP_LISTS,
    RESOURCE_NAMES,
    RESOURCES,
    Issue,
    Key,
    Op,
    Where,
    Who,
)
from simkit.games.exoplanet_colony.options import Cast

TABLES = [
    Field("start_production", "i1", (RESOURCES,), "Productions at the start [resource]"),
    Field("start_supply", "i1", (RESOURCES,), "Supplies at the start [resource]"),
    Field("cost", "i1", (MODULES, RESOURCES), "Cards of each colour that it costs [module, colour]"),
    Field("effect", "i1", (MODULES, RESOURCES),
          "What it adds to the productions in the scenario [module, resource]"),
    Field("track", "i1", (LEVELS,), "Actions at each level before the skull [level]"),
    scalar("skull", "i1", "Level of the skull"),
    Field("op_kind", "i1", (OP_LISTS, MOST_OPS), "What an op does [event or list of the scenario, op]"),
    Field("op_what", "i1", (OP_LISTS, MOST_OPS), "Its resource, issue, seats or list [list, op]"),
    Field("op_amount", "i1", (OP_LISTS, MOST_OPS), "Its supply or cards [list, op]"),
    Field("op_where", "i1", (OP_LISTS, MOST_OPS), "The modules that it may strike [list, op]"),
    Field("cast", "i1", (MOST,), "Character, 0 none, -1 drawn [seat]"),
    scalar("characters_out", "i2", "Characters that are not drawn, bit c = character c"),
    Field("hand_cards", "i1", (MOST + 1, MOST),
          "Cards of a starting hand [number of seats, place in the order of turns]"),
    scalar("event_cards", "i1", "Cards of the event deck"),
]  # fmt: skip
_WHAT = {"resource": RESOURCE_NAMES, "issue": list(Issue.__members__), "who": list(Who.__members__),
         "key": list(Key.__members__)}  # fmt: skip


def printed_modules(options: dict[str, Any]) -> Cells:
    """Return cost, effect and environment icon of the modules (EX-1.7)."""
    return {
        its["design"]: dict(zip(COLOUR_NAMES, its["cost"], strict=True))
        | dict(zip(RESOURCE_NAMES, its["effect"], strict=True))
        | {"icon": f"{its['env_icon']} {its['env_resource']}".replace("none none", "none")}
        for its in DATA["modules"]
    }


_ICONS = [f"{icon} {name}" for icon in ("pressure", "humidity", "radiation") for name in RESOURCE_NAMES]
_MODULE = [
    *(Column(colour, high=4) for colour in COLOUR_NAMES),
    *(Column(resource, low=-4, high=4) for resource in RESOURCE_NAMES),
    Column("icon", names=("none", *_ICONS)),
]
FILES = {
    "modules": keyed_table("module", {its["design"]: _MODULE for its in DATA["modules"]}, printed_modules)
}


def build(options: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    """Return the tables that follow from the data file and the options in force."""
    _check(options)
    scenario = DATA["scenarios"][options["scenario"] - 1]
    rows = files["modules"].cells if "modules" in files else printed_modules(options)
    modules = [rows[MODULE_DATA[card]["design"]] for card in range(MODULES)]
    track = [options[f"track_{level}"] for level in range(LEVELS)]
    skull = track.index(0) if 0 in track else LEVELS
    piles = options["normals_per_pile"] + options["criticals_per_pile"]
    production = np.add(scenario["production"], options["production_offset"])
    supply = np.add(scenario["supply"], options["supply_offset"])
    return ops(scenario) | {
        "start_production": np.clip(production, LEAST_PRODUCTION, MOST_PRODUCTION),
        "start_supply": np.clip(supply, 0, MOST_SUPPLY),
        "cost": [[module[colour] for colour in COLOUR_NAMES] for module in modules],
        "effect": [effect(module, scenario) for module in modules],
        "track": track[:skull] + [0] * (LEVELS - skull),
        "skull": skull,
        "cast": [Cast[options[f"character_{seat}"]] for seat in range(MOST)],
        "characters_out": 0,
        "hand_cards": hands(options),
        "event_cards": options["piles"] * piles,
    }


def _check(options: dict[str, Any]) -> None:
    """Raise UsageError for options that do not fit together (EX-10.2)."""
    for kind in ("normals", "criticals"):
        piles, each = options["piles"], options[f"{kind}_per_pile"]
        cards = len(DATA[f"{kind[:-1]}_events"])
        if piles * each > cards:
            settings = f"piles = {piles} and {kind}_per_pile = {each}"
            raise UsageError(f"{settings} need {piles * each} cards of {cards} {kind[:-1]} events (EX-2.5)")
    if options["normals_per_pile"] == options["criticals_per_pile"] == 0:
        raise UsageError("normals_per_pile and criticals_per_pile are both 0: no event card is left (EX-2.5)")
    if options["initial_hand"] > options["hand_limit"]:
        hand, limit = options["initial_hand"], options["hand_limit"]
        raise UsageError(f"initial_hand = {hand} is above hand_limit = {limit} (EX-10.2)")
    named = [options[f"character_{seat}"] for seat in range(MOST)]
    for seat, character in enumerate(named):
        if character not in ("any", "none") and character in named[:seat]:
            both = f"character_{named.index(character)} and character_{seat}"
            raise UsageError(f"{both} are both {character}: each character is there once (EX-2.6)")


def effect(module: dict[str, Any], scenario: dict[str, Any]) -> list[int]:
    """Return what a module adds to the productions, with the icon of the scenario (EX-1.7)."""
    icon, _, of = module["icon"].partition(" ")
    return [module[name] + (scenario[icon] if name == of else 0) for name in RESOURCE_NAMES]


def hands(options: dict[str, Any]) -> np.ndarray:
    """Return n(p), the cards that the seat at place p keeps (EX-2.7), as [number of seats, place]."""
    result = np.zeros((MOST + 1, MOST), int)
    for seats in range(2, MOST + 1):
        more = max(0, 4 - seats) if options["hand_by_seats"] else 0
        for place in range(seats):
            cards = options["initial_hand"] + options["late_seat_cards"] * place + more
            result[seats, place] = min(options["hand_limit"], cards)
    return result


def ops(scenario: dict[str, Any]) -> dict[str, Any]:
    """Return the ops of every event, then of the lists of the scenario (EX-6.4)."""
    result = {
        name: np.zeros((OP_LISTS, MOST_OPS), int) for name in ("op_kind", "op_what", "op_amount", "op_where")
    }
    lists = [*(event["ops"] for event in EVENT_DATA), *(scenario[key.name] for key in Key)]
    for at, listed in enumerate(lists):
        for i, op in enumerate(listed):
            result["op_kind"][at, i] = Op[op["op"]]
            result["op_amount"][at, i] = op.get("amount", 0)
            result["op_where"][at, i] = Where[op["where"]] if "where" in op else 0
            for name, members in _WHAT.items():
                if name in op:
                    result["op_what"][at, i] = members.index(op[name])
    return result
