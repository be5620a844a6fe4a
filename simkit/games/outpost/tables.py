"""Outpost: the component tables of the rules record: cards, upgrades, factories, charts (OP-1, OP-2.5)."""

from typing import Any

import numpy as np

from simkit.engine.components import option_table
from simkit.engine.fields import Field
from simkit.errors import UsageError
from simkit.games.outpost import facts
from simkit.games.outpost.facts import Product, Site, Upgrade
from simkit.games.outpost.options import OPTIONS

TABLES = [
    Field("value", "i8", (facts.KINDS,), "Value of a card, credits [kind]"),
    Field("product_of", "i8", (facts.KINDS,), "Product of a card [kind]"),
    Field("units", "i8", (facts.KINDS,), "Capacity units of a card [kind]"),
    Field("payer_weight", "i8", (facts.KINDS,), "What the automatic payer prefers (OP-5.12) [kind]"),
    Field("copies", "i8", (facts.REAL,), "Cards in the deck [kind]"),
    Field("start", "i8", (facts.PRODUCTS + 1,), "First kind of a product [product]"),
    Field("average", "i8", (facts.PRODUCTS,), "Average value of a card, credits [product]"),
    Field("mega_site", "i8", (facts.MEGAS,), "Site of a mega-card's product [mega]"),
    Field("cost", "i8", (facts.TYPES,), "Printed cost, credits [upgrade]"),
    Field("vp", "i8", (facts.TYPES,), "Victory points [upgrade]"),
    Field("supply_more", "i8", (facts.TYPES,), "Copies beyond those of the rules [upgrade]"),
    Field("factory_cost", "i8", (facts.FACTORIES,), "Cost, credits [factory]"),
    Field("site_vp", "i8", (facts.SITES,), "Victory points of an operated site [site]"),
    Field("site_product", "i8", (facts.SITES,), "Product of a site [site]"),
    Field("discount", "i8", (facts.TYPES, facts.TYPES), "Discount, credits [owned, upgrade]"),
    Field("chart_first_ten", "i8", (facts.MOST + 1,), "Expert copies of upgrades 1 to 10 [seats]"),
    Field("chart_last_three", "i8", (facts.MOST + 1,), "Expert copies of upgrades 11 to 13 [seats]"),
    Field("chart_phase3_vp", "i8", (facts.MOST + 1,), "Expert victory points that begin phase 3 [seats]"),
]
FILES = {
    "upgrades": option_table(
        "upgrade", facts.UPGRADE_NAMES, {"cost": "upgrade_cost_{}", "vp": "upgrade_vp_{}"}, OPTIONS
    ),
    "factories": option_table("factory", facts.FACTORY_NAMES, {"cost": "cost_{}", "vp": "vp_{}"}, OPTIONS),
}


def build(options: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    """Return cards, upgrades, factories and charts for the options in force."""
    check(options)
    charts = {f"chart_{row}": [0, 0, *numbers] for row, numbers in facts.DATA["expert_chart"].items()}
    return card_tables(options) | upgrade_tables(options) | charts


def check(options: dict[str, Any]) -> None:
    """Raise UsageError for an impossible opening hand (OP-4.5) or a third phase too early (OP-3.5)."""
    floor, best, early = options["start_hand_floor"], best_opening(options), options["phase3_vp"]
    if options["start_hand"] == "floor" and best < floor:
        raise UsageError(f"start_hand_floor = {floor}, but the best opening hand is worth {best} (OP-4.5)")
    if 0 <= early < 10:
        raise UsageError(f"option phase3_vp = {early}: -1 (from the Expert chart) or 10 to 75 (OP-3.5)")


def best_opening(options: dict[str, Any]) -> int:
    """Return the value of the best cards that the first seat may draw on turn 1."""
    water = min(options["start_water"], options["start_population"])
    ore = min(options["start_ore"], options["start_population"] - water)
    total = 0
    for product, operated in (("ore", ore), ("water", water)):
        given, its = options[f"first_turn_{product}_cards"], facts.DATA["product"][product]
        values = [value for value, copies in reversed(its["cards"]) for _ in range(copies)]
        if options["production_values"] == "average":
            values = [its["average"]] * facts.LIMIT
        total += sum(values[: operated if given < 0 else given])
    return total


def card_tables(options: dict[str, Any]) -> dict[str, Any]:
    """Return value, product, capacity units and payer's weight by kind (OP-1.3, OP-4.6, OP-5.12)."""
    decks = [facts.DATA["product"][p.name] for p in Product]
    cards = [(p, value, copies) for p, deck in enumerate(decks) for value, copies in deck["cards"]]
    average = [deck["average"] for deck in decks]
    megas = facts.DATA["mega"]
    product = np.array([p for p, _, _ in cards] + [Product[name] for name in megas] + list(Product))
    units = np.ones(facts.KINDS, np.int64)
    units[(product == Product.research) & (not options["research_counts"])] = 0
    units[(product == Product.microbiotics) & (not options["microbiotics_counts"])] = 0
    units[facts.MEGA : facts.IOU] = 4
    return {
        "value": [value for _, value, _ in cards] + list(megas.values()) + average,
        "product_of": product,
        "units": units,
        "copies": [copies for _, _, copies in cards],
        "start": np.cumsum([0] + [len(deck["cards"]) for deck in decks]),
        "average": average,
        "mega_site": [Site[name] for name in megas],
        "payer_weight": payer_weight(units, product),
    }


def payer_weight(units: np.ndarray, product: np.ndarray) -> np.ndarray:
    """Return the payer's order of preference by kind as one sum (OP-5.12).

    Most units come first, then fewest research and microbiotics cards, then least 2 * product + IOU.
    """
    valuable = (product == Product.research) | (product == Product.microbiotics)
    iou = np.arange(facts.KINDS) >= facts.IOU
    return np.asarray((units << 40) - (valuable.astype(np.int64) << 20) - (2 * product + iou))


def upgrade_tables(options: dict[str, Any]) -> dict[str, Any]:
    """Return the numbers of upgrades and factories (OP-1.4, OP-3.1, OP-5.7, OP-5.15)."""
    points = [options[f"upgrade_vp_{name}"] for name in facts.UPGRADE_NAMES]
    factory_points = [options[f"vp_{name}"] for name in facts.FACTORY_NAMES]
    discount = np.zeros((facts.TYPES, facts.TYPES), np.int64)
    for name, its in facts.DATA["discount"].items():
        discount[Upgrade[its["owned"]], Upgrade[its["on"]]] = options[name]
    products = [facts.DATA["upgrade"][name].get("product") for name in facts.UPGRADE_NAMES]
    return {
        "cost": [options[f"upgrade_cost_{name}"] for name in facts.UPGRADE_NAMES],
        "vp": points,
        "discount": discount,
        "supply_more": np.zeros(facts.TYPES, np.int64),
        "factory_cost": [options[f"cost_{name}"] for name in facts.FACTORY_NAMES],
        "site_vp": factory_points + points[facts.ORDINARY :],
        "site_product": [Product[name] for name in [*facts.FACTORY_NAMES, *products[facts.ORDINARY :]]],
    }
