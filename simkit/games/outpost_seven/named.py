"""Outpost Seven: its module cards by name, and where they are (O7-1.2 to O7-1.4)."""

from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.game import Piece

from .facts import NO_CARD, Bonus, Decision
from .tables import COLOURS
from .words import card_name

SPACES_TOLD = (
    "A card is told by its colour, its value and its spaces from the top: A place a cube, R remove a cube, "
    "P add population, a dot is plain."
)
BONUSES: dict[int, str] = {Bonus.place: "place", Bonus.remove: "remove", Bonus.pop: "population"}


def named_cards(rules: Any) -> list[Piece]:
    """Return every card by colour, value and spaces; equal cards share a name (O7-1.3)."""
    return [Piece(card_name(rules, card), kinds(rules, card)) for card in range(rules.cards)]


def kinds(rules: Any, card: int) -> tuple[tuple[str, str], ...]:
    bonuses = sorted({int(bonus) for bonus in rules.bonus[card] if bonus})
    spaces = " and ".join(BONUSES[bonus] for bonus in bonuses) or "plain"
    return ("colour", COLOURS[rules.colour[card]]), ("value", f"{rules.value[card]}"), ("bonuses", spaces)


@rule
def count_cards(s, rules, offer, used, held):
    """Count the offer, the modules on the grid as used, and the hands as held (O7-4, O7-5)."""
    if s.decision >= Decision.main:
        for slot in range(s.offer_n):
            offer[s.offer[slot]] = 1
    for seat in range(2):
        for slot in range(s.hand_n[seat]):
            if s.hand[seat, slot] != NO_CARD:
                held[seat, s.hand[seat, slot]] = 1
    for cell in range(rules.cells):
        if s.grid_card[cell] != NO_CARD:
            used[s.grid_card[cell]] = 1
