"""Outpost: the component tables of the rules record: cards, upgrades, factories, charts (OP-1, OP-2.5, OP-5.12)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.errors import UsageError
from simkit.fields import Field
from simkit.games.outpost.facts import (
    DATA,
    FACTORIES,
    FACTORY_NAMES,
    IOU,
    KINDS,
    MEGA,
    MEGAS,
    MOST,
    ORDINARY,
    PRODUCTS,
    REAL,
    SITES,
    TYPES,
    UPGRADE_NAMES,
    Product,
    Site,
    Upgrade,
)

TABLES = [
    Field("value", "i8", (KINDS,), "Value of a card, credits [kind]"),
    Field("product_of", "i8", (KINDS,), "Product of a card [kind]"),
    Field("units", "i8", (KINDS,), "Capacity units of a card [kind]"),
    Field("payer_weight", "i8", (KINDS,), "How gladly the automatic payer gives a card (OP-5.12) [kind]"),
    Field("copies", "i8", (REAL,), "Cards in the deck [kind]"),
    Field("start", "i8", (PRODUCTS + 1,), "First kind of a product [product]"),
    Field("average", "i8", (PRODUCTS,), "Average value of a card, credits [product]"),
    Field("mega_site", "i8", (MEGAS,), "Site of a mega-card's product [mega]"),
    Field("cost", "i8", (TYPES,), "Printed cost, credits [upgrade]"),
    Field("vp", "i8", (TYPES,), "Victory points [upgrade]"),
    Field("factory_cost", "i8", (FACTORIES,), "Cost, credits [factory]"),
    Field("site_vp", "i8", (SITES,), "Victory points of an operated site [site]"),
    Field("site_product", "i8", (SITES,), "Product of a site [site]"),
    Field(
        "discount", "i8", (TYPES, TYPES), "Discount of an owned upgrade on another, credits [owned, upgrade]"
    ),
    Field("chart_first_ten", "i8", (MOST + 1,), "Expert copies of upgrades 1 to 10 [seats]"),
    Field("chart_last_three", "i8", (MOST + 1,), "Expert copies of upgrades 11 to 13 [seats]"),
    Field("chart_phase3", "i8", (MOST + 1,), "Expert victory points that begin phase 3 [seats]"),
]


def build(options: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    """Cards, upgrades, factories and charts for the options in force."""
    check(options)
    return card_tables(options) | upgrade_tables(options) | chart_tables()


def check(options: dict[str, Any]) -> None:
    """Refuse an opening hand that no draw can give (OP-4.5), and a third phase too early (OP-3.5)."""
    floor, best = options["start_hand_floor"], best_opening(options)
    if options["start_hand"] == "floor" and best < floor:
        raise UsageError(f"start_hand_floor = {floor}, but the best opening hand is worth {best} (OP-4.5)")
    if 0 <= options["phase3_vp"] < 10:
        early = options["phase3_vp"]
        raise UsageError(f"option phase3_vp = {early}: -1 (from the Expert chart) or 10 to 75 (OP-3.5)")


def best_opening(options: dict[str, Any]) -> int:
    """Value of the best cards that the first seat may draw on turn 1."""
    water = min(options["start_water"], options["start_population"])
    ore = min(options["start_ore"], options["start_population"] - water)
    total = 0
    for product, operated in (("ore", ore), ("water", water)):
        given = options[f"first_turn_{product}_cards"]
        count = operated if given < 0 else given
        total += sum(sorted(_values(product, options))[-count:]) if count else 0
    return total


def _values(product: str, options: dict[str, Any]) -> list[int]:
    """Values of the cards that production can give: those of the deck, or IOUs without end (OP-4.2)."""
    its = DATA["product"][product]
    if options["production_values"] == "average":
        return [its["average"]] * 20
    return [value for value, copies in its["cards"] for _ in range(copies)]


def card_tables(options: dict[str, Any]) -> dict[str, Any]:
    """Value, product, capacity units and payer's weight by kind (OP-1.3, OP-4.6, OP-5.12)."""
    decks = [DATA["product"][p.name] for p in Product]
    cards = [(p, value, copies) for p, deck in enumerate(decks) for value, copies in deck["cards"]]
    average = [deck["average"] for deck in decks]
    product = np.array([p for p, _, _ in cards] + [Product[name] for name in DATA["mega"]] + list(Product))
    units = np.ones(KINDS, np.int64)
    units[(product == Product.research) & (not options["research_counts"])] = 0
    units[(product == Product.microbiotics) & (not options["microbiotics_counts"])] = 0
    units[MEGA:IOU] = 4
    return {
        "value": [value for _, value, _ in cards] + list(DATA["mega"].values()) + average,
        "product_of": product,
        "units": units,
        "copies": [copies for _, _, copies in cards],
        "start": np.cumsum([0] + [len(deck["cards"]) for deck in decks]),
        "average": average,
        "mega_site": [Site[name] for name in DATA["mega"]],
        "payer_weight": payer_weight(units, product),
    }


def payer_weight(units: np.ndarray, product: np.ndarray) -> np.ndarray:
    """Most units, then fewest research and microbiotics cards, then least 2 * product + IOU, in one sum (OP-5.12)."""
    kept = (product == Product.research) | (product == Product.microbiotics)
    iou = np.arange(KINDS) >= IOU
    weight: np.ndarray = (units << 40) - (kept.astype(np.int64) << 20) - (2 * product + iou)
    return weight


def upgrade_tables(options: dict[str, Any]) -> dict[str, Any]:
    """Costs, victory points, discounts and products of upgrades and factories (OP-1.4, OP-3.1, OP-5.7, OP-5.15)."""
    points = [options[f"upgrade_vp_{name}"] for name in UPGRADE_NAMES]
    factory_points = [options[f"vp_{name}"] for name in FACTORY_NAMES]
    discount = np.zeros((TYPES, TYPES), np.int64)
    for name, its in DATA["discount"].items():
        discount[Upgrade[its["owned"]], Upgrade[its["on"]]] = options[name]
    products = [DATA["upgrade"][name].get("product") for name in UPGRADE_NAMES]
    return {
        "cost": [options[f"upgrade_cost_{name}"] for name in UPGRADE_NAMES],
        "vp": points,
        "discount": discount,
        "factory_cost": [options[f"cost_{name}"] for name in FACTORY_NAMES],
        "site_vp": factory_points + points[ORDINARY:],
        "site_product": [Product[name] for name in [*FACTORY_NAMES, *products[ORDINARY:]]],
    }


def chart_tables() -> dict[str, Any]:
    """The Expert setup chart by number of seats (OP-2.5, OP-3.5)."""
    chart = DATA["expert_chart"]
    rows = {"chart_first_ten": "first_ten", "chart_last_three": "last_three", "chart_phase3": "phase3_vp"}
    return {name: np.array([0, 0, *chart[row]])[: MOST + 1] for name, row in rows.items()}
