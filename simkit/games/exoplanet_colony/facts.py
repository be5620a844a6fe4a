"""Exoplanet Colony: its words: resources, cards, characters, issues, events, decisions, ids (EX-1, EX-11)."""

from enum import IntEnum
from pathlib import Path
from typing import Any

from simkit.engine.toml_files import read_toml

DATA: dict[str, Any] = read_toml(Path(__file__).with_name("components.toml"))
AMOUNTS, _TRACKS = DATA["amounts"], DATA["tracks"]

MOST = 5  # seats
RESOURCE_NAMES, COLOUR_NAMES = DATA["resources"]["order"], DATA["resources"]["colours"]
RESOURCES = len(RESOURCE_NAMES)  # colour i belongs to resource i (EX-1.7)
Resource = IntEnum("Resource", "oxygen water food energy", start=0)
MOST_SUPPLY = _TRACKS["supply_max"]
LEAST_PRODUCTION, MOST_PRODUCTION = _TRACKS["production_min"], _TRACKS["production_max"]
LEVELS = 8  # spaces of the longest emergency track (EX-1.4)

# Player cards: modules, then items, then plans (EX-1.6). Sets of cards are numbers: bit c = card c.
MODULE_DATA = {card: data for data in DATA["modules"] for card in data["card_ids"]}
MODULES = len(MODULE_DATA)
Item = IntEnum("Item", "first_aid_kit tool_kit supply_capsule printer", start=MODULES)
Plan = IntEnum("Plan", "evacuation forecast rationing contingency", start=MODULES + len(Item))
CARDS = MODULES + len(Item) + len(Plan)
FIRST_ITEM, FIRST_PLAN = MODULES, MODULES + len(Item)
ITEM_SET, PLAN_SET = (1 << FIRST_PLAN) - (1 << FIRST_ITEM), (1 << CARDS) - (1 << FIRST_PLAN)
MODULE_SET = (1 << MODULES) - 1
COLOUR = tuple(COLOUR_NAMES.index(MODULE_DATA[card]["colour"]) for card in range(MODULES))
COLOURED = tuple(sum(1 << c for c in range(MODULES) if COLOUR[c] == i) for i in range(RESOURCES))
CARD_NAMES = [MODULE_DATA[card]["name"] for card in range(MODULES)] + [
    data["name"] for kind in ("items", "plans") for data in DATA[kind]
]

# The base: slot 0 is the Hub, then modules in the order deployed.
HUB, SLOTS = 0, MODULES + 1
DIRECTIONS = 4  # N, E, S, W
STEP_X, STEP_Y = (0, 1, 0, -1), (1, 0, -1, 0)

Character = IntEnum(
    "Character",
    "none medic engineer architect pilot scientist comms_officer biochemist quartermaster",
    start=0,
)
CHARACTER_NAMES = ["no character", *(data["name"] for data in DATA["characters"])]
Issue = IntEnum("Issue", "ankle flu insomnia anxiety migraine infection acute", start=0)
ISSUE_NAMES = [data["name"] for data in DATA["health_issues"]]
ISSUES = len(Issue)

# Events: normal ones, then critical ones (EX-1.12). A list of ops belongs to each event, and three to the
# scenario, which events refer to (EX-1.13).
EVENT_DATA = [*DATA["normal_events"], *DATA["critical_events"]]
EVENT_NAMES = [data["name"] for data in EVENT_DATA]
EVENTS, FIRST_CRITICAL = len(EVENT_DATA), len(DATA["normal_events"])
Key = IntEnum("Key", "weather terrain critical", start=0)
OP_LISTS = EVENTS + len(Key)
MOST_OPS = max(
    len(ops)
    for ops in [
        *(data["ops"] for data in EVENT_DATA),
        *(data[key.name] for data in DATA["scenarios"] for key in Key),
    ]
)
Op = IntEnum("Op", "none supply loss emergency draw discard health pawns_home scenario", start=0)
Where = IntEnum(  # a colour; a colour or the Hub; four other places (EX-6.7)
    "Where",
    "red blue green yellow red_or_hub blue_or_hub green_or_hub yellow_or_hub hub here any farthest",
    start=0,
)
Who = IntEnum("Who", "active each", start=0)
MOST_KNOWN = AMOUNTS["forecast_cards"]
ORDERS = (
    (0, 1, 2),
    (0, 2, 1),
    (1, 0, 2),
    (1, 2, 0),
    (2, 0, 1),
    (2, 1, 0),
)  # of PERM, of three cards (EX-11.1)

NOBODY = -1  # also: no slot, no card

# What is being decided (EX-11.2); on none the game goes on by itself.
Decision = IntEnum(
    "Decision",
    "none start_discard main give_partner give_card take_partner take_card deploy_card deploy_slot deploy_dir"
    " deploy_pay gen_card gen_res repair_token issue recover_card ability_seat ability_slot ability_way"
    " ability_card item_card item_seat item_slot item_res item_take plan_card plan_window plan_seat plan_slot"
    " plan_perm hand_discard event_discard event_place",
    start=0,
)
# What comes next when nobody decides (EX-3.2): start, act, update and event are the windows of EX-4.12.
Stage = IntEnum("Stage", "hands begin start main finish act update reveal event ops", start=0)
Step = IntEnum("Step", "setup actions update event", start=0)  # of a turn (EX-12.1)

# Action ids (EX-11.1): those of MAIN, then the first of each kind.
Act = IntEnum(
    "Act",
    {"pass_": 0, "draw": 1, "move": 2, "give": 6, "take": 7, "deploy": 8, "generate": 9, "repair": 10,
     "switch": 11, "recover": 12, "ability": 13, "item": 14, "plan": 15},
)  # fmt: skip
DIR, SEAT, RES, TOKEN, CARD, SLOT, PERM, HEALTH = 16, 20, 25, 29, 34, 70, 99, 105
EMERGENCY = RESOURCES  # the emergency token, among the kinds of tokens
MOST_LEGAL = 35

End = IntEnum("End", "unfinished self_sustaining skull events_out", start=0)
Defeat = IntEnum("Defeat", "none depletion emergencies mixed clock", start=0)
