"""Red Outpost: its special cards by name, who has them and how often they were used (RO-6)."""

from typing import Any

from simkit.engine.compile.jit import rule
from simkit.engine.game import Piece
from simkit.games.red_outpost.facts import CARDS, LOCATION_CARDS, NOBODY
from simkit.games.red_outpost.options import Where
from simkit.games.red_outpost.words import card_name


def named_cards(rules: Any) -> list[Piece]:
    """Return the special cards by number; cards that nobody can get have no name."""
    return [
        Piece(card_name(card + 1) if in_game(rules, card) else "", (("sort", sort(card)),))
        for card in range(CARDS)
    ]


def sort(card: int) -> str:
    return "location card" if card < LOCATION_CARDS else "worker card"


def in_game(rules: Any, card: int) -> bool:
    """Return whether the card is dealt or belongs to a seat from the start (RO-2.8 to RO-2.11)."""
    if rules.card_where[card] != Where.dealt:
        return bool(rules.card_where[card] >= Where.seat_0)
    if card < LOCATION_CARDS:
        return bool(rules.special_location_cards > 0 or rules.special_location_choice > 1)
    return bool(rules.special_worker_cards > 0 or rules.special_worker_choice > 1)


@rule
def count_cards(s, rules, offer, used, held):
    """Count cards as held from the start, and their uses."""
    for card in range(CARDS):
        used[card] = s.log.game.card_uses[card]
        if s.card_owner[card] != NOBODY:
            held[s.card_owner[card], card] = 1
