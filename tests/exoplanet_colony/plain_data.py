"""What the cards say, for the second implementation: the component data and the numbers of ids (EX-11.1)."""

from dataclasses import dataclass, field
from typing import Any

from simkit.games.exoplanet_colony.facts import DATA

RESOURCES, MODULES = 4, 28
DIR, SEAT, RES, TOKEN, CARD, SLOT, PERM, HEALTH = 16, 20, 25, 29, 34, 70, 99, 105
COLOURS, NAMES = DATA["resources"]["colours"], DATA["resources"]["order"]
OFFSETS = [(0, 1), (1, 0), (0, -1), (-1, 0)]  # N, E, S, W
CARDS = {card: row for row in DATA["modules"] for card in row["card_ids"]}
COSTS = {card: row["cost"] for card, row in CARDS.items()}
ITEMS = {card: row["design"] for row in DATA["items"] for card in row["card_ids"]}
PLANS = {card: row["design"] for row in DATA["plans"] for card in row["card_ids"]}
EARLY = ("main", "start", "act", "update")
WINDOWS = {32: EARLY, 33: EARLY, 34: ("update",), 35: ("event",)}  # EX-4.12
CHARACTERS = [row["design"] for row in DATA["characters"]]
ISSUES = [row["design"] for row in DATA["health_issues"]]
EVENTS = {row["id"]: row for row in DATA["normal_events"] + DATA["critical_events"]}
SCENARIOS = {row["id"]: row for row in DATA["scenarios"]}


@dataclass
class Module:
    """A module of the base, or the Hub (card -1)."""

    card: int
    x: int
    y: int
    on: bool = True
    loss: list[int] = field(default_factory=lambda: [0] * RESOURCES)
    alarms: int = 0


def colour(card: int) -> int:
    return COLOURS.index(CARDS[card]["colour"])


def settings(given: dict[str, Any]) -> dict[str, Any]:
    """EX-10, EX-10.1 all options: given values over the preset over defaults."""
    results = {name: row["default"] for name, row in DATA["options"].items()}
    results |= DATA["presets"]["ruleset"][given.get("ruleset", results["ruleset"])]
    return results | given


def fits(options: dict[str, Any]) -> bool:
    """EX-10.2 whether options in range are accepted."""
    piles, named = options["piles"], [options[f"character_{i}"] for i in range(5)]
    named = [first for first in named if first not in ("any", "none")]
    return (
        piles * options["normals_per_pile"] <= 39
        and piles * options["criticals_per_pile"] <= 15
        and options["normals_per_pile"] + options["criticals_per_pile"] > 0
        and options["initial_hand"] <= options["hand_limit"]
        and len(named) == len(set(named))
    )
