"""Exoplanet Colony: its player cards by name, in hands and used: deployed or played for effect (EX-4)."""

from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.game import Piece
from simkit.games.exoplanet_colony.facts import (
    CARD_NAMES,
    CARDS,
    COLOUR,
    COLOUR_NAMES,
    FIRST_ITEM,
    FIRST_PLAN,
)


def named_cards(rules: Any) -> list[Piece]:
    """Return the player cards as pieces."""
    return [Piece(name, (("sort", sort(card)),)) for card, name in enumerate(CARD_NAMES)]


def sort(card: int) -> str:
    """Return the kind of a card in words."""
    if card < FIRST_ITEM:
        return f"{COLOUR_NAMES[COLOUR[card]]} module"
    return "item" if card < FIRST_PLAN else "plan"


@rule
def count_cards(s, rules, offer, used, held):
    """Count cards in hands as offered, and modules deployed, items and plans played as used."""
    for seat in range(s.seats):
        for card in range(CARDS):
            offer[card] += s.hand[seat] >> card & 1
    for slot in range(1, s.slots):
        used[s.slot_card[slot]] = 1
    for card in range(FIRST_ITEM, FIRST_PLAN):
        used[card] = s.log.game.item_of[card - FIRST_ITEM]
    for card in range(FIRST_PLAN, CARDS):
        used[card] = s.log.game.plan_of[card - FIRST_PLAN]
