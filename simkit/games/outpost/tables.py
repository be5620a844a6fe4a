"""Outpost: the component tables of the rules record, and the presets of the two rule sets (OP-1, OP-2.1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.errors import UsageError
from simkit.games.outpost.facts import (
    DATA,
    ECOPLANTS,
    FACTORIES,
    HEAVY,
    IOU,
    KINDS,
    LABORATORY,
    LIBRARY,
    MEGA,
    MICROBIOTICS,
    MOST,
    NODULE,
    OUTPOST,
    PRODUCTS,
    REAL,
    RESEARCH,
    SCIENTISTS,
    TYPES,
    UPGRADES,
    WAREHOUSE,
)

PRODUCT_NAMES: list[str] = [p["id"] for p in DATA["product"]]
RULESETS = ("basic", "expert")


def preset(ruleset: str) -> dict[str, Any]:
    """What a rule set sets: its own table, and the printed costs in which the two differ (OP-1.4, OP-2.1)."""
    costs = {
        f"upgrade_cost_{name}": cost[RULESETS.index(ruleset)]
        for name, cost in zip(UPGRADES, DATA["upgrade"]["cost"], strict=True)
        if isinstance(cost, list)
    }
    return {**DATA["ruleset"][ruleset], **costs}


def tables(options: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    """Cards, upgrades, factories and charts for the options in force."""
    check(options)
    return card_tables(options) | upgrade_tables(options) | site_tables(options) | chart_tables()


def check(options: dict[str, Any]) -> None:
    """Refuse a floor of the opening hand that no opening hand can reach (OP-4.5), and a third phase without limit (OP-3.5)."""
    if options["start_hand"] == "floor" and best_opening(options) < options["start_hand_floor"]:
        raise UsageError(
            f"start_hand_floor = {options['start_hand_floor']}, but the best opening hand is worth {best_opening(options)} (OP-4.5)"
        )
    if 0 <= options["phase3_vp"] < 10:
        raise UsageError(
            f"option phase3_vp = {options['phase3_vp']}: -1 (from the Expert chart) or 10 to 75 (OP-3.5)"
        )


def best_opening(options: dict[str, Any]) -> int:
    """Value of the best cards that the first seat may draw on turn 1."""
    water = min(options["start_water"], options["start_population"])
    ore = min(options["start_ore"], options["start_population"] - water)
    total = 0
    for product, operated, name in ((0, ore, "first_turn_ore_cards"), (1, water, "first_turn_water_cards")):
        count = operated if options[name] < 0 else options[name]
        total += sum(sorted(_values(product, options))[-count:]) if count else 0
    return total


def _values(product: int, options: dict[str, Any]) -> list[int]:
    """Values of the cards that production can give: those of the deck, or IOUs without end (OP-4.2)."""
    entry = DATA["product"][product]
    if options["production_values"] == "average":
        return [entry["average"]] * 20
    return [value for value, copies in entry["cards"] for _ in range(copies)]


def card_tables(options: dict[str, Any]) -> dict[str, Any]:
    """Value, product, capacity units and payer's weight by kind (OP-1.3, OP-4.6, OP-5.12)."""
    value, product, copies = np.zeros(KINDS, np.int64), np.zeros(KINDS, np.int64), np.zeros(REAL, np.int64)
    start, average = np.zeros(PRODUCTS + 1, np.int64), np.array([p["average"] for p in DATA["product"]])
    kind = 0
    for p, entry in enumerate(DATA["product"]):
        start[p] = kind
        for worth, count in entry["cards"]:
            value[kind], product[kind], copies[kind] = worth, p, count
            kind += 1
    start[PRODUCTS] = kind
    value[MEGA:IOU], product[MEGA:IOU] = DATA["mega"]["values"], DATA["mega"]["products"]
    value[IOU:], product[IOU:] = average, np.arange(PRODUCTS)
    units = np.ones(KINDS, np.int64)
    units[(product == RESEARCH) & (not options["research_counts"])] = 0
    units[(product == MICROBIOTICS) & (not options["microbiotics_counts"])] = 0
    units[MEGA:IOU] = 4
    return {
        "value": value, "product_of": product, "units": units, "copies": copies, "start": start, "average": average,
        "mega_product": DATA["mega"]["products"], "payer_weight": payer_weight(units, product),
    }  # fmt: skip


def payer_weight(units: np.ndarray, product: np.ndarray) -> np.ndarray:
    """Most units, then fewest research and microbiotics cards, then least 2 * product + IOU, packed into one sum (OP-5.12)."""
    kept = (product == RESEARCH) | (product == MICROBIOTICS)
    iou = np.arange(KINDS) >= IOU
    weight: np.ndarray = (units << 40) - (kept.astype(np.int64) << 20) - (2 * product + iou)
    return weight


def upgrade_tables(options: dict[str, Any]) -> dict[str, Any]:
    """Costs, victory points and discounts (OP-1.4, OP-5.7)."""
    discount = np.zeros((3, TYPES), np.int64)
    owners = {LIBRARY: 0, HEAVY: 1, ECOPLANTS: 2}
    for owner, target, name in (
        (LIBRARY, SCIENTISTS, "disc_dl_scientists"), (LIBRARY, LABORATORY, "disc_dl_laboratory"), (HEAVY, WAREHOUSE, "disc_he_warehouse"),
        (HEAVY, NODULE, "disc_he_nodule"), (HEAVY, OUTPOST, "disc_he_outpost"), (ECOPLANTS, OUTPOST, "disc_eco_outpost"),
    ):  # fmt: skip
        discount[owners[owner], target] = options[name]
    return {
        "cost": [options[f"upgrade_cost_{name}"] for name in UPGRADES],
        "vp": [options[f"upgrade_vp_{name}"] for name in UPGRADES],
        "discount": discount,
    }


def site_tables(options: dict[str, Any]) -> dict[str, Any]:
    """Costs, victory points and products of factories and specials (OP-1.1, OP-3.1, OP-5.15)."""
    specials = [options[f"upgrade_vp_{name}"] for name in UPGRADES[10:]]
    return {
        "factory_cost": [options[f"cost_{name}"] for name in FACTORIES],
        "site_vp": [options[f"vp_{name}"] for name in FACTORIES] + specials,
        "site_product": [0, 1, 2, 3, 5, 6, 7, 8],
    }


def chart_tables() -> dict[str, Any]:
    """The Expert setup chart by number of seats (OP-2.5, OP-3.5)."""
    chart = DATA["expert_chart"]
    rows = {"chart_first_ten": "first_ten", "chart_last_three": "last_three", "chart_phase3": "phase3_vp"}
    return {name: np.array([0, 0, *chart[row]])[: MOST + 1] for name, row in rows.items()}
