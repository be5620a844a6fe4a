"""Lunar Outpost: buildings and event cards by name, and where they are (LO-4, LO-9)."""

from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.game import OVER, Piece
from simkit.games.lunar_outpost.facts import ACTIVE, BUILDINGS, CATEGORY_NAMES, DATA, EVENTS, TYPES


def named_things(rules: Any) -> list[Piece]:
    events = DATA["events"]["list"]
    cards = [Piece(one["name"], (("sort", f"{CATEGORY_NAMES[one['category']]} event"),)) for one in events]
    return [Piece(name, (("sort", "building"),)) for name in BUILDINGS] + cards


@rule
def count_things(s, rules, offer, used, held):
    """Buildings are taken and used when they are constructed; events when they are drawn and disclosed."""
    for one in range(TYPES):
        offer[one] = int(s.seat != OVER)
        for seat in range(s.seats):
            held[seat, one] = s.log.seat[seat].built_of[one]
            used[one] += s.log.seat[seat].built_of[one]
    for card in range(EVENTS):
        used[TYPES + card] = int(s.event_where[card] == ACTIVE)
    for seat in range(s.seats):
        for slot in range(s.hand_n[seat]):
            if s.hand[seat, slot] >= 0:
                held[seat, TYPES + s.hand[seat, slot]] = 1
