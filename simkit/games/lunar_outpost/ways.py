"""Lunar Outpost: ways to change a building or event to measure its effect: price, points, effect."""

from typing import Any

from simkit.engine.game import Piece, Way
from simkit.games.lunar_outpost.facts import TYPES, Building
from simkit.games.lunar_outpost.named import named_things

NOTHING = Piece("")  # cannot be changed in this way


def buildings(rules: Any) -> list[Piece]:
    """Return the buildings."""
    return named_things(rules)[:TYPES]


def dispensable(rules: Any) -> list[Piece]:
    """Return all buildings but the dome, with which every seat begins (LO-2.5)."""
    return [NOTHING if kind == Building.dome else piece for kind, piece in enumerate(buildings(rules))]


def reducible(rules: Any) -> list[Piece]:
    """Return the buildings that cost more than the least price (LO-9.2)."""
    return [piece if rules.cost[kind] > 1 else NOTHING for kind, piece in enumerate(buildings(rules))]


def event_cards(rules: Any) -> list[Piece]:
    """Return the event cards, if they are in the game (LO-4), numbered after the buildings."""
    return [piece if place >= TYPES and rules.events else NOTHING
            for place, piece in enumerate(named_things(rules))]  # fmt: skip


def scoring(rules: Any) -> list[Piece]:
    """Return the pieces that are worth victory points (LO-12.1, LO-4.1)."""
    points = [*rules.vp, *(rules.event_points if rules.events else 0 * rules.event_points)]
    return [piece if vp else NOTHING for piece, vp in zip(named_things(rules), points, strict=True)]


def raise_price(rules: Any, chosen: list[int]) -> None:
    """Raise the price of these buildings by a cube."""
    rules.cost[chosen] += 1


def lower_price(rules: Any, chosen: list[int]) -> None:
    """Lower the price of these buildings by a cube."""
    rules.cost[chosen] -= 1


def leave_out(rules: Any, chosen: list[int]) -> None:
    """Remove the tokens of these buildings from all seats (LO-1.5)."""
    rules.tokens[chosen] = 0


def strike_effect(rules: Any, chosen: list[int]) -> None:
    """Remove the effects of these events; their points stay (LO-13.1)."""
    rules.event_delta[[piece - TYPES for piece in chosen]] = 0


def strike_points(rules: Any, chosen: list[int]) -> None:
    """Remove the points of these buildings and events."""
    rules.vp[[piece for piece in chosen if piece < TYPES]] = 0
    rules.event_points[[piece - TYPES for piece in chosen if piece >= TYPES]] = 0


WAYS = [
    Way("dearer", "a cube dearer", buildings, raise_price),
    Way("cheaper", "a cube cheaper", reducible, lower_price),
    Way("out", "without tokens", dispensable, leave_out, unownable=True),
    Way("blank", "without effect while it is active", event_cards, strike_effect),
    Way("worthless", "worth no victory points", scoring, strike_points),
]
