"""Lunar Outpost: buildings and event cards by name, and where they are (LO-4, LO-9)."""

from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.game import Piece
from simkit.engine.rule_helpers import OVER
from simkit.games.lunar_outpost.facts import ACTIVE, BUILDINGS, CATEGORY_NAMES, DATA, EVENTS, TYPES


def named_things(rules: Any) -> list[Piece]:
    """Return the buildings and event cards as pieces."""
    events = DATA["events"]["list"]
    sorts = [f"{CATEGORY_NAMES[event['category']]} event" for event in events]
    cards = [Piece(event["name"], (("sort", sort),)) for event, sort in zip(events, sorts, strict=True)]
    return [Piece(name, (("sort", "building"),)) for name in BUILDINGS] + cards


@rule
def count_things(s, rules, offer, used, held):
    """Count buildings as used when constructed, and events as used when disclosed."""
    for kind in range(TYPES):
        offer[kind] = int(s.seat != OVER)
        for seat in range(s.seats):
            held[seat, kind] = s.log.seat[seat].built_of[kind]
            used[kind] += s.log.seat[seat].built_of[kind]
    for card in range(EVENTS):
        used[TYPES + card] = int(s.event_where[card] == ACTIVE)
    for seat in range(s.seats):
        for slot in range(s.hand_n[seat]):
            if s.hand[seat, slot] >= 0:
                held[seat, TYPES + s.hand[seat, slot]] = 1
