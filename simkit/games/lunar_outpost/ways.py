"""Lunar Outpost: what may be done to a building or event to see what it does: price, points, effect."""

from typing import Any

from simkit.engine.game import Piece, Way
from simkit.games.lunar_outpost.facts import TYPES, Building
from simkit.games.lunar_outpost.named import named_things

NOTHING = Piece("")  # cannot be changed in this way


def buildings(rules: Any) -> list[Piece]:
    return named_things(rules)[:TYPES]


def dispensable(rules: Any) -> list[Piece]:
    """All buildings but the dome, with which every seat begins (LO-2.5)."""
    return [NOTHING if one == Building.dome else piece for one, piece in enumerate(buildings(rules))]


def reducible(rules: Any) -> list[Piece]:
    """The buildings that cost more than the least price (LO-9.2)."""
    return [piece if rules.cost[one] > 1 else NOTHING for one, piece in enumerate(buildings(rules))]


def event_cards(rules: Any) -> list[Piece]:
    """The event cards, if they are in the game (LO-4), numbered after the buildings."""
    return [piece if place >= TYPES and rules.events else NOTHING
            for place, piece in enumerate(named_things(rules))]  # fmt: skip


def scoring(rules: Any) -> list[Piece]:
    """What is worth victory points (LO-12.1, LO-4.1)."""
    points = [*rules.vp, *(rules.event_points if rules.events else 0 * rules.event_points)]
    return [piece if vp else NOTHING for piece, vp in zip(named_things(rules), points, strict=True)]


def raise_price(rules: Any, chosen: list[int]) -> None:
    rules.cost[chosen] += 1


def lower_price(rules: Any, chosen: list[int]) -> None:
    rules.cost[chosen] -= 1


def leave_out(rules: Any, chosen: list[int]) -> None:
    """No seat has tokens of these buildings (LO-1.5)."""
    rules.tokens[chosen] = 0


def strike_effect(rules: Any, chosen: list[int]) -> None:
    """These events change nothing while they are active; their points stay (LO-13.1)."""
    rules.event_delta[[one - TYPES for one in chosen]] = 0


def strike_points(rules: Any, chosen: list[int]) -> None:
    rules.vp[[one for one in chosen if one < TYPES]] = 0
    rules.event_points[[one - TYPES for one in chosen if one >= TYPES]] = 0


WAYS = [
    Way("dearer", "a cube dearer", buildings, raise_price),
    Way("cheaper", "a cube cheaper", reducible, lower_price),
    Way("out", "without tokens", dispensable, leave_out, gone=True),
    Way("blank", "without effect while it is active", event_cards, strike_effect),
    Way("worthless", "worth no victory points", scoring, strike_points),
]
