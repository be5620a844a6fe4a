"""Outpost Seven: what may be done to a card to see what it does: no bonuses, out of the deck, once more."""

from typing import Any

import numpy as np

from simkit.engine.game import Way
from simkit.errors import UsageError

from .facts import MAX_CARDS, BonusOrigin
from .named import named_cards
from .tables import covered, settled

OF_A_CARD = ("value", "colour", "bonus", "bonus_mask", "covered")


def strike_bonuses(rules: Any, chosen: list[int]) -> None:
    """Remove the bonuses of these cards (O7-1.3)."""
    rules.bonus[chosen], rules.bonus_mask[chosen] = 0, 0
    rules.covered[:] = covered(rules.bonus, rules.colour)
    settle(rules)


def leave_out(rules: Any, chosen: list[int]) -> list[int]:
    """Remove these cards from the deck (O7-1.2)."""
    rest = [card for card in range(rules.cards) if card not in set(chosen)]
    needed = 2 * rules.deal_size + rules.initial_discards + rules.faceup
    if len(rest) < needed:
        left = f"at once {len(chosen)} of the {rules.cards} cards are out in some deal"
        raise UsageError(
            f"{left}, and the game needs {needed} (O7-2.7): leave out fewer, or give a lower rate"
        )
    return lay_in(rules, rest)


def double(rules: Any, chosen: list[int]) -> list[int]:
    """Put each of these cards into the deck once more."""
    if rules.cards + len(chosen) > MAX_CARDS:
        more = f"at once {len(chosen)} cards more than {rules.cards} are in the deck in some deal"
        raise UsageError(f"{more}, and there is room for {MAX_CARDS}: double fewer, or give a lower rate")
    return lay_in(rules, [*range(rules.cards), *chosen])


def lay_in(rules: Any, order: list[int]) -> list[int]:
    """Make the deck of these cards, by their previous numbers."""
    for name in OF_A_CARD:
        table = rules[name]
        cards = table[order]
        table[:] = 0
        table[: len(order)] = cards
    rules.covered[:] = covered(rules.bonus, rules.colour)
    rules.cards = len(order)
    settle(rules)
    return order


def settle(rules: Any) -> None:
    """Set whether the order of bonuses matters from the cards in the deck (O7-6.7)."""
    one_cross = rules.bonus_origin == BonusOrigin.played and rules.cube_supply == 0
    n = int(rules.cards)
    rules.settled = settled(bool(one_cross), np.asarray(rules.bonus[:n]), np.asarray(rules.bonus_mask[:n]))


WAYS = [
    Way("blank", "without its bonuses", named_cards, strike_bonuses),
    Way("out", "left out of the deck", named_cards, leave_out, rate=0.1, unownable=True),
    Way("again", "in the deck once more", named_cards, double, rate=0.1),
]
