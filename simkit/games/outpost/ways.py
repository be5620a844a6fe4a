"""Outpost: ways to change an upgrade or a factory to measure its effect: price, copies."""

from typing import Any

from simkit.engine.game import Piece, Way
from simkit.games.outpost.facts import TYPES
from simkit.games.outpost.named import named_things
from simkit.games.outpost.setup import MOST_COPIES

STEP = 5  # a price changes by a fifth of it


def upgrades(rules: Any) -> list[Piece]:
    """Return the upgrades."""
    return named_things(rules)[:TYPES]


def leave_out(rules: Any, chosen: list[int]) -> None:
    """Remove all copies of these upgrades (OP-2.4)."""
    rules.supply_more[chosen] = -2 * MOST_COPIES


def add_copy(rules: Any, chosen: list[int]) -> None:
    """Add one copy of these upgrades (OP-2.4)."""
    rules.supply_more[chosen] += 1


def raise_price(rules: Any, chosen: list[int]) -> None:
    """Raise these prices by a fifth (OP-1.4, OP-5.15)."""
    reprice(rules, chosen, 1)


def lower_price(rules: Any, chosen: list[int]) -> None:
    """Lower these prices by a fifth."""
    reprice(rules, chosen, -1)


def reprice(rules: Any, chosen: list[int], sign: int) -> None:
    """Set another price, in whole credits."""
    for thing in chosen:
        table, at = (rules.cost, thing) if thing < TYPES else (rules.factory_cost, thing - TYPES)
        table[at] += sign * max(1, round(table[at] / STEP))


WAYS = [
    Way("out", "left out of the supply", upgrades, leave_out, rate=0.15, unownable=True),
    Way("again", "in the supply once more", upgrades, add_copy),
    Way("dearer", "a fifth dearer", named_things, raise_price),
    Way("cheaper", "a fifth cheaper", named_things, lower_price),
]
